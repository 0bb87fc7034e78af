#include "daemon/registry/isa.h"

#include <gtest/gtest.h>

namespace astrolabe::registry {
namespace {

TEST(Isa, HigherLevelsRunLowerOnes) {
  EXPECT_TRUE(IsaRuns("x86-64", "x86-64"));
  EXPECT_TRUE(IsaRuns("x86-64-v2", "x86-64-v4"));
  EXPECT_TRUE(IsaRuns("x86-64-v3", "x86-64-v3"));
  EXPECT_FALSE(IsaRuns("x86-64-v4", "x86-64-v3"));
  EXPECT_FALSE(IsaRuns("aarch64", "x86-64-v4"));
  EXPECT_FALSE(IsaRuns("x86-64", "aarch64"));
}

TEST(Isa, KnowsItsNames) {
  EXPECT_TRUE(IsKnownIsa("x86-64-v3"));
  EXPECT_TRUE(IsKnownIsa("aarch64"));
  EXPECT_FALSE(IsKnownIsa("x86-64-v5"));
  EXPECT_FALSE(IsKnownIsa(""));
  EXPECT_TRUE(IsKnownIsa(HostIsa()));
}

}  // namespace
}  // namespace astrolabe::registry
