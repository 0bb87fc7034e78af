#include "client/src/utf8.h"

#include <gtest/gtest.h>

#include <string>

namespace astrolabe::client {
namespace {

TEST(Utf8, TakesWellFormedText) {
  for (const char* text : {"", "plain", "\xc3\xa4", "\xe2\x82\xac", "\xf0\x9f\x98\x80", "\xf4\x8f\xbf\xbf",
                           "0123456789 \xc3\xa4 0123456789"}) {
    EXPECT_TRUE(IsUtf8(text)) << text;
  }
  EXPECT_TRUE(IsUtf8(std::string(1, '\0')));
}

TEST(Utf8, RefusesEverythingElse) {
  for (const char* text : {"\x80", "\xc3", "\xc0\x80", "\xc1\xbf", "\xe0\x80\x80", "\xed\xa0\x80", "\xf0\x80\x80\x80",
                           "\xf4\x90\x80\x80", "\xf5\x80\x80\x80", "\xff", "01234567\xff", "\xe2\x82"}) {
    EXPECT_FALSE(IsUtf8(text)) << text;
  }
}

}  // namespace
}  // namespace astrolabe::client
