#include <gtest/gtest.h>

#include "astrolabe/sdk/testing/ida.h"
#include "astrolabe/sdk/testing/loaded_plugin.h"

namespace {

using namespace astro::testing;

class Golden : public ::testing::TestWithParam<const char*> {
 protected:
  void SetUp() override {
#if !defined(__x86_64__)
    if (GetParam() == std::string(ASTROLABE_GOLDEN_PLUGIN)) GTEST_SKIP() << "the binary is for x86-64";
#endif
    ASSERT_EQ(plugin.error(), "");
    ASSERT_EQ(sliding_tile.error(), "");
  }
  LoadedPlugin plugin{GetParam()};
  LoadedPlugin sliding_tile{ASTROLABE_TEST_PLUGIN_DIR "/sliding_tile.so"};
  FakeHost host;
};
INSTANTIATE_TEST_SUITE_P(Binaries, Golden, ::testing::Values(ASTROLABE_GOLDEN_PLUGIN, ASTROLABE_REBUILT_PLUGIN),
                         [](const auto& info) { return info.index == 0 ? "Kept" : "Rebuilt"; });

TEST_P(Golden, IsWhatItWas) {
  EXPECT_EQ(plugin->magic, ASTRO_PLUGIN_MAGIC);
  EXPECT_EQ(plugin->abi_major, 1u);
  EXPECT_EQ(plugin->struct_size, 96u);
  ASSERT_EQ(plugin->heuristic_count(), 1u);
  EXPECT_EQ(astro::ToView(plugin->heuristic(0)->id), "golden_rows");
  EXPECT_EQ(plugin->heuristic(0)->heuristic->struct_size, 120u);
}

TEST_P(Golden, ReadsEveryLayout) {
  const std::pair<const char*, int64_t> boards[] = {
      {"8 1 3/4 0 2/7 6 5", 4},  // 8, 2, 6, 5 are in a wrong row
      {"3 6\n7 2 3 4 5 6\n1 8 9 10 11 12\n13 14 15 16 17 0", 2},
  };
  for (const auto& [text, h] : boards) {
    ProblemUnderTest problem(sliding_tile.Problem(), host, text);
    ASSERT_TRUE(problem.ok()) << problem.faults.Text();
    HeuristicUnderTest heuristic(plugin.Heuristic(), host, problem);
    ASSERT_TRUE(heuristic.ok());
    EXPECT_EQ(heuristic.Eval(problem.Initial()), h) << text;
  }
  std::string large = "20\n";
  for (int tile = 1; tile < 400; ++tile) large += std::to_string(tile == 1 ? 399 : tile == 399 ? 1 : tile) + " ";
  ProblemUnderTest problem(sliding_tile.Problem(), host, large + "0");
  ASSERT_TRUE(problem.ok()) << problem.faults.Text();
  EXPECT_EQ(HeuristicUnderTest(plugin.Heuristic(), host, problem).Eval(problem.Initial()), 2);
}

// It has no eval_ops: the kernel builds the children itself.
TEST_P(Golden, RunsInTheKernel) {
  ProblemUnderTest problem(sliding_tile.Problem(), host, "8 1 3/4 0 2/7 6 5");
  HeuristicUnderTest heuristic(plugin.Heuristic(), host, problem);
  const IdaIteration found = Deepen(heuristic.Eval(problem.Initial()),
                                    [&](int64_t bound) { return RunKernel(problem, heuristic, bound, true); });
  EXPECT_EQ(found.end, ASTRO_IDA_FOUND);
  EXPECT_EQ(found.path_cost, 14);
}

}  // namespace
