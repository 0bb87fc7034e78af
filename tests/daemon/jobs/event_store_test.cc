#include "daemon/jobs/event_store.h"

#include <gtest/gtest.h>

#include "daemon/jobs/watch_cursor.h"

namespace astrolabe::jobs {
namespace {

using std::chrono::milliseconds;

Payload State() {
  v1::StateChanged state;
  state.set_state(v1::JOB_STATE_SEARCHING);
  return Encode(state);
}

Payload Better(int64_t cost) {
  v1::Improvement improvement;
  improvement.set_cost(cost);
  return Encode(improvement);
}

v1::Event Parse(const Entry& entry) {
  v1::Event event;
  EXPECT_TRUE(event.ParseFromString(entry.head + *entry.body));
  return event;
}

TEST(EventCodec, HeadAndPayloadParseAsOneEvent) {
  v1::NodeBatch batch;
  batch.set_count(3);
  batch.add_nodes()->set_text(std::string(300, 'x'));
  const Payload payload = EncodedNodes(batch.SerializeAsString());
  v1::Event event;
  ASSERT_TRUE(event.ParseFromString(EncodeHead("jobs/abc", 300, milliseconds(1500), payload) + *payload.bytes));
  EXPECT_EQ(event.job(), "jobs/abc");
  EXPECT_EQ(event.sequence(), 300);
  EXPECT_EQ(event.elapsed().seconds(), 1);
  EXPECT_EQ(event.elapsed().nanos(), 500'000'000);
  EXPECT_EQ(event.nodes().count(), 3);
  const Payload beat = Encode(v1::Heartbeat());
  ASSERT_TRUE(event.ParseFromString(EncodeHead("j", 0, milliseconds(0), beat) + *beat.bytes));
  EXPECT_TRUE(event.has_heartbeat());
  EXPECT_EQ(event.sequence(), 0);
}

TEST(EventStore, BothLogsShareOneDenseSequence) {
  EventStore store("jobs/1");
  EXPECT_EQ(store.AppendEnvelope(EntryKind::kLasting, State(), milliseconds(0)).sequence, 1);
  EXPECT_EQ(store.AppendNodes(5, "nodes", milliseconds(0)).sequence, 2);
  EXPECT_EQ(store.AppendEnvelope(EntryKind::kLasting, State(), milliseconds(0)).sequence, 3);
  EXPECT_EQ(store.NextFrom(1, true)->sequence, 1);
  EXPECT_EQ(store.NextFrom(2, true)->sequence, 2);
  EXPECT_EQ(store.NextFrom(2, false)->sequence, 3);
  EXPECT_EQ(store.NextFrom(4, true), nullptr);
  EXPECT_EQ(store.last_sequence(), 3);
}

TEST(EventStore, EvictionTakesTheOldestNodesAndCountsThem) {
  EventStore store("jobs/1");
  for (int i = 0; i < 3; ++i) store.AppendNodes(10, std::string(100, 'x'), milliseconds(0));
  const int64_t bytes = store.node_bytes();
  EXPECT_FALSE(store.EvictOldestNodes(/*keep_from=*/1));
  EXPECT_TRUE(store.EvictOldestNodes(100));
  EXPECT_EQ(store.evicted_through(), 1);
  EXPECT_EQ(store.nodes_dropped(), 10);
  EXPECT_LT(store.node_bytes(), bytes);
  EXPECT_TRUE(store.EvictOldestNodes(100));
  EXPECT_FALSE(store.EvictOldestNodes(100)) << "the newest stays";
  EXPECT_FALSE(store.NodesBefore(2).has_value());
  EXPECT_EQ(store.NodesBefore(3), 20);
}

TEST(EventStore, SkippedEventsAreCountedOnce) {
  EventStore store("jobs/1");
  for (int i = 0; i < 3; ++i) store.AppendNodes(10, "x", milliseconds(0));
  store.MarkSkipped(1, 2);
  store.MarkSkipped(1, 2);
  EXPECT_EQ(store.nodes_dropped(), 20);
  EXPECT_TRUE(store.EvictOldestNodes(100));
  EXPECT_EQ(store.nodes_dropped(), 20);
}

TEST(EventStore, ThinningKeepsFirstBestLastImprovementAndAllStates) {
  EventStore store("jobs/1", /*envelope_limit_bytes=*/40000);
  store.AppendEnvelope(EntryKind::kLasting, State(), milliseconds(0));
  store.AppendEnvelope(EntryKind::kImprovement, Better(900), milliseconds(0), 900);
  store.AppendEnvelope(EntryKind::kImprovement, Better(5), milliseconds(0), 5);  // local search may get worse again
  int64_t last = 0;
  for (int i = 0; i < 1000; ++i) {
    last =
        store.AppendEnvelope(EntryKind::kImprovement, Better(800 - i % 100), milliseconds(0), 800 - i % 100).sequence;
    EXPECT_LE(store.envelope_bytes(), 40000);
  }
  store.AppendEnvelope(EntryKind::kResult, Encode(v1::Result()), milliseconds(0));
  EXPECT_EQ(Parse(*store.NextFrom(1, true)).event_case(), v1::Event::kState);
  EXPECT_EQ(Parse(*store.NextFrom(2, true)).improvement().cost(), 900);
  EXPECT_EQ(Parse(*store.NextFrom(3, true)).improvement().cost(), 5);
  EXPECT_GT(store.NextFrom(4, true)->sequence, 4);
  EXPECT_EQ(store.NextFrom(last, true)->sequence, last);
  EXPECT_TRUE(Parse(*store.NextFrom(store.last_sequence(), true)).has_result());
}

TEST(WatchCursor, ThinnedEnvelopesAreAGapWithOrWithoutNodes) {
  for (const bool with_nodes : {true, false}) {
    EventStore store("jobs/1", 5000);
    store.AppendEnvelope(EntryKind::kLasting, State(), milliseconds(0));
    WatchCursor cursor(store, 0, with_nodes);
    ASSERT_TRUE(std::holds_alternative<const Entry*>(cursor.Take(store)));
    for (int i = 0; i < 100; ++i) store.AppendEnvelope(EntryKind::kThinnable, State(), milliseconds(0));
    const auto item = cursor.Take(store);
    const v1::Gap* gap = std::get_if<v1::Gap>(&item);
    ASSERT_NE(gap, nullptr);
    EXPECT_EQ(gap->first_sequence(), 2);
    EXPECT_EQ(gap->node_events(), 0);
    const auto next = cursor.Take(store);
    EXPECT_EQ(std::get<const Entry*>(next)->sequence, gap->last_sequence() + 1);
  }
}

TEST(WatchCursor, NodeBatchesThatAreNotWantedAreNoGap) {
  EventStore store("jobs/1");
  store.AppendEnvelope(EntryKind::kLasting, State(), milliseconds(0));
  store.AppendNodes(10, "x", milliseconds(0));
  store.AppendEnvelope(EntryKind::kLasting, State(), milliseconds(0));
  WatchCursor cursor(store, 0, false);
  EXPECT_EQ(std::get<const Entry*>(cursor.Take(store))->sequence, 1);
  EXPECT_EQ(std::get<const Entry*>(cursor.Take(store))->sequence, 3);
}

}  // namespace
}  // namespace astrolabe::jobs
