#include "daemon/server/safe_text.h"

#include <gtest/gtest.h>

namespace astrolabe::server {
namespace {

TEST(SafeText, KeepsShortTextAndCutsLongTextAtACharacter) {
  EXPECT_EQ(SafeText("short", 5), "short");
  EXPECT_EQ(SafeText("longer", 5), "lo...");
  EXPECT_EQ(SafeText("a\xc3\xa4\xc3\xa4\xc3\xa4", 6), "a\xc3\xa4...");
  EXPECT_EQ(SafeText("\xc3\xa4\xc3\xa4\xc3\xa4\xc3\xa4", 6), "\xc3\xa4...");
}

TEST(WithoutPaths, LeavesOnlyTheLastComponent) {
  EXPECT_EQ(WithoutPaths("cannot open /home/me/plugins/x.so: denied", ""), "cannot open x.so: denied");
  EXPECT_EQ(WithoutPaths("(/a/b/c.so)", ""), "(c.so)");
  EXPECT_EQ(WithoutPaths("see /a/b/c.", ""), "see c.");
  EXPECT_EQ(WithoutPaths("/a/b: /c/d", ""), "b: d");
}

TEST(WithoutPaths, LeavesWhatIsNoPathAlone) {
  EXPECT_EQ(WithoutPaths("60 nodes/s, and/or, 1/2, /x, https://example.org/a", ""),
            "60 nodes/s, and/or, 1/2, /x, https://example.org/a");
  EXPECT_EQ(WithoutPaths("", ""), "");
}

TEST(WithoutPaths, ReplacesAKnownPathWhateverCharactersItHas) {
  EXPECT_EQ(WithoutPaths("in /my dir (1)/p l.so and /my dir (1)/p l.so", "/my dir (1)/p l.so"), "in p l.so and p l.so");
}

}  // namespace
}  // namespace astrolabe::server
