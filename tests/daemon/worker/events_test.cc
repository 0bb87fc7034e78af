// Node events from the real worker: what, how many, and how fast the daemon lets them come.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>
#include <map>
#include <set>

#include "tests/daemon/worker/worker_process.h"

namespace astrolabe::testing {
namespace {

internal::v1::RunJob Watched(const std::string& text, std::initializer_list<v1::NodeKind> kinds) {
  internal::v1::RunJob job = FixtureJob("counter", text);
  for (v1::NodeKind kind : kinds) job.mutable_spec()->mutable_events()->add_kinds(kind);
  return job;
}

int64_t ValueOf(const v1::NodeEvent& event) {
  int64_t value = -1;
  EXPECT_EQ(event.state().size(), sizeof value);
  if (event.state().size() == sizeof value) std::memcpy(&value, event.state().data(), sizeof value);
  return value;
}

TEST(Events, EveryExpansionComesOnceWithItsStateAndCosts) {
  WorkerProcess worker;
  const Frames frames = worker.Run(Watched("0 3000", {v1::NODE_KIND_EXPANDING}));
  const std::vector<v1::NodeEvent> events = frames.events();
  EXPECT_EQ(static_cast<int64_t>(events.size()), frames.result().statistics().expanded());
  EXPECT_EQ(frames.result().events().recorded(), static_cast<int64_t>(events.size()));
  EXPECT_EQ(frames.result().events().sampled_out(), 0);
  EXPECT_EQ(frames.result().provenance().tier(), v1::ENGINE_TIER_GENERIC);
  std::set<uint64_t> ids;
  for (const v1::NodeEvent& event : events) {
    EXPECT_EQ(event.kind(), v1::NODE_KIND_EXPANDING);
    EXPECT_NE(event.node(), 0u);
    EXPECT_TRUE(ids.insert(event.node()).second);
    const int64_t left = 3000 - ValueOf(event);
    EXPECT_EQ(event.h(), left / 3 + left % 3);
  }
}

// Every node with its parent, g and h, as a replay of the operators has them; and the path, back from the goal.
TEST(Events, RebuildTheWholeSearchTree) {
  constexpr int64_t kGoal = 200;
  constexpr int64_t kSlack = 30;
  WorkerProcess worker;
  internal::v1::RunJob job =
      Watched("0 200", {v1::NODE_KIND_SOURCE, v1::NODE_KIND_EXPANDING, v1::NODE_KIND_GENERATING, v1::NODE_KIND_UPDATING,
                        v1::NODE_KIND_REOPENING, v1::NODE_KIND_PRUNED, v1::NODE_KIND_DEAD_END, v1::NODE_KIND_GOAL});
  SetParam(job, "slack", kSlack);
  const Frames frames = worker.Run(job);
  struct Node {
    int64_t value = 0;
    int64_t g = 0;
    uint64_t parent = 0;
  };
  std::map<uint64_t, Node> tree;
  std::set<uint64_t> closed;
  int64_t children = 0;
  uint64_t goal = 0;
  for (const v1::NodeEvent& event : frames.events()) {
    const int64_t value = ValueOf(event);
    if (event.kind() != v1::NODE_KIND_PRUNED) {
      EXPECT_EQ(event.h(), std::max<int64_t>((kGoal - value) / 3 + (kGoal - value) % 3 - kSlack, 0));
    }
    switch (event.kind()) {
      case v1::NODE_KIND_SOURCE:
        EXPECT_EQ(value, 0);
        tree[event.node()] = {};
        break;
      case v1::NODE_KIND_EXPANDING:
        ASSERT_EQ(tree.count(event.node()), 1u);
        EXPECT_EQ(tree[event.node()].g, event.g());
        EXPECT_TRUE(closed.insert(event.node()).second) << "expanded once: h is consistent";
        break;
      case v1::NODE_KIND_GOAL:
        goal = event.node();
        break;
      default:
        ++children;
        ASSERT_EQ(closed.count(event.parent()), 1u);
        EXPECT_EQ(value, tree[event.parent()].value + event.op());
        EXPECT_EQ(event.g(), tree[event.parent()].g + 1);
        if (event.kind() != v1::NODE_KIND_PRUNED) tree[event.node()] = {value, event.g(), event.parent()};
    }
  }
  const v1::Result& result = frames.result();
  EXPECT_EQ(static_cast<int64_t>(closed.size()), result.statistics().expanded());
  EXPECT_EQ(children + 1, result.statistics().generated());
  EXPECT_GT(closed.size(), 100u) << "a tree worth the name";
  ASSERT_EQ(tree.count(goal), 1u);
  EXPECT_EQ(tree[goal].g, result.cost());
  std::vector<std::string> states;
  for (uint64_t node = goal; node != 0; node = tree[node].parent) {
    states.insert(states.begin(), std::to_string(tree[node].value));
  }
  EXPECT_THAT(states, ::testing::ElementsAreArray(result.path().states()));
}

TEST(Events, OrdinalsLeaveNoHole) {
  WorkerProcess worker;
  const Frames frames = worker.Run(Watched("0 30000", {v1::NODE_KIND_EXPANDING, v1::NODE_KIND_GENERATING}));
  EXPECT_GE(frames.batches.size(), 2u);
  int64_t next = 0;
  for (const Batch& batch : frames.batches) {
    EXPECT_EQ(batch.first_ordinal, next);
    EXPECT_LE(batch.count, 512);
    next += batch.count;
    EXPECT_EQ(batch.Parse().seen(), next);
  }
  EXPECT_EQ(next, frames.result().events().recorded());
}

TEST(Events, KindsCoverStartAndGoal) {
  WorkerProcess worker;
  const Frames frames = worker.Run(Watched("0 9", {v1::NODE_KIND_SOURCE, v1::NODE_KIND_GOAL}));
  const std::vector<v1::NodeEvent> events = frames.events();
  ASSERT_EQ(events.size(), 2u);
  EXPECT_EQ(events[0].kind(), v1::NODE_KIND_SOURCE);
  EXPECT_EQ(events[0].parent(), 0u);
  EXPECT_EQ(ValueOf(events[0]), 0);
  EXPECT_EQ(events[1].kind(), v1::NODE_KIND_GOAL);
  EXPECT_EQ(ValueOf(events[1]), 9);
  EXPECT_EQ(events[1].g(), 3);
}

TEST(Events, DetailChoosesTheFields) {
  WorkerProcess worker;
  internal::v1::RunJob job = Watched("0 9", {v1::NODE_KIND_GOAL});
  v1::EventOptions& options = *job.mutable_spec()->mutable_events();
  options.set_detail(v1::NODE_DETAIL_IDS);
  v1::NodeEvent event = worker.Run(job).events().at(0);
  EXPECT_NE(event.node(), 0u);
  EXPECT_EQ(event.g(), 0);
  EXPECT_EQ(event.state(), "");
  options.set_detail(v1::NODE_DETAIL_COSTS);
  event = worker.Run(job).events().at(0);
  EXPECT_EQ(event.g(), 3);
  EXPECT_EQ(event.state(), "");
  options.set_detail(v1::NODE_DETAIL_TEXT);
  event = worker.Run(job).events().at(0);
  EXPECT_EQ(ValueOf(event), 9);
  EXPECT_EQ(event.text(), "9");
}

TEST(Events, StatesThatAreTooLargeAreLeftOutAndTheResultSaysSo) {
  WorkerProcess worker;
  internal::v1::RunJob job = FixtureJob("large_state", "0 30");
  job.mutable_spec()->mutable_events()->add_kinds(v1::NODE_KIND_EXPANDING);
  const Frames frames = worker.Run(job);
  const std::vector<v1::NodeEvent> events = frames.events();
  EXPECT_EQ(static_cast<int64_t>(events.size()), frames.result().statistics().expanded());
  for (const v1::NodeEvent& event : events) EXPECT_EQ(event.state(), "");
  EXPECT_THAT(frames.result().notes(), ::testing::Contains(::testing::HasSubstr("left out of node events")));
}

TEST(Events, SamplingIsCounted) {
  WorkerProcess worker;
  internal::v1::RunJob job = Watched("0 3000", {v1::NODE_KIND_EXPANDING});
  job.mutable_spec()->mutable_events()->set_sample_every(10);
  Frames frames = worker.Run(job);
  const int64_t expanded = frames.result().statistics().expanded();
  EXPECT_EQ(frames.result().events().recorded(), (expanded + 9) / 10);
  EXPECT_EQ(frames.result().events().recorded() + frames.result().events().sampled_out(), expanded);
  EXPECT_EQ(static_cast<int64_t>(frames.events().size()), (expanded + 9) / 10);

  job.mutable_spec()->mutable_events()->set_sample_every(0);
  job.mutable_spec()->mutable_events()->set_max_total(7);
  frames = worker.Run(job);
  EXPECT_EQ(frames.events().size(), 7u);
  EXPECT_EQ(frames.result().events().sampled_out(), expanded - 7);
}

TEST(Events, ComeWithinMillisecondsFromASlowSearch) {
  WorkerProcess worker;
  internal::v1::RunJob job = Watched("0 100000", {v1::NODE_KIND_EXPANDING});
  SetParam(job, "eval_us", 1000);
  worker.SendJob(job);
  // Far from a full batch, and long before the end.
  for (int batches = 0; batches < 3;) {
    const Seen seen = worker.Next(std::chrono::seconds(10));
    ASSERT_TRUE(seen.batch || seen.message);
    if (!seen.batch) continue;
    ++batches;
    EXPECT_LT(seen.batch->count, 512);
  }
  worker.SendStop("jobs/1", internal::v1::STOP_REASON_CANCEL);
  EXPECT_EQ(worker.Collect().result().outcome(), v1::OUTCOME_CANCELLED);
}

// Reads what comes until nothing has come for a while; the bytes of node batches among it.
int64_t DrainNodeBytes(WorkerProcess& worker, bool* ended) {
  int64_t bytes = 0;
  for (;;) {
    const Seen seen = worker.Next(std::chrono::milliseconds(300));
    if (seen.timed_out) return bytes;
    if (seen.batch) bytes += static_cast<int64_t>(seen.batch->bytes.size());
    if ((seen.message && seen.message->has_result()) || (!seen.message && !seen.batch)) {
      *ended = true;
      return bytes;
    }
  }
}

TEST(Credit, HoldsTheSearchUntilMoreIsGiven) {
  WorkerProcess worker;
  internal::v1::RunJob job = Watched("0 60000", {v1::NODE_KIND_EXPANDING, v1::NODE_KIND_GENERATING});
  job.set_initial_credit_bytes(10000);
  worker.SendJob(job);
  bool ended = false;
  const int64_t first = DrainNodeBytes(worker, &ended);
  ASSERT_FALSE(ended) << "the search did not wait";
  EXPECT_GE(first, 10000);
  EXPECT_LT(first, 10000 + 2 * (64 << 10));
  worker.SendCredit(30000);
  const int64_t second = DrainNodeBytes(worker, &ended);
  ASSERT_FALSE(ended);
  EXPECT_GT(second, 0);
  EXPECT_LT(first + second, 40000 + 2 * (64 << 10));
  worker.SendCredit(int64_t{1} << 40);
  EXPECT_EQ(worker.Collect().result().outcome(), v1::OUTCOME_SOLVED);
}

TEST(Credit, StopPassesAWaitingSearch) {
  WorkerProcess worker;
  internal::v1::RunJob job = Watched("0 600000", {v1::NODE_KIND_EXPANDING});
  job.set_initial_credit_bytes(1000);
  worker.SendJob(job);
  bool ended = false;
  DrainNodeBytes(worker, &ended);
  ASSERT_FALSE(ended);
  worker.SendStop("jobs/1", internal::v1::STOP_REASON_CANCEL);
  EXPECT_EQ(worker.Collect().result().outcome(), v1::OUTCOME_CANCELLED);
}

TEST(Credit, WallTimePassesAWaitingSearch) {
  WorkerProcess worker;
  internal::v1::RunJob job = Watched("0 600000", {v1::NODE_KIND_EXPANDING});
  job.set_initial_credit_bytes(1000);
  job.mutable_spec()->mutable_limits()->mutable_wall_time()->set_nanos(400'000'000);
  const v1::Result result = worker.Run(job).result();
  EXPECT_EQ(result.outcome(), v1::OUTCOME_LIMIT_REACHED);
  EXPECT_EQ(result.limit(), v1::LIMIT_KIND_WALL_TIME);
}

}  // namespace
}  // namespace astrolabe::testing
