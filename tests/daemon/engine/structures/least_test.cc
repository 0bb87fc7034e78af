#include "daemon/engine/structures/least.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>
#include <vector>

namespace astrolabe::engine {
namespace {

bool GoOn() { return true; }

TEST(KeepLeast, LeavesTheSmallestWhateverTheOrderWas) {
  for (const size_t n : {0, 1, 2, 3, 10, 1000}) {
    for (const size_t count : {size_t{0}, size_t{1}, n / 3, n / 2, n, n + 1}) {
      for (int order = 0; order < 3; ++order) {
        std::vector<size_t> items(n);
        std::iota(items.begin(), items.end(), size_t{0});
        if (order == 1) std::reverse(items.begin(), items.end());
        SplitMix64 random(n);
        for (size_t i = n; order == 2 && i > 1; --i) std::swap(items[i - 1], items[random.Next() % i]);
        ASSERT_TRUE(KeepLeast(items, count, GoOn));
        std::sort(items.begin(), items.end());
        std::vector<size_t> expected(std::min(n, count));
        std::iota(expected.begin(), expected.end(), size_t{0});
        EXPECT_EQ(items, expected) << n << " " << count << " " << order;
      }
    }
  }
}

TEST(KeepLeast, IsStoppedInTheMiddle) {
  std::vector<size_t> items(1'000'000);
  std::iota(items.begin(), items.end(), size_t{0});
  int looks = 0;
  EXPECT_FALSE(KeepLeast(items, 500'000, [&] { return ++looks < 3; }));
  EXPECT_EQ(looks, 3);
  std::iota(items.begin(), items.end(), size_t{0});
  looks = 0;
  EXPECT_TRUE(KeepLeast(items, 500'000, [&] { return ++looks > 0; }));
  EXPECT_GT(looks, 15) << "some thousand comparisons lie between two looks, not a million";
  EXPECT_LT(looks, 150) << "linear, also on a sorted list";
}

}  // namespace
}  // namespace astrolabe::engine
