#include "daemon/base/nearest.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace astrolabe {
namespace {

TEST(EditDistance, CountsEdits) {
  EXPECT_EQ(EditDistance("", ""), 0u);
  EXPECT_EQ(EditDistance("abc", ""), 3u);
  EXPECT_EQ(EditDistance("kitten", "sitting"), 3u);
  EXPECT_EQ(EditDistance("manhattan", "manhatan"), 1u);
  EXPECT_EQ(EditDistance("hamming", "hammign"), 1u);  // one swap
}

TEST(Nearest, FindsTheLikelyOneAndNothingFarOff) {
  const std::vector<std::string> known = {"hamming", "manhattan", "linear_conflict"};
  EXPECT_EQ(Nearest("manhatan", known), "manhattan");
  EXPECT_EQ(Nearest("hammign", known), "hamming");
  EXPECT_EQ(Nearest("LINEAR_Conflict", known), "linear_conflict");
  EXPECT_EQ(Nearest("euclid", known), "");
  EXPECT_EQ(Nearest("", known), "");
  EXPECT_EQ(Nearest(std::string(1 << 20, 'x'), known), "");
}

}  // namespace
}  // namespace astrolabe
