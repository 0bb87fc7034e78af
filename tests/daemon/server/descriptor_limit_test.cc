#include "daemon/server/descriptor_limit.h"

#include <gtest/gtest.h>
#include <sys/resource.h>

#include <climits>

namespace astrolabe::server {
namespace {

TEST(DescriptorLimit, WhatWorkersAndFilesNeedIsKeptFromConnections) {
  const Result<DescriptorPlan> few = PlanDescriptors(1024, 8);
  const Result<DescriptorPlan> many = PlanDescriptors(1024, 100);
  ASSERT_TRUE(few.ok() && many.ok());
  EXPECT_LT(few->full, few->close);
  EXPECT_LE(few->close, 1024 - 5 * 8);
  EXPECT_EQ(few->full - many->full, 5 * 92);
  EXPECT_TRUE(PlanDescriptors(INT_MAX, 4096).ok());
}

TEST(DescriptorLimit, OneThatIsTooLowIsRefusedWithTheLeastThatWorks) {
  const Result<DescriptorPlan> plan = PlanDescriptors(100, 8);
  ASSERT_FALSE(plan.ok());
  EXPECT_EQ(plan.error().reason, "DESCRIPTOR_LIMIT");
  const std::string& message = plan.error().message;
  const size_t at = message.find("at least ");
  ASSERT_NE(at, std::string::npos) << message;
  const int least = std::stoi(message.substr(at + 9));
  EXPECT_TRUE(PlanDescriptors(least, 8).ok());
  EXPECT_FALSE(PlanDescriptors(least - 1, 8).ok());
}

TEST(DescriptorLimit, TheSoftLimitIsRaisedToTheHardOne) {
  rlimit before = {};
  ASSERT_EQ(::getrlimit(RLIMIT_NOFILE, &before), 0);
  rlimit low = before;
  low.rlim_cur = 100;
  ASSERT_EQ(::setrlimit(RLIMIT_NOFILE, &low), 0);
  const int raised = RaiseDescriptorLimit();
  rlimit after = {};
  ::getrlimit(RLIMIT_NOFILE, &after);
  EXPECT_EQ(after.rlim_cur, before.rlim_max);
  EXPECT_GT(raised, 100);
  ::setrlimit(RLIMIT_NOFILE, &before);
}

}  // namespace
}  // namespace astrolabe::server
