#include "client/cli/board_text.h"

#include <gtest/gtest.h>

namespace astrolabe::cli {
namespace {

TEST(BoardText, ASquareBoardBeginsWithItsSize) {
  EXPECT_EQ(BoardText("0 1 3\n4 2 5\n7 8 6\n"), "3\n0 1 3\n4 2 5\n7 8 6\n");
  EXPECT_EQ(BoardText("0 1 3/4 2 5/7 8 6"), "3\n0 1 3\n4 2 5\n7 8 6\n");
}

TEST(BoardText, AnotherShapeBeginsWithRowsAndColumns) { EXPECT_EQ(BoardText("1 2 3\n4 5 0"), "2 3\n1 2 3\n4 5 0\n"); }

TEST(BoardText, TilesStandInColumns) {
  EXPECT_EQ(BoardText("1 2 3 4\n5 6 7 8\n9 10 11 12\n13 14 15 0"),
            "4\n 1  2  3  4\n 5  6  7  8\n 9 10 11 12\n13 14 15  0\n");
}

TEST(BoardText, OtherStatesAreShownAsTheyAre) {
  EXPECT_EQ(BoardText("at node A"), "at node A\n");
  EXPECT_EQ(BoardText("1 2\n3\n"), "1 2\n3\n");
  EXPECT_EQ(BoardText("0 1 3 4 2"), "0 1 3 4 2\n") << "tiles of cells that are in no rows";
  EXPECT_EQ(BoardText("..Q.\nQ..."), "..Q.\nQ...\n");
  EXPECT_EQ(BoardText(""), "\n");
}

TEST(OneLine, PutsRowsInOneLine) {
  EXPECT_EQ(OneLine("1 2\n3 0\n"), "1 2/3 0");
  EXPECT_EQ(OneLine("at A"), "at A");
}

}  // namespace
}  // namespace astrolabe::cli
