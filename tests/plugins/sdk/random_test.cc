#include "astrolabe/sdk/random.h"

#include <gtest/gtest.h>

#include <array>
#include <cstdint>

namespace {

// The outputs of the authors' splitmix64.c.
TEST(SplitMix64, GivesThePublishedNumbers) {
  astro::SplitMix64 mix(1234567);
  for (const uint64_t expected : {6457827717110365317u, 3203168211198807973u, 9817491932198370423u,
                                  4593380528125082431u, 16408922859458223821u}) {
    EXPECT_EQ(mix.Next(), expected);
  }
}

// The outputs of the authors' xoshiro256starstar.c from the state 1, 2, 3, 4.
TEST(Random, GivesThePublishedNumbers) {
  astro::Random random(std::array<uint64_t, 4>{1, 2, 3, 4});
  for (const uint64_t expected :
       {uint64_t{11520}, uint64_t{0}, uint64_t{1509978240}, uint64_t{1215971899390074240},
        uint64_t{1216172134540287360}, uint64_t{607988272756665600}, uint64_t{16172922978634559625u},
        uint64_t{8476171486693032832}, uint64_t{10595114339597558777u}, uint64_t{2904607092377533576}}) {
    EXPECT_EQ(random.Next(), expected);
  }
}

// The state is four numbers of SplitMix64. Checked against an implementation in another language.
TEST(Random, IsSeededBySplitMix64) {
  astro::Random random(1);
  for (const uint64_t expected : {5, 4, 4, 3, 5, 1, 0, 3}) EXPECT_EQ(random.Below(8), expected);
}

// A bound above 2^63 sends about every second draw back: the sequence shows which ones. As above.
TEST(Random, DrawsAgainWhereSomeNumbersWouldBeFavoured) {
  astro::Random random(5);
  const uint64_t bound = (uint64_t{1} << 63) + 1;
  for (const uint64_t expected : {2660124057020295092, 5553229355294069358, 5991011151194742231, 7458586743318756548,
                                  3343815716602316796, 2311280431944903521}) {
    EXPECT_EQ(random.Below(bound), expected);
  }
}

TEST(Random, StaysBelowTheBound) {
  astro::Random random(9);
  EXPECT_EQ(random.Below(1), 0u);
  std::array<int, 3> counts = {};
  for (int i = 0; i < 30000; ++i) ++counts.at(random.Below(3));
  for (const int count : counts) EXPECT_NEAR(count, 10000, 400);  // five standard deviations
}

}  // namespace
