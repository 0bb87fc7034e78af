#include "daemon/engine/structures/message_batch.h"

#include <gtest/gtest.h>

#include <array>
#include <vector>

namespace astrolabe::engine {
namespace {

TEST(MessageBatch, GivesBackWhatWasAppended) {
  MemoryAccount memory;
  MessageBatch<8, true> batch(8, memory);
  EXPECT_EQ(batch.least_f(), kInfinity);
  std::array<std::byte, 8> state{};
  const Cost base = Cost{1} << 40;
  for (uint32_t i = 0; i < 10; ++i) {
    state[3] = static_cast<std::byte>(i);
    ASSERT_TRUE(batch.Takes(base - i, base + 7 * i));
    batch.Append(state.data(), base - i, base + 7 * i, 100 + i, 200 + i);
  }
  ASSERT_EQ(batch.size(), 10u);
  EXPECT_EQ(batch.least_f(), base - 9);
  for (uint32_t i = 0; i < 10; ++i) {
    EXPECT_EQ(batch[i].state[3], static_cast<std::byte>(i));
    EXPECT_EQ(batch[i].f, base - i);
    EXPECT_EQ(batch[i].g, base + 7 * i);
    EXPECT_EQ(batch[i].op, 100 + i);
    EXPECT_EQ(batch[i].parent, 200 + i);
  }
}

TEST(MessageBatch, TakesAnyCostFirstAndThenThoseNearIt) {
  MemoryAccount memory;
  MessageBatch<0, false> batch(41, memory);
  const std::array<std::byte, 41> state{};
  EXPECT_TRUE(batch.Takes(kInfinity - 1, 0));
  batch.Append(state.data(), kInfinity - 1, 0, 0, 0);
  EXPECT_FALSE(batch.Takes(5, 0));
  EXPECT_FALSE(batch.Takes(kInfinity - 1, Cost{1} << 31));
  EXPECT_TRUE(batch.Takes(kInfinity - 2, (Cost{1} << 31) - 1));
  batch.Clear();
  EXPECT_TRUE(batch.Takes(5, 0));
  EXPECT_EQ(batch.least_f(), kInfinity);
}

TEST(MessageBatch, HoldsAtLeastOneOfAnySizeAndThenNoMore) {
  MemoryAccount memory;
  const std::vector<std::byte> state(100'000);
  MessageBatch<0, false> batch(state.size(), memory);
  EXPECT_FALSE((MessageBatch<0, false>().Takes(0, 0)));
  ASSERT_TRUE(batch.Takes(1, 1));
  batch.Append(state.data(), 1, 1, 0, 0);
  EXPECT_FALSE(batch.Takes(1, 1));
}

}  // namespace
}  // namespace astrolabe::engine
