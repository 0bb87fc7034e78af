// Korf's random 15-puzzle instances through the daemon: published lengths and node counts.
#include <gtest/gtest.h>

#include <cctype>
#include <string>
#include <vector>

#include "tests/support/live_daemon.h"
#include "tests/support/result_json.h"

namespace astrolabe::testing {
namespace {

struct Instance {
  int number;
  int length;
  int64_t generated;  // by IDA* with Manhattan distance, in Korf's order
  std::string board;
};

const Instance kKorf1 = {1, 57, 276361933, "14 13 15 7 11 12 9 5 6 0 2 1 4 8 10 3"};
const Instance kKorf12 = {12, 45, 546344, "14 1 9 6 4 8 12 5 7 2 3 0 10 11 13 15"};
const Instance kKorf38 = {38, 53, 24492852, "7 15 8 2 13 6 3 12 11 0 4 10 9 5 1 14"};

ResultJson Solve(const LiveDaemon& daemon, const Instance& instance, std::vector<std::string> args) {
  args.insert(args.end(), {"--goal", "blank-first", "--heuristic", "manhattan", "-o", "json"});
  const auto run = daemon.Solve("4 " + instance.board + "\n", args);
  EXPECT_EQ(run.exit_code, 0) << run.out << run.err;
  ResultJson result(run);
  EXPECT_EQ(result.cost(), instance.length) << "#" << instance.number;
  EXPECT_EQ(result.proof(), "PROOF_OPTIMAL");
  EXPECT_TRUE(result.Flag("/verified"));
  return result;
}

TEST(Korf, IdaStarHasThePublishedNodeCounts) {
  LiveDaemon daemon;
  for (const Instance& instance : {kKorf12, kKorf38, kKorf1}) {
    EXPECT_EQ(Solve(daemon, instance, {"--algorithm", "idastar"}).generated(), instance.generated)
        << "#" << instance.number;
  }
}

TEST(Korf, EveryTierCountsTheSame) {
  LiveDaemon daemon;
  for (const std::string tier : {"generic", "kernel", "additive"}) {
    const ResultJson result = Solve(daemon, kKorf12, {"--algorithm", "idastar", "--tier", tier});
    EXPECT_EQ(result.generated(), kKorf12.generated) << tier;
    std::string upper = tier;
    for (char& c : upper) c = static_cast<char>(std::toupper(c));
    EXPECT_EQ(result.Text("/provenance/tier"), "ENGINE_TIER_" + upper);
  }
}

TEST(Korf, ThreadsDoNotChangeTheCountsOfIdaStar) {
  LiveDaemon daemon({"--slots", "3"});
  for (const std::string tier : {"generic", "kernel", "additive"}) {
    for (const std::string threads : {"2", "3"}) {
      const ResultJson result =
          Solve(daemon, kKorf12, {"--algorithm", "idastar", "--tier", tier, "--threads", threads});
      EXPECT_EQ(result.generated(), kKorf12.generated) << tier << ", " << threads << " threads";
    }
  }
  const ResultJson long_one = Solve(daemon, kKorf1, {"--algorithm", "idastar", "--threads", "2"});
  EXPECT_EQ(long_one.generated(), kKorf1.generated);
  EXPECT_EQ(long_one.Number("/provenance/threads"), 2);
}

TEST(Korf, EveryOptimalAlgorithmFindsTheSameLength) {
  LiveDaemon daemon({"--slots", "2"});
  for (const std::string algorithm : {"rbfs", "anytime_astar", "bidirectional", "hda_star", "idastar:mode=fast",
                                      "idastar:transposition_table=64", "astar:pathmax=bpmx"}) {
    Solve(daemon, kKorf12, {"--algorithm", algorithm, "--threads", algorithm == "hda_star" ? "2" : "1"});
  }
}

TEST(Korf, AStarFindsTheSameLengths) {
  LiveDaemon daemon;
  const ResultJson twelve = Solve(daemon, kKorf12, {"--algorithm", "astar"});
  EXPECT_NEAR(static_cast<double>(twelve.expanded()), 32334, 1500);
  const ResultJson thirty_eight = Solve(daemon, kKorf38, {"--algorithm", "astar"});
  EXPECT_NEAR(static_cast<double>(thirty_eight.expanded()), 827800, 20000);
}

}  // namespace
}  // namespace astrolabe::testing
