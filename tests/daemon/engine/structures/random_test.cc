// The generators against the values that their authors' programs give.
#include "daemon/engine/structures/random.h"

#include <gtest/gtest.h>

#include <array>

namespace astrolabe::engine {
namespace {

TEST(SplitMix64, GivesThePublishedNumbers) {
  SplitMix64 mix(1234567);
  for (uint64_t expected : {6457827717110365317u, 3203168211198807973u, 9817491932198370423u, 4593380528125082431u,
                            16408922859458223821u}) {
    EXPECT_EQ(mix.Next(), expected);
  }
}

TEST(Random, GivesThePublishedNumbersOfXoshiro256) {
  Random random(Random::State{1, 2, 3, 4});
  for (uint64_t expected :
       {uint64_t{11520}, uint64_t{0}, uint64_t{1509978240}, uint64_t{1215971899390074240},
        uint64_t{1216172134540287360}, uint64_t{607988272756665600}, uint64_t{16172922978634559625u}}) {
    EXPECT_EQ(random.Next(), expected);
  }
}

TEST(Random, GivesEachNumberBelowABoundAsOften) {
  Random random(7);
  std::array<int, 7> counts{};
  for (int i = 0; i < 700'000; ++i) ++counts[random.Below(7)];
  for (int count : counts) EXPECT_NEAR(count, 100'000, 1'500);  // five standard deviations
  for (int i = 0; i < 100; ++i) EXPECT_EQ(random.Below(1), 0u);
}

// The largest bounds are where numbers are rejected: half of all for 2^63 + 1.
TEST(Random, RejectsWhatWouldBeTooLikely) {
  Random random(9);
  const uint64_t bound = (uint64_t{1} << 63) + 1;
  int low = 0;
  for (int i = 0; i < 100'000; ++i) {
    const uint64_t x = random.Below(bound);
    ASSERT_LT(x, bound);
    low += x < bound / 2;
  }
  EXPECT_NEAR(low, 50'000, 800);
}

}  // namespace
}  // namespace astrolabe::engine
