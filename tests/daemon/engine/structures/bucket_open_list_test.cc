#include "daemon/engine/structures/bucket_open_list.h"

#include <gtest/gtest.h>

#include <map>
#include <random>
#include <vector>

namespace astrolabe::engine {
namespace {

// Against a map of stacks.
void Compare(uint64_t most_f, uint64_t most_tie, int pushes_in_ten) {
  MemoryAccount memory;
  BucketOpenList<uint32_t> list(memory);
  std::map<std::pair<Cost, Cost>, std::vector<uint32_t>> expected;
  std::mt19937_64 random(5);
  size_t size = 0;
  for (uint32_t i = 0; i < 60000; ++i) {
    if (static_cast<int>(random() % 10) < pushes_in_ten) {
      const auto f = static_cast<Cost>(random() % most_f);
      const auto tie = static_cast<Cost>(random() % most_tie) - 50;
      list.Push(f, tie, i);
      expected[{f, tie}].push_back(i);
      ++size;
    } else if (!expected.empty()) {
      const auto best = expected.begin();
      ASSERT_EQ(list.best_f(), best->first.first);
      ASSERT_EQ(list.best_tie(), best->first.second);
      uint32_t out[16];
      const auto most = static_cast<uint32_t>(random() % 16 + 1);
      const uint32_t n = list.Pop(out, most);
      ASSERT_EQ(n, std::min<size_t>(most, best->second.size()));
      for (uint32_t k = 0; k < n; ++k) {
        ASSERT_EQ(out[k], best->second.back());
        best->second.pop_back();
      }
      size -= n;
      if (best->second.empty()) expected.erase(best);
    }
    ASSERT_EQ(list.empty(), expected.empty());
    ASSERT_EQ(list.size(), size);
  }
}

TEST(BucketOpenList, PopsTheBestBucketNewestFirst) {
  Compare(40, 30, 8);
  Compare(5, 3, 9);
  Compare(40, 30, 3);
}

TEST(BucketOpenList, PopsTheBestBucketWhenKeysHardlyRepeat) { Compare(uint64_t{1} << 50, 1u << 20, 7); }

TEST(BucketOpenList, KeepsManyEntriesInAFewBytesEach) {
  MemoryAccount memory;
  BucketOpenList<uint32_t> list(memory);
  for (uint32_t i = 0; i < 1000000; ++i) list.Push(50, -static_cast<Cost>(i % 20), i);
  EXPECT_LT(memory.used_bytes(), 1000000 * 5);
}

}  // namespace
}  // namespace astrolabe::engine
