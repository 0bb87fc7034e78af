#include "daemon/server/memory_limit.h"

#include <gtest/gtest.h>

#include "daemon/server/request_budget.h"

namespace astrolabe::server {
namespace {

constexpr int64_t kMiB = 1 << 20;

MemoryWishes Usual() {
  MemoryWishes wishes;
  wishes.max_request_bytes = 32 * kMiB;
  wishes.slots = 2;
  return wishes;
}

TEST(MemoryPlan, WithPlentyTheBudgetsAreTheUsualOnes) {
  const Result<MemoryPlan> plan = PlanMemory({16384 * kMiB, false}, Usual());
  ASSERT_TRUE(plan.ok());
  EXPECT_EQ(plan->event_budget_bytes, 256 * kMiB);
  EXPECT_EQ(plan->queue_bytes, 256 * kMiB);
  EXPECT_GT(plan->receive_bytes, 4096 * kMiB);
  EXPECT_EQ(plan->warning, "");
}

TEST(MemoryPlan, AllThatIsPromisedFitsIntoTheLimit) {
  for (const int64_t limit : {450, 700, 1000, 2000, 64000}) {
    const Result<MemoryPlan> plan = PlanMemory({limit * kMiB, true}, Usual());
    ASSERT_TRUE(plan.ok()) << limit;
    EXPECT_LT(plan->event_budget_bytes + plan->queue_bytes + plan->receive_bytes + plan->request_bytes, limit * kMiB);
    EXPECT_GE(plan->receive_bytes, 32 * kMiB) << "the largest request can be received";
    EXPECT_GE(plan->request_bytes, RequestBudget::kCopies * 32 * kMiB) << "and looked at";
    EXPECT_GE(plan->queue_bytes, 32 * kMiB);
  }
}

TEST(MemoryPlan, OneThatDoesNotFitIsRefusedWithWhatIsNeededAndWhatToLower) {
  MemoryWishes wishes = Usual();
  wishes.event_budget_bytes = 800 * kMiB;
  const Result<MemoryPlan> plan = PlanMemory({1000 * kMiB, true}, wishes);
  ASSERT_FALSE(plan.ok());
  EXPECT_EQ(plan.error().reason, "MEMORY_LIMIT");
  const std::string& message = plan.error().message;
  const size_t at = message.find("it needs ");
  ASSERT_NE(at, std::string::npos) << message;
  const int64_t least = std::stoll(message.substr(at + 9));
  EXPECT_TRUE(PlanMemory({least * kMiB, true}, wishes).ok());
  EXPECT_FALSE(PlanMemory({(least - 1) * kMiB, true}, wishes).ok());
  for (const char* text : {"800 MiB for --event-budget", "--queue-size", "--max-request-size", "ulimit -v"}) {
    EXPECT_NE(message.find(text), std::string::npos) << message;
  }
}

TEST(MemoryPlan, OfAMachineOrContainerItIsAWarning) {
  MemoryWishes wishes = Usual();
  wishes.queue_bytes = INT64_MAX;
  const Result<MemoryPlan> plan = PlanMemory({1000 * kMiB, false}, wishes);
  ASSERT_TRUE(plan.ok());
  EXPECT_NE(plan->warning.find("--queue-size"), std::string::npos);
  EXPECT_EQ(plan->receive_bytes, 64 * kMiB) << "the rest is as small as can be";
}

TEST(RequestBudget, RefusesWhatDoesNotFitAndTakesItBack) {
  RequestBudget budget;
  budget.SetLimit(100 * RequestBudget::kCopies);
  Result<RequestBudget::Share> first = budget.Take(60);
  ASSERT_TRUE(first.ok());
  const Result<RequestBudget::Share> second = budget.Take(41);
  ASSERT_FALSE(second.ok());
  EXPECT_EQ(second.error().code, ErrorCode::kResourceExhausted);
  EXPECT_TRUE(second.error().retry_after.has_value());
  EXPECT_TRUE(budget.Take(40).ok()) << "what was refused takes nothing";
  RequestBudget::Share moved = *std::move(first);
  EXPECT_FALSE(budget.Take(41).ok());
  moved = RequestBudget::Share();
  EXPECT_TRUE(budget.Take(100).ok());
}

}  // namespace
}  // namespace astrolabe::server
