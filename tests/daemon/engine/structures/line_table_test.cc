#include "daemon/engine/structures/line_table.h"

#include <gtest/gtest.h>

#include <array>
#include <map>
#include <new>
#include <random>

namespace astrolabe::engine {
namespace {

template <typename Size>
class LineTables : public ::testing::Test {};
using Sizes = ::testing::Types<std::integral_constant<size_t, 8>, std::integral_constant<size_t, 16>,
                               std::integral_constant<size_t, 32>>;
TYPED_TEST_SUITE(LineTables, Sizes);

template <size_t kSlot>
std::array<std::byte, kSlot> Key(uint64_t n) {
  std::array<std::byte, kSlot> key{};
  for (size_t at = 0; at < kSlot; at += 8) std::memcpy(key.data() + at, &n, 8);
  return key;
}

// Against a map; `most_g` decides whether narrow metas suffice. Under a small cap segments split often.
template <size_t kSlot>
void Compare(uint64_t keys, Cost most_g, int64_t cap) {
  MemoryAccount memory(cap);
  LineTable<kSlot> table(memory);
  struct Known {
    Cost g;
    bool closed;
  };
  std::map<uint64_t, Known> expected;
  std::mt19937_64 random(11);
  for (uint64_t i = 0; i < 4 * keys; ++i) {
    const uint64_t n = random() % keys;
    const auto key = Key<kSlot>(n);
    const uint64_t hash = HashSlot<kSlot>(key.data());
    const Cost g = static_cast<Cost>(random() % static_cast<uint64_t>(most_g));
    const auto it = expected.find(n);
    if (i % 3 == 0) {
      const bool closes = it != expected.end() && it->second.g == g && !it->second.closed;
      ASSERT_EQ(table.Close(key.data(), hash, g), closes);
      if (it != expected.end() && !it->second.closed) {
        ASSERT_EQ(table.Close(key.data(), hash, it->second.g), !closes);
        it->second.closed = true;
      }
      continue;
    }
    Verdict verdict = Verdict::kNew;
    if (it != expected.end()) {
      verdict = it->second.g <= g ? Verdict::kDuplicate : it->second.closed ? Verdict::kReopened : Verdict::kUpdated;
    }
    ASSERT_EQ(table.Put(key.data(), hash, g), verdict);
    if (verdict != Verdict::kDuplicate) expected[n] = {g, false};
  }
  ASSERT_EQ(table.size(), expected.size());
  for (uint64_t n = 0; n < keys; ++n) {
    const auto key = Key<kSlot>(n);
    const auto it = expected.find(n);
    ASSERT_EQ(table.Get(key.data(), HashSlot<kSlot>(key.data())), it != expected.end() ? it->second.g : -1);
  }
}

TYPED_TEST(LineTables, AgreeWithAMap) { Compare<TypeParam::value>(20000, 100, 0); }
TYPED_TEST(LineTables, AgreeWithAMapWhenSegmentsSplit) { Compare<TypeParam::value>(20000, 100, int64_t{1} << 21); }
TYPED_TEST(LineTables, AgreeWithAMapWhenCostsOutgrowTheNarrowMetas) {
  Compare<TypeParam::value>(20000, 200, 0);
  Compare<TypeParam::value>(5000, Cost{1} << 40, int64_t{1} << 21);
  Compare<TypeParam::value>(300, kInfinity - 1, 0);
}

TEST(LineTable, WidensInTheMiddleOfItsLife) {
  MemoryAccount memory;
  LineTable<8> table(memory);
  const auto put = [&table](uint64_t n, Cost g) {
    const auto key = Key<8>(n);
    return table.Put(key.data(), HashSlot<8>(key.data()), g);
  };
  for (uint64_t n = 0; n < 50000; ++n) ASSERT_EQ(put(n, static_cast<Cost>(n % 126)), Verdict::kNew);
  ASSERT_EQ(put(50000, kInfinity - 1), Verdict::kNew);
  for (uint64_t n = 0; n < 50000; ++n) {
    const auto key = Key<8>(n);
    ASSERT_EQ(table.Get(key.data(), HashSlot<8>(key.data())), static_cast<Cost>(n % 126));
  }
  EXPECT_EQ(put(50000, 3), Verdict::kUpdated);
}

TEST(LineTable, KnowsAllStatesStillWhenThereIsNoMemoryToWidenAll) {
  MemoryAccount memory(int64_t{4} << 20);
  LineTable<8> table(memory);
  const auto put = [&table](uint64_t n, Cost g) {
    const auto key = Key<8>(n);
    return table.Put(key.data(), HashSlot<8>(key.data()), g);
  };
  constexpr uint64_t kStates = 50000;
  for (uint64_t n = 0; n < kStates; ++n) put(n, static_cast<Cost>(n % 126));
  // Wide lines take 1.75 times as much: for some segments, not for all.
  const size_t rest = (size_t{4} << 20) - static_cast<size_t>(memory.used_bytes());
  const auto room = static_cast<size_t>(memory.used_bytes()) / 3;
  memory.Charge(rest - room);
  EXPECT_THROW(put(kStates, 1000), std::bad_alloc);
  EXPECT_LT(static_cast<size_t>(memory.cap_bytes()) - static_cast<size_t>(memory.used_bytes()), room)
      << "none was widened";
  for (uint64_t n = 0; n < kStates; ++n) {
    const auto key = Key<8>(n);
    ASSERT_EQ(table.Get(key.data(), HashSlot<8>(key.data())), static_cast<Cost>(n % 126)) << n;
  }
  memory.Release(rest - room);
}

TEST(LineTable, TakesFewBytesAStateAndGivesThemAllBack) {
  MemoryAccount memory;
  {
    LineTable<8> table(memory);
    // Many enough for several segments: below that a table has just doubled, or is about to.
    constexpr int64_t kStates = 2000000;
    for (uint64_t n = 0; n < kStates; ++n) {
      const auto key = Key<8>(n);
      table.Put(key.data(), HashSlot<8>(key.data()), 1);
    }
    EXPECT_LT(memory.used_bytes(), kStates * 15);
  }
  EXPECT_EQ(memory.used_bytes(), 0);
}

}  // namespace
}  // namespace astrolabe::engine
