#include "daemon/engine/structures/node_array.h"

#include <gtest/gtest.h>

#include <array>

namespace astrolabe::engine {
namespace {

constexpr size_t kSize = 12;

std::array<std::byte, kSize> State(uint32_t n) {
  std::array<std::byte, kSize> state{};
  std::memcpy(state.data(), &n, sizeof n);
  return state;
}

TEST(NodeArray, KeepsNodesWhenTheFirstWideCostComes) {
  MemoryAccount memory;
  NodeArray nodes(kSize, memory);
  constexpr uint32_t kNodes = 40000;  // several blocks
  for (uint32_t n = 0; n < kNodes; ++n) {
    ASSERT_EQ(nodes.Add(State(n).data(), n / 2, n * 3, n), n);
    if (n % 3 == 0) nodes.Close(n);
  }
  const int64_t narrow = memory.used_bytes();
  nodes.Add(State(kNodes).data(), 1, 2, kInfinity - 1);
  EXPECT_GT(memory.used_bytes(), narrow);
  EXPECT_LT(memory.peak_bytes(), narrow * 2);
  for (uint32_t n = 0; n < kNodes; ++n) {
    ASSERT_EQ(std::memcmp(nodes.State(n), State(n).data(), kSize), 0);
    ASSERT_EQ(nodes.Parent(n), n / 2);
    ASSERT_EQ(nodes.LastOp(n), n * 3);
    ASSERT_EQ(nodes.G(n), n);
    ASSERT_EQ(nodes.Closed(n), n % 3 == 0);
  }
  EXPECT_EQ(nodes.G(kNodes), kInfinity - 1);
  nodes.Set(3, 7, 8, 2);
  EXPECT_EQ(nodes.G(3), 2);
  EXPECT_FALSE(nodes.Closed(3));
}

}  // namespace
}  // namespace astrolabe::engine
