#include "astrolabe/sdk/params.h"

#include <gtest/gtest.h>

#include "astrolabe/sdk/testing/under_test.h"

namespace {

TEST(Params, AreFoundByName) {
  astro::testing::FakeParams fake;
  fake.SetInt("depth", 7);
  fake.SetText("goal", "blank-last");
  fake.SetInt("mirror", 1, ASTRO_PARAM_BOOL);
  const astro::Params params(fake.get());
  EXPECT_EQ(params.Int("depth"), 7);
  EXPECT_EQ(params.String("goal"), "blank-last");
  EXPECT_EQ(params.Bool("mirror"), true);
  EXPECT_FALSE(params.Int("width").has_value());
  EXPECT_FALSE(params.Has("width"));
}

// A newer host's params are longer: the stride says so.
TEST(Params, OfANewerHostAreReadWithItsStride) {
  struct Longer {
    astro_param_v1 param;
    uint64_t more;
  };
  Longer items[2] = {};
  items[0].param.name = astro::ToText("a");
  items[0].param.int_value = 1;
  items[1].param.name = astro::ToText("b");
  items[1].param.int_value = 2;
  const astro_params raw = {&items[0].param, 2, sizeof(Longer)};
  EXPECT_EQ(astro::Params(&raw).Int("b"), 2);
}

TEST(Params, MayBeNone) { EXPECT_FALSE(astro::Params(nullptr).Has("goal")); }

}  // namespace
