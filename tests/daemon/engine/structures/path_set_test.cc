#include "daemon/engine/structures/path_set.h"

#include <gtest/gtest.h>

namespace astrolabe::engine {
namespace {

TEST(PathSet, FindsWhatIsOnThePathAndNothingElse) {
  MemoryAccount memory;
  PathSet set(memory);
  // Few hashes: long chains, and growth in the middle of them.
  const auto hash = [](uint64_t depth) { return depth * 64 % 448; };
  const auto contains = [&](uint64_t depth) {
    return set.Contains(hash(depth), [depth](uint64_t found) { return found == depth; });
  };
  for (int round = 0; round < 3; ++round) {
    for (uint64_t depth = 0; depth < 500; ++depth) {
      EXPECT_FALSE(contains(depth));
      set.Push(hash(depth), depth);
      EXPECT_TRUE(contains(depth));
      EXPECT_TRUE(contains(depth / 2));
    }
    for (uint64_t depth = 500; depth-- > static_cast<uint64_t>(round);) {
      set.Pop(hash(depth), depth);
      EXPECT_FALSE(contains(depth));
      EXPECT_EQ(contains(depth - 1), depth > 0);
    }
    set.Clear();
    EXPECT_FALSE(contains(0));
  }
}

}  // namespace
}  // namespace astrolabe::engine
