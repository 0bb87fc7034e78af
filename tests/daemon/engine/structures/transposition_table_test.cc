#include "daemon/engine/structures/transposition_table.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <map>
#include <random>

#include "daemon/engine/structures/state_hash.h"

namespace astrolabe::engine {
namespace {

class Table {
 public:
  Table(size_t least, size_t most, int64_t cap = 0) : memory_(cap), table_(sizeof(uint64_t), least, most, memory_) {
    table_.BeginIteration();
  }
  bool Enter(uint64_t state, Cost g) { return table_.Enter(&state, HashBytes(&state, sizeof state), g); }
  void Cut(uint64_t state, Cost f) { table_.Cut(&state, HashBytes(&state, sizeof state), f); }
  TranspositionTable& operator*() { return table_; }
  const MemoryAccount& memory() const { return memory_; }

 private:
  MemoryAccount memory_;
  TranspositionTable table_;
};

TEST(TranspositionTable, PrunesWhatWasEnteredAsCheaplyInThisIteration) {
  Table table(1024, 1 << 20);
  EXPECT_TRUE(table.Enter(7, 5));
  EXPECT_FALSE(table.Enter(7, 5));
  EXPECT_FALSE(table.Enter(7, 6));
  EXPECT_TRUE(table.Enter(7, 4));
  EXPECT_FALSE(table.Enter(7, 5));
  EXPECT_TRUE(table.Enter(8, 5));
}

TEST(TranspositionTable, PrunesInLaterIterationsOnlyWhatCostsMore) {
  Table table(1024, 1 << 20);
  EXPECT_TRUE(table.Enter(7, 5));
  (*table).BeginIteration();
  EXPECT_FALSE(table.Enter(7, 6));
  EXPECT_TRUE(table.Enter(7, 5));
  EXPECT_FALSE(table.Enter(7, 5));
}

TEST(TranspositionTable, ACutCountsUnlessTheStateIsEntered) {
  Table table(1024, 1 << 20);
  EXPECT_EQ((*table).LeastCut(), kInfinity);
  table.Cut(1, 30);
  table.Cut(2, 20);
  table.Cut(2, 25);
  EXPECT_EQ((*table).LeastCut(), 20);
  EXPECT_TRUE(table.Enter(2, 3));
  EXPECT_EQ((*table).LeastCut(), 30);
  table.Cut(2, 21);
  EXPECT_EQ((*table).LeastCut(), 30);
  (*table).BeginIteration();
  EXPECT_EQ((*table).LeastCut(), kInfinity);
  table.Cut(2, 21);
  EXPECT_EQ((*table).LeastCut(), kInfinity) << "entered before, so entered again";
  table.Cut(1, 35);
  EXPECT_EQ((*table).LeastCut(), 35);
}

TEST(TranspositionTable, GrowsWithoutLosingAnything) {
  Table table(256, 64 << 20);
  for (uint64_t state = 0; state < 100000; ++state) ASSERT_TRUE(table.Enter(state, static_cast<Cost>(state)));
  for (uint64_t state = 0; state < 100000; ++state) ASSERT_FALSE(table.Enter(state, static_cast<Cost>(state)));
  EXPECT_LE(table.memory().peak_bytes(), 64 << 20);
}

// Whatever is replaced: what it prunes was entered at no more, and no cut is forgotten.
TEST(TranspositionTable, IsRightWhenItIsFullOrRefusedMemory) {
  for (const auto& [least, most, cap] :
       {std::tuple<size_t, size_t, int64_t>(200, 200, 0), {2048, 2048, 0}, {256, 1 << 20, 3000}, {10, 10, 0}}) {
    std::mt19937_64 random(5);
    Table table(least, most, cap);
    std::map<uint64_t, Cost> entered;
    std::map<uint64_t, Cost> cut;
    int pruned = 0;
    for (int i = 0; i < 20000; ++i) {
      const uint64_t state = random() % 500;
      const auto value = static_cast<Cost>(random() % 1000);
      if (i % 3 == 0) {
        table.Cut(state, 1000 + value);
        if (!entered.contains(state) && (!cut.contains(state) || cut[state] > 1000 + value)) cut[state] = 1000 + value;
        continue;
      }
      if (table.Enter(state, value)) {
        if (!entered.contains(state) || entered[state] > value) entered[state] = value;
      } else {
        ++pruned;
        ASSERT_TRUE(entered.contains(state));
        ASSERT_LE(entered[state], value);
      }
    }
    Cost least_cut = kInfinity;
    for (const auto& [state, f] : cut) {
      if (!entered.contains(state)) least_cut = std::min(least_cut, f);
    }
    EXPECT_LE((*table).LeastCut(), least_cut);
    EXPECT_GE((*table).LeastCut(), 1000);
    EXPECT_EQ(pruned > 0, most >= 200);
    EXPECT_TRUE(cap == 0 || table.memory().peak_bytes() <= cap);
  }
}

}  // namespace
}  // namespace astrolabe::engine
