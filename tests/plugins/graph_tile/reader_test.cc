#include <gtest/gtest.h>

#include <string>

#include "astrolabe/sdk/testing/under_test.h"
#include "boards.h"
#include "functions.h"

namespace graph_tile {
namespace {

using astro::testing::FakeHost;
using astro::testing::FakeParams;
using astro::testing::Fault;
using astro::testing::ProblemUnderTest;

std::string Canonical(const std::string& text, FakeParams* params = nullptr) {
  FakeHost host;
  const ProblemUnderTest board(Functions(), host, text, params);
  return board.ok() ? board.CanonicalText() : board.faults.Text();
}

std::vector<Fault> FaultsOf(const std::string& text, FakeParams* params = nullptr) {
  FakeHost host;
  const ProblemUnderTest board(Functions(), host, text, params);
  EXPECT_FALSE(board.ok()) << text;
  return board.faults.list;
}

constexpr const char* kSquare = "0: 1 2\n1: 0 3\n2: 0 3\n3: 1 2\nstart 1 0 3 2\ngoal 1 2 3 0\n";

TEST(GraphTileReader, ReadsAllSpellingsOfOneBoard) {
  for (const std::string text : {
           "0:1 2, 1:0 3, 2:0 3, 3:1 2 start 1 0 3 2",
           "0 : 1, 2\r\n1 :\t0, 3\r\n2: 3 0\r\n3: 2 1\r\nSTART: 1 _ 3 2\r\nGoal: blank-last",
           "\xEF\xBB\xBF# a square\n\n3: 1 2 # the last first\n2: 0 3\n1: 0 3\n0: 1 2\ngoal 1 2 3 .\nstart 1,0,3,2",
           "cells 4\r0: 1 2\r1: 0 3\r2: 0 3\r3: 1 2\rstart 1 0 3 2",
           R"({"cells": 4, "edges": [[0,1],[0,2],[1,3],[2,3]], "start": [1,0,3,2]})",
           R"({"neighbours": [[1,2],[0,3],[0,3],[1,2]], "goal": [1,2,3,"_"], "start": [1,0,3,2]})",
           "{\"start\": [1,0,3,2],\n \"neighbors\": [[1,2],[0,3],[0,3],[1,2]], \"goal\": \"blank-last\"}\n",
           R"({"cells": 4, "directed": true, "start": [1,0,3,2],
               "edges": [[0,1],[0,2],[1,3],[2,3],[1,0],[2,0],[3,1],[3,2]]})",
       }) {
    EXPECT_EQ(Canonical(text), kSquare) << text;
  }
}

TEST(GraphTileReader, TakesStartAndGoalFromParameters) {
  FakeParams params;
  params.SetText("start", "1 0 3 2");
  params.SetText("goal", "blank-last");
  EXPECT_EQ(Canonical("0:1 2, 1:0 3, 2:0 3, 3:1 2 start 0 1 2 3 goal 3 2 1 0", &params), kSquare);
  FakeParams wrong;
  wrong.SetText("goal", "1 2 3 4");
  const std::vector<Fault> faults = FaultsOf(kSquare, &wrong);
  ASSERT_EQ(faults.size(), 2u);
  EXPECT_EQ(faults[0].field, "params.goal");
  EXPECT_EQ(faults[0].message, "4 out of range");
  EXPECT_EQ(faults[0].column, 7u);
  EXPECT_EQ(faults[1].message, "no blank in the goal");
}

TEST(GraphTileReader, NamesThePairThatIsNotSymmetric) {
  const std::string text = "0: 1 2\n1: 0\n2: 1\nstart 1 0 2\n";
  const std::vector<Fault> faults = FaultsOf(text);
  ASSERT_EQ(faults.size(), 2u);
  EXPECT_EQ(faults[0].message, "not symmetric: cell 0 has the neighbour 2, but cell 2 has not the neighbour 0");
  EXPECT_EQ(faults[0].line, 1u);
  EXPECT_EQ(faults[0].column, 6u);
  EXPECT_NE(faults[0].hint.find("--symmetric=off"), std::string::npos);
  EXPECT_EQ(faults[1].line, 3u);
  FakeParams params;
  params.SetInt("symmetric", 0, ASTRO_PARAM_BOOL);
  EXPECT_EQ(Canonical(text, &params), "directed\n0: 1 2\n1: 0\n2: 1\nstart 1 0 2\ngoal 1 2 0\n");
  EXPECT_EQ(Canonical("directed\n" + text), Canonical(text, &params));
  FakeParams checked;
  checked.SetInt("symmetric", 1, ASTRO_PARAM_BOOL);
  EXPECT_EQ(FaultsOf("directed\n" + text, &checked).size(), 2u);
}

