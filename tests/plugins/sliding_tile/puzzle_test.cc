#include "plugins/sliding_tile/puzzle.h"

#include <gtest/gtest.h>

#include <numeric>

#include "astrolabe/sdk/testing/under_test.h"

namespace sliding_tile {
namespace {

using astro::testing::Fault;
using astro::testing::Faults;

std::optional<Puzzle> Read(std::string_view text, std::optional<std::string_view> goal, Faults& faults) {
  astro::Diagnostics diagnostics(faults.get());
  return ReadPuzzle(text, goal, diagnostics);
}

// "RxC start -> goal", or the faults.
std::string Summary(std::string_view text, std::optional<std::string_view> goal = std::nullopt) {
  Faults faults;
  const std::optional<Puzzle> puzzle = Read(text, goal, faults);
  if (!puzzle) return faults.Text();
  EXPECT_EQ(faults.Text(), "");
  std::string out = std::to_string(puzzle->shape.rows) + "x" + std::to_string(puzzle->shape.cols);
  for (const uint16_t tile : puzzle->start) out += " " + std::to_string(tile);
  out += " ->";
  for (const uint16_t tile : puzzle->goal) out += " " + std::to_string(tile);
  return out;
}

constexpr char kEight[] = "3x3 1 2 3 4 0 6 7 5 8 -> 1 2 3 4 5 6 7 8 0";
constexpr char kEightFirst[] = "3x3 1 2 3 4 0 6 7 5 8 -> 0 1 2 3 4 5 6 7 8";

class Spelling : public ::testing::TestWithParam<const char*> {};

TEST_P(Spelling, OfOneBoardReadsAsThatBoard) { EXPECT_EQ(Summary(GetParam()), kEight); }

INSTANTIATE_TEST_SUITE_P(
    All, Spelling,
    ::testing::Values("3\n1 2 3\n4 0 6\n7 5 8\n",          // header N
                      "3 3\n1 2 3\n4 0 6\n7 5 8\n",        // header R C
                      "1 2 3\n4 0 6\n7 5 8\n",             // no header
                      "3\n1 2 3 4 0 6 7 5 8\n",            // body in one line
                      "3 3\n1 2 3 4 0 6 7 5 8\n",          //
                      "3 1 2 3 4 0 6 7 5 8\n",             // all in one line
                      "3 3 1 2 3 4 0 6 7 5 8\n",           //
                      "1 2 3 4 0 6 7 5 8",                 // all in one line, square
                      "3\r\n1 2 3\r\n4 0 6\r\n7 5 8\r\n",  // CRLF
                      "3\r1 2 3\r4 0 6\r7 5 8\r",          // CR alone
                      "\xEF\xBB\xBF"
                      "3\n1 2 3\n4 0 6\n7 5 8",          // byte order mark
                      "3\n1\t2\t3\n4\t0\t6\n7\t5\t8\n",  // tabs
                      "3\n1,2,3\n4, 0, 6,\n7 ,5 ,8\n",   // commas
                      "3\n1 2 3\n4 0 6\n7 5 8",          // no last newline
                      "  3  \n\n 1   2  3 \n4 0 6   \n\n7 5 8 \n\n\n",
                      "# a board\n3 # three\n1 2 3\n# middle\n4 0 6 # blank\n7 5 8\n#end",
                      "3\n1 2 3\n4 _ 6\n7 5 8\n",         // blanks
                      "3\n1 2 3\n4 . 6\n7 5 8\n",         //
                      "1 2 3/4 0 6/7 5 8",                // rows between / or ;
                      "1 2 3;4 0 6; 7 5 8;\n",            //
                      "03\n01 02 03\n04 00 06\n7 5 8\n",  // leading zeros
                      "[[1,2,3],[4,0,6],[7,5,8]]",        // JSON
                      " [ [1, 2, 3],\n  [4, \"_\", 6],\r\n  [7, 5, 8] ]\n", "[[1,2,3],[4,\".\",6],[7,5,8]]",
                      "\xEF\xBB\xBF{\"start\": [[1,2,3],[4,0,6],[7,5,8]]}",
                      "{\"start\": [[1,2,3],[4,0,6],[7,5,8]], \"goal\": [[1,2,3],[4,5,6],[7,8,0]]}",
                      "{\"goal\": \"blank-last\", \"start\": [[1,2,3],[4,0,6],[7,5,8]]}",
                      "3\n1 2 3\n4 0 6\n7 5 8\ngoal\n1 2 3\n4 5 6\n7 8 0\n", "1 2 3\n4 0 6\n7 5 8\ngoal blank-last\n",
                      "1 2 3/4 0 6/7 5 8/Goal: blank-last", "1 2 3\n4 0 6\n7 5 8\ngoal\nblank-last\n",
                      "3\n1 2 3\n4 0 6\n7 5 8\nGOAL\n3\n1 2 3 4 5 6 7 8 _"));

class GoalSpelling : public ::testing::TestWithParam<const char*> {};

TEST_P(GoalSpelling, OfOneGoalReadsAsThatGoal) { EXPECT_EQ(Summary("1 2 3\n4 0 6\n7 5 8\n", GetParam()), kEightFirst); }

INSTANTIATE_TEST_SUITE_P(All, GoalSpelling,
                         ::testing::Values("blank-first", " blank-first\n", "0 1 2/3 4 5/6 7 8", "_ 1 2;3 4 5;6 7 8",
                                           "0 1 2 3 4 5 6 7 8", "3\n0 1 2\n3 4 5\n6 7 8\n",
                                           "3 3\r\n0 1 2\r\n3 4 5\r\n6 7 8", "3 0 1 2 3 4 5 6 7 8",
                                           "[[0,1,2],[3,4,5],[6,7,8]]",
                                           "\xEF\xBB\xBF"
                                           "0,1,2/3,4,5/6,7,8/"));

TEST(Puzzle, HasTheShapeThatItsRowsGive) {
  EXPECT_EQ(Summary("1 2 3 4\n5 6 7 0\n"), "2x4 1 2 3 4 5 6 7 0 -> 1 2 3 4 5 6 7 0");
  EXPECT_EQ(Summary("2 4\n4 0 1 2\n3 7 5 6\n"), "2x4 4 0 1 2 3 7 5 6 -> 1 2 3 4 5 6 7 0");
  EXPECT_EQ(Summary("2\n3 1\n0 2\n"), "2x2 3 1 0 2 -> 1 2 3 0");
  EXPECT_EQ(Summary("3 1\n0 2\n"), "2x2 3 1 0 2 -> 1 2 3 0");
}

// The first row of a board of two columns could be a header: the reading that gives a right board wins.
TEST(Puzzle, OfTwoColumnsIsToldFromAHeader) {
  EXPECT_EQ(Summary("3 2\n1 4\n5 0\n"), "3x2 3 2 1 4 5 0 -> 1 2 3 4 5 0");
  EXPECT_EQ(Summary("3 2\n1 2\n3 4\n5 0\n"), "3x2 1 2 3 4 5 0 -> 1 2 3 4 5 0");
  EXPECT_EQ(Summary("3 2\n0 1\n4 5\n6 7\n"), "4x2 3 2 0 1 4 5 6 7 -> 1 2 3 4 5 6 7 0");
  EXPECT_EQ(Summary("2 7 0 1 3 4 5 6 8 9 10 11 12 13 14 15"),
            "4x4 2 7 0 1 3 4 5 6 8 9 10 11 12 13 14 15 -> 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 0");
  EXPECT_EQ(Summary("2 7 0 1 2 3 4 5 6 7 8 9 10 11 12 13"),
            "2x7 0 1 2 3 4 5 6 7 8 9 10 11 12 13 -> 1 2 3 4 5 6 7 8 9 10 11 12 13 0");
}

TEST(Puzzle, MayBeUpTo127By127) {
  for (const int side : {2, 127}) {
    std::string text = std::to_string(side) + "\n";
    for (int tile = 0; tile < side * side; ++tile)
      text += std::to_string(tile) + (tile % side == side - 1 ? "\n" : " ");
    Faults faults;
    const std::optional<Puzzle> puzzle = Read(text, "blank-first", faults);
    ASSERT_TRUE(puzzle) << faults.Text();
    EXPECT_EQ(puzzle->shape, (Shape{side, side}));
    EXPECT_EQ(puzzle->start, puzzle->goal);
  }
}

struct BadText {
  const char* text;
  const char* faults;  // all of them, in order: line:column message
};
class Bad : public ::testing::TestWithParam<BadText> {};

TEST_P(Bad, TextIsRefusedWithEveryFaultInItsPlace) { EXPECT_EQ(Summary(GetParam().text), GetParam().faults); }

INSTANTIATE_TEST_SUITE_P(
    All, Bad,
    ::testing::Values(
        BadText{"3\n1 2 3\n4 4 6\n7 8 0\n", "3:3 4 twice\n2:1 missing tile: 5\n"},
        BadText{"3\n1 2 3\n4 5 6\n7 8 9\n", "4:5 9 out of range\n2:1 no blank in the board\n"},
        BadText{"3\n1 2 3\n4 5 6\n7 8\n",
                "4:3 8 numbers, expected 9\n4:3 row lengths differ: this row has 2 numbers\n"},
        BadText{"3\n1 2 three\n4 5 6\n7 8 0\n", "2:5 'three' is not a number\n"},
        BadText{"3\n1 2 3 4\n5 6\n7 8 0\n",
                "2:7 row lengths differ: this row has 4 numbers\n3:3 row lengths differ: this row has 2 numbers\n"},
        BadText{"", "1:1 empty file: there is no board\n"},
        BadText{"\n# nothing\n \n", "1:1 empty file: there is no board\n"},
        BadText{"1\n0\n", "1:1 a board of 1 x 1 is outside the size limit 2..127\n"},
        BadText{"0", "1:1 a board of 0 x 0 is outside the size limit 2..127\n"},
        BadText{"128\n0 1\n", "1:1 a board of 128 x 128 is outside the size limit 2..127\n"},
        BadText{"2 128\n0 1 2\n", "1:1 a board of 2 x 128 is outside the size limit 2..127\n"},
        BadText{"99999999999999999999\n1", "1:1 a board of huge x huge is outside the size limit 2..127\n"},
        BadText{"1 2 3 0 4", "1:1 a board of 1 x 5 is outside the size limit 2..127\n"},
        BadText{"3\n0 1 2\n0 3 4\n5 6 7\n", "3:1 0 twice: two blanks\n2:1 missing tile: 8\n"},
        BadText{"1 2 3\n4 -5 6\n7 8 0\n", "2:3 -5 out of range\n1:1 missing tile: 5\n"},
        BadText{"1 2 3\n4 99999999999 6\n7 8 0\n", "2:3 99999999999 out of range\n1:1 missing tile: 5\n"},
        BadText{"1 2 3\n4 5.5 6\n7 8 +0\n", "2:3 '5.5' is not a number\n3:5 '+0' is not a number\n"},
        BadText{"1 x 3\n4 \xFF\xFE 6\n7 9 7\n",
                "1:3 'x' is not a number\n2:3 '\\xFF\\xFE' is not a number\n3:3 9 out of range\n3:5 7 twice\n"},
        BadText{"3\n1 2 3\n4 5 6\n", "3:5 6 numbers, expected 9\n3:5 2 rows, expected 3\n"},
        BadText{"3\n", "1:1 0 numbers, expected 9\n"},
        // A first line that is no size of the board below it: one fault, not those that would follow.
        BadText{"2 2 2\n1 2\n3 0\n", "1:1 '2 2 2' is neither a size nor a row of the board below, which is 2 x 2\n"},
        BadText{"3x3\n1 2 3\n4 5 6\n7 8 0\n",
                "1:1 '3x3' is neither a size nor a row of the board below, which is 3 x 3\n"},
        BadText{"3 x 3\n1 2 3\n4 5 6\n7 8 0\n",
                "1:1 '3 x 3' is neither a size nor a row of the board below, which is 3 x 3\n"},
        BadText{"4\n1 2 3\n4 5 6\n7 8 0\n", "1:1 the size is '4', but the board below is 3 x 3\n"},
        BadText{"3 4\n1 2 3\n4 5 6\n7 8 0\n", "1:1 the size is '3 4', but the board below is 3 x 3\n"},
        BadText{"4 3\n1 2 3 4\n5 6 7 8\n9 10 11 0\n", "1:1 the size is '4 3', but the board below is 3 x 4\n"},
        // A row of the board's length is a row, whatever is wrong with it.
        BadText{"size 3\n1 2 3\n4 5 6\n7 8 0\n",
                "1:1 'size 3' is neither a size nor a row of the board below, which is 3 x 3\n"},
        BadText{"2 2 2\n1 2 3 0\n", "1:1 '2 2 2' is neither a size nor a row of the board below, which is 2 x 2\n"},
        BadText{"2 2 2\n1 2\n3 3\n",
                "1:1 '2 2 2' is neither a size nor a row of the board below, which is 2 x 2\n3:3 3 twice\n"
                "2:1 no blank in the board\n"},
        BadText{"2 2 2 1 2 3 0", "1:1 '2 2 2' is not the size of the board behind it, which is 2 x 2\n"},
        BadText{"3x3 1 2 3 4 5 6 7 8 0", "1:1 '3x3' is not the size of the board behind it, which is 3 x 3\n"},
        BadText{"4\n1 2 3 4 5 6 7 8 0", "1:1 the size is '4', but the board below is 3 x 3\n"},
        // A first row that lacks a number is no size.
        BadText{"1 2\n4 5 6\n7 8 0\n", "3:5 8 numbers, expected 9\n1:3 row lengths differ: this row has 2 numbers\n"},
        BadText{"1\n4 5 6\n7 8 0\n", "3:5 7 numbers, expected 9\n1:1 row lengths differ: this row has 1 number\n"},
        BadText{"9 10 10\n1 2 3\n4 5 6\n7 8 0\n", "1:6 10 twice\n1:1 missing tile: 11\n"},
        BadText{"3\n1 2 3\n4 5 6\n7 8 0\n1 2 3\n",
                "5:5 12 numbers, expected 9\n5:5 4 rows, expected 3\n5:1 1 twice\n5:3 2 twice\n5:5 3 twice\n"},
        BadText{"1 2 3\n4 5 6\n7 8 0\ngoal\n", "4:1 there is no board after 'goal'\n"},
        BadText{"goal\n1 2 3\n4 5 6\n7 8 0\n", "1:1 empty file: there is no board\n"},
        BadText{"1 2\n3 0\ngoal\n1 2\n4 0\n", "5:1 4 not in start\n4:1 missing tile: 3\n"},
        BadText{"1 2\n3 0\ngoal\n1 2 3\n4 5 0\n", "4:1 the goal is 2 x 3, the start is 2 x 2\n"},
        BadText{"1 2\n3 0\ngoal\n1 2\n3 0\ngoal\n1 2\n3 0\n", "6:1 a second line 'goal'\n"},
        BadText{"1 2\n3 3\ngoal\n1 2\n5 5\n",
                "2:3 3 twice\n1:1 no blank in the board\n5:1 5 not in start\n"
                "5:3 5 not in start\n4:1 no blank in the goal\n4:1 missing tile: 3\n"},
        BadText{"1 2\n3 0\ngoal blank-last\n1 2\n", "4:1 a line after the goal's name\n"},
        BadText{"1 2\n3 0\ngoal\n1 2\ngoal blank-last\n", "5:1 a second line 'goal'\n"},
        BadText{"1 2\n3 0\ngoal blank-last\ngoal\n", "4:1 a line after the goal's name\n"},
        BadText{"goal 1 2\n3 0\n", "1:1 'goal' is not a number\n"},
        BadText{"1 2\n3 0\ngoal: 1 2\n3 0\n", "3:1 'goal:' is not a number\n"},
        BadText{"[[1,2,3],[4,0,6],[7,5,8]", "1:25 the JSON ends early\n"},
        BadText{"[[1,2,3],[4,0,6],[7,5,8]] x", "1:27 text after the end of the JSON\n"},
        BadText{"[1,2,3,0]", "1:2 '1' in JSON\n"}, BadText{"[]", "1:1 empty file: there is no board\n"},
        BadText{"[[],[1]]", "1:2 an empty row\n"}, BadText{"{}", "1:3 no \"start\"\n"},
        BadText{"{\"start\": [[1,2],[3,0]], \"end\": 1}", "1:26 unknown member 'end'\n"},
        BadText{"{\"start\": [[1,2],[3,0]], \"goal\": \"spiral\"}", "1:34 'spiral' is not a goal\n"},
        BadText{"[[1,2],\n[3,true]]", "2:4 'true' is not a number\n"},
        BadText{"[[1,2],[3,null]]", "1:11 'null' is not a number\n"},
        BadText{"[[1,2],[3,[0]]]", "1:11 '[' in JSON\n"}));

class BadGoal : public ::testing::TestWithParam<BadText> {};

TEST_P(BadGoal, ParameterIsRefusedWithItsFaults) {
  EXPECT_EQ(Summary("1 2\n3 0\n", GetParam().text), GetParam().faults);
}

INSTANTIATE_TEST_SUITE_P(
    All, BadGoal,
    ::testing::Values(BadText{"", "1:1 an empty goal\n"}, BadText{"spiral", "1:1 'spiral' is not a goal\n"},
                      BadText{"1 2/4 0", "1:5 4 not in start\n1:1 missing tile: 3\n"},
                      BadText{"2\n1 2\n4 0\n", "3:1 4 not in start\n2:1 missing tile: 3\n"},
                      BadText{"1 2 3/4 5 0", "1:1 the goal is 2 x 3, the start is 2 x 2\n"},
                      BadText{"1 2/3", "1:5 3 numbers, expected 4\n1:5 row lengths differ: this row has 1 number\n"},
                      BadText{"1 2/3 0/goal/1 2/3 0", "1:1 a goal section inside the goal\n"}));

TEST(PuzzleGoal, MayBeGivenTwiceWhenEqual) {
  const std::string text = "1 2\n3 0\ngoal\n0 1\n2 3\n";
  EXPECT_EQ(Summary(text), "2x2 1 2 3 0 -> 0 1 2 3");
  EXPECT_EQ(Summary(text, "blank-first"), "2x2 1 2 3 0 -> 0 1 2 3");
  Faults faults;
  EXPECT_FALSE(Read(text, "blank-last", faults));
  ASSERT_EQ(faults.list.size(), 1u);
  EXPECT_EQ(faults.list[0].field, "params.goal");
  EXPECT_NE(faults.list[0].hint, "");
}

TEST(PuzzleGoal, FaultsComeTogetherWithThoseOfTheStart) {
  Faults faults;
  EXPECT_FALSE(Read("1 2\n3 3\n", "spiral", faults));
  EXPECT_EQ(faults.Text(), "2:3 3 twice\n1:1 no blank in the board\n1:1 'spiral' is not a goal\n");
  ASSERT_EQ(faults.list.size(), 3u);
  EXPECT_EQ(faults.list[0].field, "instance");
  EXPECT_EQ(faults.list[2].field, "params.goal");
}

TEST(PuzzleFaults, SayWhatWasExpected) {
  Faults faults;
  Read("3\n1 2 3\n4 4 6\n7 8 0\n", std::nullopt, faults);
  EXPECT_EQ(faults.list[0].expected, "0..8, each once");
  EXPECT_EQ(faults.list[0].hint, "first in line 3, column 1");
  for (const Fault& fault : faults.list) EXPECT_NE(fault.expected, "");
}

TEST(PuzzleFaults, OfADamagedFileAreNotEndless) {
  std::string text;
  for (int i = 0; i < 100000; ++i) text += "x y z\n";
  EXPECT_EQ(Summary(text),
            "1:1 'x' is not a number\n1:3 'y' is not a number\n1:5 'z' is not a number\n2:1 'x' is not a number\n"
            "2:3 'y' is not a number\n1:1 a board of 100000 x 3 is outside the size limit 2..127\n"
            "2:5 words that are no numbers: and 299995 more\n");
}

TEST(PuzzleFaults, OfOneKindAreToldAFewTimesThenCounted) {
  EXPECT_EQ(Summary("90 0\n91 1\n92 2\n93 3\n94 4\n95 5\n96 6\n97 7\n"),
            "1:1 90 out of range\n2:1 91 out of range\n3:1 92 out of range\n4:1 93 out of range\n5:1 94 out of range\n"
            "1:1 missing tiles: 8, 9, 10, 11, 12, 13, 14, 15\n6:1 numbers out of range: and 3 more\n");
}

struct ForeignText {
  const char* text;
  const char* fault;    // line:column message
  const char* problem;  // that its hint names
};
class Foreign : public ::testing::TestWithParam<ForeignText> {};

TEST_P(Foreign, TextOfAnotherProblemIsOneFaultThatNamesTheProblem) {
  Faults faults;
  EXPECT_FALSE(Read(GetParam().text, std::nullopt, faults));
  EXPECT_EQ(faults.Text(), GetParam().fault);
  ASSERT_EQ(faults.list.size(), 1u);
  EXPECT_NE(faults.list[0].expected, "");
  EXPECT_NE(faults.list[0].hint.find(std::string("--problem ") + GetParam().problem), std::string::npos)
      << faults.list[0].hint;
}

INSTANTIATE_TEST_SUITE_P(
    All, Foreign,
    ::testing::Values(
        ForeignText{"# roads\nundirected\nnode home h 6\nedge home bridge 3\nstart home\ngoal bridge\n",
                    "2:1 'undirected' begins no row of a board\n", "explicit_graph"},
        ForeignText{"edge 1 2 3\nedge 2 3\nstart 1\ngoal 3\n", "1:1 'edge' begins no row of a board\n",
                    "explicit_graph"},
        ForeignText{"start A\ngoal B\nA B 3\n", "1:1 'start' begins no row of a board\n", "explicit_graph"},
        ForeignText{"a b\na c 4\nb c\n", "1:1 'a' begins no row of a board\n", "explicit_graph"},
        ForeignText{"0:1 3, 1:0 2 4, 2:1 5\nstart 0 1 2\n", "1:1 '0:1' begins no row of a board\n", "graph_tile"},
        ForeignText{"directed\n0: 1\n1: 0\nstart 1 0\n", "2:1 '0:' begins no row of a board\n", "graph_tile"},
        ForeignText{"0 : 1\n1 : 0\n", "1:3 ':' begins no row of a board\n", "graph_tile"},
        ForeignText{"{\"neighbours\": [[1],[0]], \"start\": [0,1]}", "1:2 unknown member 'neighbours'\n", "graph_tile"},
        ForeignText{"{\"start\": [[1,2],[3,0]], \"edges\": []}", "1:26 unknown member 'edges'\n", "graph_tile"}));

TEST(PuzzleFaults, OfABoardWithAWordInItAreNotTakenForAGraph) {
  for (const char* text : {"1 2\nx 0\n", "start\n1 2\n3 0\n", "node\n", "goal 1 2\n3 0\n", "1 2 a/b c 3/4 5 0"}) {
    Faults faults;
    EXPECT_FALSE(Read(text, std::nullopt, faults)) << text;
    for (const Fault& fault : faults.list) EXPECT_EQ(fault.hint.find("--problem"), std::string::npos) << text;
  }
}

TEST(ReadBoard, WantsTheShapeOfThePuzzle) {
  Faults faults;
  astro::Diagnostics diagnostics(faults.get());
  EXPECT_EQ(ReadBoard("1 2 3 4/5 6 7 0", Shape{2, 4}, diagnostics), (Tiles{1, 2, 3, 4, 5, 6, 7, 0}));
  EXPECT_EQ(ReadBoard("  1 2 3 4\n  5 6 7 0", Shape{2, 4}, diagnostics), (Tiles{1, 2, 3, 4, 5, 6, 7, 0}));
  EXPECT_EQ(ReadBoard("1 2 3 4 5 6 7 0", Shape{4, 2}, diagnostics), (Tiles{1, 2, 3, 4, 5, 6, 7, 0}));
  EXPECT_EQ(faults.list.size(), 0u);
  EXPECT_FALSE(ReadBoard("1 2/3 4/5 6/7 0", Shape{2, 4}, diagnostics));
  EXPECT_EQ(faults.list.size(), 1u);
}

}  // namespace
}  // namespace sliding_tile
