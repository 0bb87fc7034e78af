#include "client/cli/nearest.h"

#include <gtest/gtest.h>

namespace astrolabe::cli {
namespace {

TEST(Nearest, FindsASlipOfTheFinger) {
  EXPECT_EQ(Nearest("manhatan", {"hamming", "manhattan"}), "manhattan");
  EXPECT_EQ(Nearest("IDAstar", {"idastar", "astar"}), "idastar");
  EXPECT_EQ(Nearest("astr", {"idastar", "astar"}), "astar");
}

TEST(Nearest, IsSilentWhenNothingIsNear) {
  EXPECT_EQ(Nearest("queens", {"manhattan", "astar"}), "");
  EXPECT_EQ(Nearest("x", {}), "");
}

}  // namespace
}  // namespace astrolabe::cli
