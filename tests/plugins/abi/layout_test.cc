#include "layout.h"

#include <gtest/gtest.h>

#include <iterator>
#include <vector>

extern "C" {
extern const size_t kLayoutInC[];
extern const size_t kLayoutInCCount;
}

namespace {

TEST(AbiLayout, IsTheSameInCAndInCpp) {
  const size_t in_cpp[] = ASTRO_LAYOUT;
  ASSERT_EQ(kLayoutInCCount, std::size(in_cpp));
  for (size_t i = 0; i < kLayoutInCCount; ++i) EXPECT_EQ(kLayoutInC[i], in_cpp[i]) << "entry " << i;
}

// Old plugins hold these numbers: a change breaks them, growth at a tail raises a size here.
TEST(AbiLayout, IsThatOfVersionOne) {
  const std::vector<size_t> version_one = {16, 80,  56,  24,  24,  32,  120, 48, 184, 32, 120, 24, 40, 184, 96,
                                           72, 104, 176, 112, 120, 176, 88,  24, 16,  80, 72,  72, 64, 16,  16,
                                           16, 16,  16,  40,  32,  80,  64,  72, 16,  16, 12,  16, 8,  48,  40};
  const size_t now[] = ASTRO_LAYOUT;
  EXPECT_EQ(std::vector<size_t>(std::begin(now), std::end(now)), version_one);
}

}  // namespace
