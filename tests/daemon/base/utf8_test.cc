#include "daemon/base/utf8.h"

#include <gtest/gtest.h>

namespace astrolabe {
namespace {

TEST(Utf8, WellFormedTextIsLeftAlone) {
  for (const char* text :
       {"", "plain", "\xC3\xA4", "\xE2\x82\xAC", "\xF0\x9F\x98\x80", "\xED\x9F\xBF", "\xF4\x8F\xBF\xBF"}) {
    EXPECT_TRUE(IsValidUtf8(text)) << text;
    EXPECT_EQ(ToValidUtf8(text), text);
  }
}

TEST(Utf8, EveryKindOfIllFormedByteIsReplaced) {
  const char* const kReplacement = "\xEF\xBF\xBD";
  EXPECT_EQ(ToValidUtf8("a\xFFz"), std::string("a") + kReplacement + "z");
  EXPECT_EQ(ToValidUtf8("\x80"), kReplacement);   // stray continuation
  EXPECT_EQ(ToValidUtf8("\xC3"), kReplacement);   // cut short
  EXPECT_FALSE(IsValidUtf8("\xC0\xAF"));          // overlong
  EXPECT_FALSE(IsValidUtf8("\xE0\x80\xAF"));      // overlong
  EXPECT_FALSE(IsValidUtf8("\xED\xA0\x80"));      // surrogate
  EXPECT_FALSE(IsValidUtf8("\xF4\x90\x80\x80"));  // above U+10FFFF
  EXPECT_FALSE(IsValidUtf8("\xF5\x80\x80\x80"));
  EXPECT_TRUE(IsValidUtf8(ToValidUtf8("\xE2\x82 and \xED\xA0\x80 and \xF0\x9F\x98")));
}

TEST(Utf8, AZeroByteIsACharacterLikeAnyOther) {
  const std::string text("a\0b", 3);
  EXPECT_TRUE(IsValidUtf8(text));
  EXPECT_EQ(ToValidUtf8(text), text);
}

TEST(Utf8, APrefixNeverCutsASequence) {
  const std::string text = "ab\xE2\x82\xAC";
  EXPECT_EQ(Utf8Prefix(text, 9), text);
  EXPECT_EQ(Utf8Prefix(text, 5), text);
  EXPECT_EQ(Utf8Prefix(text, 4), "ab");
  EXPECT_EQ(Utf8Prefix(text, 3), "ab");
  EXPECT_EQ(Utf8Prefix(text, 2), "ab");
  EXPECT_EQ(Utf8Prefix(text, 0), "");
}

}  // namespace
}  // namespace astrolabe
