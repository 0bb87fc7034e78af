#include "client/cli/pdb_build.h"

#include <gtest/gtest.h>

namespace astrolabe::cli {
namespace {

using client::CacheFileUsed;
using std::chrono::milliseconds;

std::string Board(const PdbBuildOptions& options) {
  const auto instance = GoalInstance(options);
  return instance.ok() ? instance->ref.instance : std::string(instance.status().message());
}

TEST(PdbBuild, TheGoalIsTheBoardToSolve) {
  EXPECT_EQ(Board({}), "4 4\n1 2 3 4\n5 6 7 8\n9 10 11 12\n13 14 15 0\n");
  EXPECT_EQ(Board({.goal = "blank-first", .size = "2x3"}), "2 3\n0 1 2\n3 4 5\n");
  EXPECT_EQ(Board({.size = "2"}), "2 2\n1 2\n3 0\n");
  const auto spiral = GoalInstance({.goal = "1 2 3/8 0 4/7 6 5"});
  ASSERT_TRUE(spiral.ok());
  EXPECT_EQ(spiral->ref.problem, "sliding_tile");
  EXPECT_EQ(spiral->ref.instance, "1 2 3/8 0 4/7 6 5");
  EXPECT_EQ(spiral->params.back(), (std::pair<std::string, std::string>("goal", "1 2 3/8 0 4/7 6 5")));
}

TEST(PdbBuild, PresetAndPartitionSayWhichBoardTheyAreOf) {
  EXPECT_EQ(Board({.preset = "7-8"}).substr(0, 4), "4 4\n");
  EXPECT_EQ(Board({.preset = "6-6-6-6"}).substr(0, 4), "5 5\n");
  EXPECT_EQ(Board({.preset = "auto"}).substr(0, 4), "4 4\n");
  EXPECT_EQ(Board({.preset = "1-1"}).substr(0, 4), "4 4\n") << "the server says that there is none";
  EXPECT_EQ(Board({.partition = "8 7 6 5/4,3;2 1"}).substr(0, 4), "3 3\n");
  EXPECT_NE(Board({.partition = "1 2 3 8"}).find("--size"), std::string::npos) << "of a board with other tiles";
  EXPECT_NE(Board({.partition = "1 2 3 4 5"}).find("--size"), std::string::npos);
  EXPECT_EQ(Board({.partition = "1 2 3 8", .size = "3 x 3"}).substr(0, 4), "3 3\n");
}

TEST(PdbBuild, TilesThatNoBoardHasAreExplained) {
  EXPECT_NE(Board({.partition = "1 2 3/3 4"}).find("names tile 3 twice"), std::string::npos);
  EXPECT_NE(Board({.partition = "0 1"}).find("names 0, which is the blank"), std::string::npos);
  EXPECT_NE(Board({.partition = "99999999999999999999"}).find("names a tile above 16128"), std::string::npos);
  EXPECT_NE(Board({.partition = "all"}).find("names no tile"), std::string::npos);
}

TEST(PdbBuild, SizesThatAreNoneAreExplained) {
  for (const char* size : {"1x4", "4x128", "x", "4x4x4", "4-4", "four", "-4x4", "99999999999x4"}) {
    EXPECT_NE(Board({.size = size}).find("is not a value for --size; expected ROWSxCOLUMNS"), std::string::npos)
        << size;
  }
  EXPECT_NE(Board({.goal = "1 2/3 0", .size = "2x2"}).find("--size is for goals given by name"), std::string::npos);
}

TEST(PdbBuild, TheTextSaysWhatWasBuiltAndWhatWasThere) {
  client::Result result;
  result.outcome = client::Outcome::kSolved;
  result.provenance.cache_files = {{std::string(64, 'a'), "a board", 3 << 20, true, false, milliseconds(1500)},
                                   {std::string(64, 'b'), "another", 1 << 20, false, false, {}}};
  EXPECT_EQ(BuildText(result),
            "built      aaaaaaaaaaaa  3.0 MiB  1.50 s  a board\n"
            "was there  bbbbbbbbbbbb  1.0 MiB          another\n"
            "Built 1 of 2 tables, 4.0 MiB in all, in 1.50 s.\n");
  result.provenance.cache_files.erase(result.provenance.cache_files.begin());
  EXPECT_EQ(BuildText(result),
            "was there  bbbbbbbbbbbb  1.0 MiB    another\nNothing to build: 1 table, 1.0 MiB, was there.\n");
  result.outcome = client::Outcome::kCancelled;
  EXPECT_EQ(BuildText(result), "was there  bbbbbbbbbbbb  1.0 MiB    another\nCancelled; what is listed is kept.\n");
  result.provenance.cache_files.clear();
  EXPECT_EQ(BuildText(result), "Cancelled; no table was ready.\n");
}

TEST(PdbBuild, WhatIsInMemoryAloneIsNeitherKeptNorThere) {
  client::Result result;
  result.outcome = client::Outcome::kSolved;
  result.provenance.cache_files = {{std::string(64, 'a'), "a board", 3 << 20, true, true, milliseconds(1500)},
                                   {std::string(64, 'b'), "another", 1 << 20, false, false, {}}};
  EXPECT_EQ(BuildText(result),
            "in memory  aaaaaaaaaaaa  3.0 MiB  1.50 s  a board\n"
            "was there  bbbbbbbbbbbb  1.0 MiB          another\n"
            "Built 1 of 2 tables, 4.0 MiB in all, in 1.50 s; 1 is in the memory of a worker alone and is not kept.\n");
  // The next job of the same worker.
  result.provenance.cache_files[0].made = false;
  EXPECT_NE(BuildText(result).find("Nothing was built now: 2 tables, 4.0 MiB, were built before; 1 is in the memory"),
            std::string::npos)
      << BuildText(result);
  result.outcome = client::Outcome::kCancelled;
  EXPECT_NE(BuildText(result).find("what is listed is kept, but for what is in memory."), std::string::npos);
  result.provenance.cache_files.pop_back();
  EXPECT_NE(BuildText(result).find("Cancelled; nothing is kept."), std::string::npos);
  result.outcome = client::Outcome::kSolved;
  EXPECT_EQ(BuildText(result).find("Nothing to build"), std::string::npos) << BuildText(result);
}

}  // namespace
}  // namespace astrolabe::cli
