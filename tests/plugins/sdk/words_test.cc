#include "astrolabe/sdk/words.h"

#include <gtest/gtest.h>

#include <string>

namespace {

// "line:column text" of each word, with blanks between.
std::string Words(std::string_view text, const astro::WordSyntax& syntax = {}) {
  astro::WordReader reader(text, syntax);
  std::string all;
  astro::Word word;
  while (reader.Next(word)) {
    all += (all.empty() ? "" : " ") + std::to_string(word.line) + ":" + std::to_string(word.column) + " ";
    all += word.text;
  }
  return all;
}

TEST(WordReader, SaysWhereEachWordStood) {
  EXPECT_EQ(Words("a  bc\n\n\td"), "1:1 a 1:4 bc 3:2 d");
  EXPECT_EQ(Words(""), "");
  EXPECT_EQ(Words(" \n# nothing"), "");
}

TEST(WordReader, EndsLinesInThreeWays) {
  EXPECT_EQ(Words("a\nb\r\nc\rd\r\re"), "1:1 a 2:1 b 3:1 c 4:1 d 6:1 e");
  EXPECT_EQ(Words("# one\ra # two\r\nb#three\nc"), "2:1 a 3:1 b 4:1 c");
}

TEST(WordReader, LeavesOutAByteOrderMark) {
  EXPECT_EQ(Words("\xEF\xBB\xBF"
                  "a"),
            "1:1 a");
}

TEST(WordReader, CutsAsItsSyntaxSays) {
  EXPECT_EQ(Words("0:1,2;\t3"), "1:1 0:1,2; 1:8 3");
  EXPECT_EQ(Words("0:1,2;\t3::", {.separators = " \t,;", .alone = ":"}), "1:1 0 1:2 : 1:3 1 1:5 2 1:8 3 1:9 : 1:10 :");
}

TEST(WordReader, ChangesNothingAtTheEnd) {
  astro::WordReader reader("a");
  astro::Word word;
  EXPECT_TRUE(reader.Next(word));
  EXPECT_FALSE(reader.Next(word));
  EXPECT_EQ(word.text, "a");
}

TEST(Quoted, ShowsNothingButPrintableAscii) {
  EXPECT_EQ(astro::Quoted("a'b \x01\xFF"), "'a'b \\x01\\xFF'");
  EXPECT_EQ(astro::Quoted("abcdef", 6), "'abcdef'");
  EXPECT_EQ(astro::Quoted("abcdefg", 6), "'abcdef...'");
  EXPECT_EQ(astro::Printable(std::string(50, 'x')), std::string(40, 'x') + "...");
}

TEST(Lower, ChangesAsciiLettersAlone) { EXPECT_EQ(astro::Lower("Goal-9 \xC4"), "goal-9 \xC4"); }

}  // namespace