TEST(GraphTileReader, TellsWhatItIgnores) {
  FakeHost host;
  const ProblemUnderTest board(
      Functions(), host,
      R"({"cells": 4, "edges": [[0, 0], [0, 1], [0, 1], [1, 0], [1, 2], [2, 3]], "start": [0, 1, 2, 3]})");
  ASSERT_TRUE(board.ok()) << board.faults.Text();
  ASSERT_EQ(board.faults.list.size(), 1u);
  EXPECT_EQ(board.faults.list[0].severity, uint32_t{ASTRO_SEVERITY_NOTE});
  EXPECT_EQ(board.faults.list[0].message, "1 self-loop and 2 repeated edges ignored: they make no move");
  EXPECT_EQ(board.Ops(board.Initial()).size(), 1u);
}

// A slip is told once: what follows from it would only hide it.
TEST(GraphTileReader, TellsNoFaultThatFollowsFromAnother) {
  const auto text_of = [](const std::string& text) {
    std::string all;
    for (const Fault& fault : FaultsOf(text)) all += fault.message + "\n";
    return all;
  };
  EXPECT_EQ(text_of("0: 1\n1: 0 2\n1e9: 1\nstart 0 1 2\n"), "'1e9' is not a cell\n");
  EXPECT_EQ(text_of("0: 1\n1: 0 2\n1: 1\nstart 0 1 2\n"), "cell 1 has two lists\n");
  EXPECT_EQ(text_of("0: 1\n1: 0\n3: 1\nstart 0 1 2\n"), "cell 3 does not exist\n");
  EXPECT_EQ(text_of("0: 1\n1: 0 x\nstart 0 1\n"), "'x' is not a cell\n");
  EXPECT_EQ(text_of("0: 1\n1: 0\nstart O 1\n"), "'O' is not a tile\n") << "the letter for the digit";
  EXPECT_EQ(text_of("0: 1\n1: 0\nstart 1\n"), "the start has 1 tile, expected 2\n");
  EXPECT_EQ(text_of("0: 1\n1: 0\nstart 0 1 2\n"), "the start has 3 tiles, expected 2\n");
  EXPECT_EQ(text_of("0: 1\n1: 0\nstart 0 5 2\n"), "the start has 3 tiles, expected 2\n5 out of range\n");
}

TEST(GraphTileReader, SaysWhatToDoAboutAnUnknownCell) {
  const std::string hint = FaultsOf("0: 1\n1: 0 2\nstart 0 1\n")[0].hint;
  EXPECT_NE(hint.find("a cell for each list, here 2"), std::string::npos) << hint;
  EXPECT_NE(FaultsOf("3\n1 2 3\n4 5 6\n7 8 0\n")[0].hint.find("--problem sliding_tile"), std::string::npos);
  EXPECT_NE(FaultsOf("0: 1\n1: 0\nstrat 0 1\n")[0].hint.find("start, goal, cells and directed"), std::string::npos);
}

