#include "daemon/workers/printed_lines.h"

#include <gtest/gtest.h>

namespace astrolabe::workers {
namespace {

using Lines = std::vector<std::string>;
using std::chrono::seconds;

const PrintedLines::Clock::time_point kStart = PrintedLines::Clock::time_point{} + std::chrono::hours(1);

TEST(PrintedLines, JoinsPiecesAndSplitsAtNewlines) {
  PrintedLines lines;
  EXPECT_EQ(lines.Add("one\ntw", kStart), (Lines{"one"}));
  EXPECT_EQ(lines.Add("o\r\nthree", kStart), (Lines{"two"}));
  EXPECT_EQ(lines.Flush(kStart), (Lines{"three"}));
  EXPECT_EQ(lines.Flush(kStart), Lines{});
}

TEST(PrintedLines, CutsALongLineAndSkipsItsRest) {
  PrintedLines lines;
  const Lines first = lines.Add(std::string(10000, 'x'), kStart);
  ASSERT_EQ(first.size(), 1u);
  EXPECT_EQ(first[0], std::string(PrintedLines::kMaxLineBytes - 1, 'x') + " [cut]");
  EXPECT_EQ(lines.Add(std::string(10000, 'x') + "\nnext\n", kStart), (Lines{"next"}));
}

TEST(PrintedLines, HoldsBackAFloodAndSaysHowMuch) {
  PrintedLines lines;
  std::string flood;
  for (int i = 0; i < 1000; ++i) flood += "line\n";
  EXPECT_EQ(lines.Add(flood, kStart).size(), static_cast<size_t>(PrintedLines::kBurst));
  EXPECT_EQ(lines.Add("later\n", kStart + seconds(1)), (Lines{"[800 lines left out: too many at once]", "later"}));
}

TEST(PrintedLines, TellsOfHeldBackLinesAtTheEnd) {
  PrintedLines lines;
  std::string flood;
  for (int i = 0; i < PrintedLines::kBurst + 3; ++i) flood += "line\n";
  lines.Add(flood, kStart);
  EXPECT_EQ(lines.Flush(kStart), (Lines{"[3 lines left out: too many at once]"}));
}

TEST(CleanText, KeepsUtf8AndReplacesTheRest) {
  EXPECT_EQ(CleanText("für\t日本 😀"), "für\t日本 😀");
  EXPECT_EQ(CleanText("a\xff\xc3z"), "a??z");
  EXPECT_EQ(CleanText(std::string("\0\x1b[31m\x7f", 7)), "??[31m?");
  EXPECT_EQ(CleanText("\xed\xa0\x80"), "???");  // a surrogate
  EXPECT_EQ(CleanText("\xc0\x80"), "??");       // overlong
}

}  // namespace
}  // namespace astrolabe::workers
