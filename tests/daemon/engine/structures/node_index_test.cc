#include "daemon/engine/structures/node_index.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <vector>

#include "daemon/engine/structures/memory_account.h"
#include "daemon/engine/structures/random.h"

namespace astrolabe::engine {
namespace {

// A search cannot be stopped while a segment is rebuilt: half a million states of 600 bytes, hashed at once, take
// longer than a stop may wait.
TEST(NodeIndex, ARebuildReadsSomeMegabytesOfStatesHoweverLargeTheyAre) {
  for (const size_t state_bytes : {size_t{8}, size_t{600}, size_t{32'000}}) {
    MemoryAccount memory;
    NodeIndex index(memory, state_bytes);
    SplitMix64 random(7);
    std::vector<uint64_t> hashes;
    size_t most = 0;
    size_t now = 0;
    const auto hash_of = [&](NodeIndex::Id id) {
      ++now;
      return hashes[id];
    };
    const auto add = [&] { return static_cast<NodeIndex::Id>(hashes.size() - 1); };
    for (int i = 0; i < 1'000'000; ++i) {
      hashes.push_back(random.Next());
      bool added = false;
      now = 0;
      index.FindOrAdd(
          hashes.back(), [](NodeIndex::Id) { return false; }, add, hash_of, added);
      ASSERT_TRUE(added);
      most = std::max(most, now);
    }
    EXPECT_LE(most * state_bytes, size_t{32} << 20) << state_bytes;
    EXPECT_GT(most, 600u) << "rebuilds are no longer seen";
    // All are found, also behind splits.
    for (size_t id = 0; id < hashes.size(); id += 997) {
      EXPECT_EQ(index.Find(hashes[id], [&](NodeIndex::Id found) { return found == id; }), id);
    }
  }
}

}  // namespace
}  // namespace astrolabe::engine