TEST(GraphTileReader, SaysWhatIsWrongAndWhere) {
  struct Case {
    std::string text;
    std::string message;
    uint32_t line, column;
  };
  const std::string two = "0: 1\n1: 0\n";
  for (const Case& wrong : std::vector<Case>{
           {"", "empty", 0, 0},
           {"# nothing\n", "empty", 0, 0},
           {"start 0 1\n", "no cells", 1, 1},
           {two, "no start", 0, 0},
           {"0: 1\n1: 0 2\nstart 0 1\n", "cell 2 does not exist", 2, 6},
           {"0: 1\n1: 0 x\nstart 0 1\n", "'x' is not a cell", 2, 6},
           {"0: 1\n0: 1\nstart 0 1\n", "cell 0 has two lists", 2, 1},
           {"1: 2\n2: 1\nstart 0 1\n", "cell 2 does not exist", 1, 4},
           {"0 1\n1 0\nstart 0 1\n", "'0' is in no list", 1, 1},
           {": 3\n" + two + "start 0 1", "a colon without a cell before it", 1, 1},
           {two + "start 0 1 2\n", "the start has 3 tiles, expected 2", 3, 7},
           {two + "start 1 1\n", "1 twice", 3, 9},
           {two + "start\n", "the start has 0 tiles, expected 2", 3, 1},
           {two + "start 0 1\ngoal:\n", "the goal has 0 tiles, expected 2", 4, 1},
           {two + "start one 0\n", "'one' is not a tile", 3, 7},
           {two + "start 0 1\nstart 0 1\n", "a second start", 4, 1},
           {two + "start 0 1\ngoal 1 9\n", "9 out of range", 4, 8},
           {two + "start 0 1\ngoal blank-middle\n", "the goal has 1 tile, expected 2", 4, 6},
           {"0:\nstart 0\n", "1 cell", 1, 1},
           {two + "start 0 1\ncells x\n", "'x' is not a number of cells", 4, 7},
           {two + "start 0 1\ncells 5000\n", "5000 cells", 4, 7},
           {two + "start 0 1\ncells 1e9\n", "'1e9' is not a number of cells", 4, 7},
           {two + "start 0 1\ncells 3\n", "no list for cell 2", 4, 7},
           {"0: 1e9\n1: 0\nstart 0 1\n", "'1e9' is not a cell", 1, 4},
           {"0: 1\n1: 4000000000\nstart 0 1\n", "'4000000000' is not a cell", 2, 4},
           {two + "strat 0 1\n", "'strat' is not a cell", 3, 1},
           {"{\"cells\": 4, \"edges\": [[0,1],[1,2],[2,4]], \"start\": [0,1,2,3]}", "cell 4 does not exist", 1, 39},
           {"{\"cells\": 2, \"edges\": [[0,1,1]], \"start\": [0,1]}", "an edge with 3 ends", 1, 24},
           {"{\"edges\": [[0,1]], \"start\": [0,1]}", "no number of cells", 1, 1},
           {"{\"cells\": 2, \"cells\": 2}", "'cells' twice", 1, 14},
           {"{\"cells\": 2, \"sides\": 2}", "unknown member 'sides'", 1, 14},
           {"{\"cells\": 2, \"directed\": 1}", "'1' is neither true nor false", 1, 26},
           {"{\"cells\": 2,\n\"edges\": [[0,1]", "the JSON ends early", 2, 16},
           {"[[1],[0]]", "'[' in JSON", 1, 1},
           {"{} x", "text after the end of the JSON", 1, 4},
           {"{\"neighbours\": [[1],[0]], \"cells\": 2, \"edges\": [], \"start\": [0,1]}", "both neighbours and edges",
            1, 1},
       }) {
    const std::vector<Fault> faults = FaultsOf(wrong.text);
    ASSERT_FALSE(faults.empty()) << wrong.text;
    EXPECT_EQ(faults[0].message, wrong.message) << wrong.text;
    EXPECT_EQ(faults[0].line, wrong.line) << wrong.text;
    EXPECT_EQ(faults[0].column, wrong.column) << wrong.text;
    EXPECT_FALSE(faults[0].expected.empty()) << wrong.text;
  }
}

TEST(GraphTileReader, TellsAllFaultsAtOnce) {
  EXPECT_EQ(FaultsOf("0: 1 7\n1: 0 8\nstart 0 1\n").size(), 2u);
  EXPECT_EQ(FaultsOf("0: 1\n1: 0\nstart 5 6\ngoal 7 1\n").size(), 5u);
}

}  // namespace
}  // namespace graph_tile
