#include "daemon/base/result.h"

#include <gtest/gtest.h>

#include <memory>
#include <string>

namespace astrolabe {
namespace {

Result<std::unique_ptr<int>> Half(int value) {
  if (value % 2 != 0) return MakeError(ErrorCode::kInvalidArgument, "ODD", "the number is odd");
  return std::make_unique<int>(value / 2);
}

TEST(Result, HoldsAValueOrAnError) {
  Result<std::unique_ptr<int>> good = Half(8);
  ASSERT_TRUE(good.ok());
  EXPECT_EQ(**good, 4);
  const std::unique_ptr<int> taken = *std::move(good);
  EXPECT_EQ(*taken, 4);
  const Result<std::unique_ptr<int>> bad = Half(7);
  ASSERT_FALSE(bad.ok());
  EXPECT_EQ(bad.error().code, ErrorCode::kInvalidArgument);
  EXPECT_EQ(bad.error().reason, "ODD");
}

TEST(Status, IsFineUnlessItSaysWhy) {
  EXPECT_TRUE(Status().ok());
  const Status failed = MakeError(ErrorCode::kNotFound, "NONE", "nothing there");
  EXPECT_FALSE(failed.ok());
  EXPECT_EQ(failed.error().message, "nothing there");
}

}  // namespace
}  // namespace astrolabe
