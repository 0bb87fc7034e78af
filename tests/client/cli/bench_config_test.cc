#include "client/cli/bench_config.h"

#include <gtest/gtest.h>

namespace astrolabe::cli {
namespace {

using Strings = std::vector<std::string>;

std::vector<client::AlgorithmInfo> Known() {
  client::AlgorithmInfo astar;
  astar.id = "astar";
  astar.needs_heuristic = true;
  client::AlgorithmInfo blind;
  blind.id = "breadth_first";
  return {astar, blind};
}

Strings ConfigLabels(const BenchConfigOptions& options) {
  const auto configs = BenchConfigs(options, Known());
  EXPECT_TRUE(configs.ok()) << configs.status();
  Strings labels;
  for (const BenchConfig& config : configs.ok() ? *configs : std::vector<BenchConfig>()) {
    labels.push_back(config.Label());
  }
  return labels;
}

std::string ConfigFault(const BenchConfigOptions& options) {
  const auto configs = BenchConfigs(options, Known());
  EXPECT_EQ(configs.status().code(), absl::StatusCode::kInvalidArgument);
  return std::string(configs.status().message());
}

TEST(BenchConfigs, AreTheCrossProductInTheOrderTyped) {
  EXPECT_EQ(ConfigLabels({{"astar", "idastar"}, {"hamming", "manhattan"}, {}, ""}),
            (Strings{"astar + hamming", "astar + manhattan", "idastar + hamming", "idastar + manhattan"}));
}

TEST(BenchConfigs, LeaveToTheProblemWhatIsNotGiven) {
  EXPECT_EQ(ConfigLabels({}), Strings{"default + default"});
  EXPECT_EQ(ConfigLabels({{"astar"}, {}, {}, ""}), Strings{"astar + default"});
  EXPECT_EQ(ConfigLabels({{}, {"hamming"}, {}, ""}), Strings{"default + hamming"});
  EXPECT_EQ(BenchConfigs({}, Known())->at(0).algorithm, "");
  EXPECT_TRUE(BenchConfigs({}, Known())->at(0).heuristics.empty());
}

TEST(BenchConfigs, AnAlgorithmWithoutHeuristicRunsOnce) {
  EXPECT_EQ(ConfigLabels({{"breadth_first", "astar"}, {"hamming", "manhattan"}, {}, ""}),
            (Strings{"breadth_first", "astar + hamming", "astar + manhattan"}));
  EXPECT_EQ(ConfigLabels({{}, {}, {"breadth_first"}, ""}), Strings{"breadth_first"});
}

TEST(BenchConfigs, ASetIsOneConfiguration) {
  EXPECT_EQ(ConfigLabels({{"astar"}, {"hamming+manhattan"}, {}, ""}), Strings{"astar + max(hamming, manhattan)"});
  const auto sum = BenchConfigs({{"astar"}, {"a@1/2+b@1/2"}, {}, "sum"}, Known());
  ASSERT_TRUE(sum.ok());
  EXPECT_EQ(sum->at(0).Label(), "astar + sum(a@1/2, b@1/2)");
  EXPECT_EQ(sum->at(0).heuristics, (Strings{"a@1/2", "b@1/2"}));
}

TEST(BenchConfigs, AnEscapedPlusIsPartOfAParameter) {
  const auto configs = BenchConfigs({{"astar"}, {"pdb:tiles=1\\+2\\,3+hamming"}, {}, ""}, Known());
  ASSERT_TRUE(configs.ok());
  EXPECT_EQ(configs->at(0).heuristics, (Strings{"pdb:tiles=1\\+2\\,3", "hamming"}));
}

TEST(BenchConfigs, SingleOnesAreAlgorithmAndHeuristics) {
  EXPECT_EQ(ConfigLabels({{}, {}, {"astar  hamming", " breadth_first ", "astar a+b"}, ""}),
            (Strings{"astar + hamming", "breadth_first", "astar + max(a, b)"}))
      << "and no default beside them";
  EXPECT_EQ(ConfigLabels({{"astar"}, {"hamming"}, {"idastar hamming"}, ""}),
            (Strings{"astar + hamming", "idastar + hamming"}));
}

TEST(BenchConfigs, FaultsAreExplained) {
  EXPECT_EQ(ConfigFault({{"astar", "astar"}, {"hamming"}, {}, ""}), "the configuration astar + hamming is given twice");
  EXPECT_NE(ConfigFault({{"astar"}, {"a++b"}, {}, ""}).find("\"a++b\" has an empty part"), std::string::npos);
  EXPECT_NE(ConfigFault({{}, {}, {"astar a b"}, ""}).find("\"astar a b\" is not a value for --config"),
            std::string::npos);
  EXPECT_NE(ConfigFault({{}, {}, {" "}, ""}).find("such as 'astar manhattan'"), std::string::npos);
}

}  // namespace
}  // namespace astrolabe::cli
