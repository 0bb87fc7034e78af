// Watchers of node events: lossless by credit, DROP with gaps, nobody slows another.
#include "tests/daemon/jobs/service_fixture.h"

namespace astrolabe::jobs {
namespace {

constexpr int64_t kBatchBytes = 16 << 10;

std::string Batch(int64_t first, int64_t count) {
  v1::NodeBatch batch;
  batch.set_first_ordinal(first);
  batch.set_count(count);
  batch.add_nodes()->set_text(std::string(kBatchBytes, 'n'));
  return batch.SerializeAsString();
}

class Watching : public ServiceFixture {
 protected:
  Watching() { options.node_log_bytes = 256 << 10; }

  static v1::WatchOptions Overflow(v1::Overflow overflow) {
    v1::WatchOptions options;
    options.set_overflow(overflow);
    return options;
  }
  void Start(const v1::WatchOptions& watch) {
    solving.emplace(Solve(RecordingSpec(), watch));
    worker = pool.WaitWorker(0);
    credit = worker->sent()[0].run().initial_credit_bytes();
  }
  // Sends batches of 10 events as an honest worker does: only while it has credit. Returns how many went out.
  int Send(int most) {
    int count = 0;
    while (count < most && Left() > 0) {
      const std::string batch = Batch(sent * 10, 10);
      spent += static_cast<int64_t>(batch.size());
      worker->Nodes(sent * 10, 10, batch);
      ++sent;
      ++count;
    }
    return count;
  }
  int64_t Left() const { return credit + worker->credit() - spent; }
  // Credit frames go out on a work thread.
  void WaitForCredit() {
    worker->WaitFor([this](const FakeWorker&) { return Left() > 0; });
  }
  static int64_t NodeEvents(const std::vector<v1::Event>& events) {
    int64_t nodes = 0;
    for (const v1::Event& event : events) nodes += event.nodes().count();
    return nodes;
  }
  static int64_t LostEvents(const std::vector<v1::Event>& events) {
    int64_t nodes = 0;
    for (const v1::Event& event : events) nodes += event.gap().node_events();
    return nodes;
  }

  std::optional<JobService::Solving> solving;
  FakeWorkerPtr worker;
  int64_t credit = 0;
  int64_t spent = 0;
  int64_t sent = 0;
};

TEST_F(Watching, BlockGetsEveryEventInOrderWhileMemoryStaysBounded) {
  Start({});  // Solve blocks by default
  std::vector<v1::Event> events;
  int64_t next = 0;
  while (sent < 500) {
    Send(500);
    EXPECT_LE(sent * kBatchBytes - next * kBatchBytes / 10, credit + 2 * kBatchBytes) << "more than the window is out";
    for (v1::Event& event : TakeAll(solving->watch.get())) {
      if (event.has_nodes()) {
        EXPECT_EQ(event.nodes().first_ordinal(), next);
        next += event.nodes().count();
      }
      EXPECT_FALSE(event.has_gap());
      event.clear_nodes();
      events.push_back(event);
    }
    WaitForCredit();
  }
  worker->SaySolved();
  for (v1::Event& event : TakeAll(solving->watch.get())) {
    next += event.nodes().count();
    events.push_back(event);
  }
  EXPECT_EQ(next, sent * 10);
  ExpectDense(events);
  const v1::Result result = ResultOf(events);
  EXPECT_EQ(result.events().recorded(), sent * 10);
}

TEST_F(Watching, ABlockWatcherThatTakesNothingHoldsTheSearchButNotProgressOrCancel) {
  Start({});
  while (Send(1) == 1) {
  }
  const int64_t held_at = sent;
  EXPECT_LE(held_at * kBatchBytes, credit + kBatchBytes);
  time.Advance(seconds(1));
  EXPECT_EQ(Send(1), 0);
  worker->SayProgress(77);
  EXPECT_EQ(Get(solving->name).progress().expanded(), 77);
  (void)service().CancelJob(solving->name);
  time.Advance(milliseconds(50));
  EXPECT_EQ(Get(solving->name).state(), v1::JOB_STATE_DONE);
  const std::vector<v1::Event> events = TakeAll(solving->watch.get());
  EXPECT_EQ(NodeEvents(events), held_at * 10) << "what was recorded is still delivered";
  EXPECT_EQ(ResultOf(events).outcome(), v1::OUTCOME_CANCELLED);
}

TEST_F(Watching, WithoutABlockWatcherTheSearchNeverWaits) {
  Start(Overflow(v1::OVERFLOW_DROP));
  while (sent < 200) {
    Send(200);
    WaitForCredit();
  }
  const v1::Job job = Get(solving->name);
  EXPECT_GT(job.first_sequence(), 3);
  worker->SaySolved();
  const std::vector<v1::Event> events = TakeAll(solving->watch.get());
  EXPECT_TRUE(events[0].has_accepted());
  EXPECT_EQ(NodeEvents(events) + LostEvents(events), sent * 10);
  EXPECT_GT(LostEvents(events), 0);
  const auto gap = std::find_if(events.begin(), events.end(), [](const v1::Event& e) { return e.has_gap(); });
  ASSERT_NE(gap, events.end());
  EXPECT_EQ(gap->sequence(), 0);
  EXPECT_EQ(gap->gap().first_sequence(), 3);
  EXPECT_EQ(gap->gap().last_sequence(), job.first_sequence() - 1);
  EXPECT_EQ(gap->gap().reason(), v1::GAP_REASON_SLOW_WATCHER);
  EXPECT_EQ((gap + 1)->sequence(), gap->gap().last_sequence() + 1);
  EXPECT_EQ(ResultOf(events).events().dropped(), LostEvents(events));
}

TEST_F(Watching, ASlowDropWatcherNeverSlowsABlockWatcher) {
  Start({});
  const auto slow = Attach(solving->name, 0, Overflow(v1::OVERFLOW_DROP));
  int64_t taken = 0;
  while (sent < 300) {
    Send(300);
    taken += NodeEvents(TakeAll(solving->watch.get()));
    WaitForCredit();
  }
  EXPECT_EQ(taken, sent * 10);
  const std::vector<v1::Event> late = TakeAll(slow.get());
  EXPECT_EQ(NodeEvents(late) + LostEvents(late), sent * 10);
}

TEST_F(Watching, ABlockWatcherThatLeavesSetsTheSearchFree) {
  Start({});
  while (Send(1) == 1) {
  }
  solving->watch.reset();
  WaitForCredit();
  EXPECT_GT(Send(10), 0);
}

TEST_F(Watching, AfterTheBlockTimeoutItBecomesDropWithAGapAndKeepsTheEnvelopes) {
  Start({});
  TakeAll(solving->watch.get());  // accepted, PREPARING
  while (Send(1) == 1) {
  }
  const int64_t skipped = sent;
  worker->SayState(v1::JOB_STATE_SEARCHING);
  time.Advance(milliseconds(29999));
  EXPECT_EQ(Send(1), 0);
  time.Advance(milliseconds(1));
  WaitForCredit();
  EXPECT_EQ(Send(1), 1);
  worker->SaySolved();
  const std::vector<v1::Event> events = TakeAll(solving->watch.get());
  ASSERT_EQ(events.size(), 4u);
  EXPECT_EQ(events[0].gap().reason(), v1::GAP_REASON_BLOCK_TIMEOUT);
  EXPECT_EQ(events[0].gap().first_sequence(), 3);
  EXPECT_EQ(events[0].gap().last_sequence(), 2 + skipped);
  EXPECT_EQ(events[0].gap().node_events(), skipped * 10);
  EXPECT_EQ(events[1].state().state(), v1::JOB_STATE_SEARCHING);
  EXPECT_EQ(events[2].nodes().first_ordinal(), skipped * 10);
  EXPECT_EQ(ResultOf(events).events().dropped(), skipped * 10);
}

TEST_F(Watching, WhatItMissesAfterTheBlockTimeoutIsAGapOfItsOwnForASlowWatcher) {
  Start({});
  TakeAll(solving->watch.get());
  while (Send(1) == 1) {
  }
  const int64_t skipped = sent;
  time.Advance(seconds(30));
  WaitForCredit();
  while (Get(solving->name).first_sequence() <= 2 + skipped + 5) {  // all that it skipped is evicted, and more
    Send(10);
    WaitForCredit();
  }
  worker->SaySolved();
  const std::vector<v1::Event> events = TakeAll(solving->watch.get());
  ASSERT_GE(events.size(), 3u);
  EXPECT_EQ(events[0].gap().reason(), v1::GAP_REASON_BLOCK_TIMEOUT);
  EXPECT_EQ(events[0].gap().last_sequence(), 2 + skipped);
  EXPECT_EQ(events[0].gap().node_events(), skipped * 10);
  EXPECT_EQ(events[1].gap().reason(), v1::GAP_REASON_SLOW_WATCHER);
  EXPECT_EQ(events[1].gap().first_sequence(), 3 + skipped);
  EXPECT_EQ(events[1].gap().node_events(), events[2].nodes().first_ordinal() - skipped * 10);
  EXPECT_EQ(NodeEvents(events) + LostEvents(events), sent * 10);
}

TEST_F(Watching, AReaderThatTakesSomethingNowAndThenIsNotTimedOut) {
  Start({});
  while (Send(1) == 1) {
  }
  for (int i = 0; i < 5; ++i) {
    time.Advance(seconds(20));
    EXPECT_TRUE(TakeOne(solving->watch.get())->gap().reason() == v1::GAP_REASON_UNSPECIFIED);
  }
  const std::vector<v1::Event> events = TakeAll(solving->watch.get());
  EXPECT_EQ(LostEvents(events), 0);
}

TEST_F(Watching, BlockFromASequenceThatWasEvictedIsOutOfRange) {
  Start(Overflow(v1::OVERFLOW_DROP));
  while (sent < 100) {
    Send(100);
    WaitForCredit();
  }
  const v1::Job job = Get(solving->name);
  const auto refused = service().WatchJob(solving->name, 3, Overflow(v1::OVERFLOW_BLOCK));
  ASSERT_FALSE(refused.ok());
  EXPECT_EQ(refused.error().code, ErrorCode::kOutOfRange);
  EXPECT_EQ(refused.error().metadata.at("oldest_sequence"), std::to_string(job.first_sequence()));
  EXPECT_EQ(refused.error().metadata.at("newest_sequence"), std::to_string(job.last_sequence()));
  // From the oldest that is whole it works, and DROP gets a gap instead.
  const auto whole = Attach(solving->name, job.first_sequence(), Overflow(v1::OVERFLOW_BLOCK));
  EXPECT_EQ(TakeOne(whole.get())->sequence(), job.first_sequence());
  const auto drop = Attach(solving->name, 3, Overflow(v1::OVERFLOW_DROP));
  EXPECT_EQ(TakeOne(drop.get())->gap().reason(), v1::GAP_REASON_EVICTED);
}

TEST_F(Watching, WhatABlockWatcherHasYetToTakeIsNotEvicted) {
  Start(Overflow(v1::OVERFLOW_DROP));
  while (sent < 30) {
    Send(30);
    WaitForCredit();
  }
  const int64_t oldest = Get(solving->name).first_sequence();
  const auto block = Attach(solving->name, oldest, Overflow(v1::OVERFLOW_BLOCK));
  while (Send(1) == 1) {
  }
  EXPECT_EQ(Get(solving->name).first_sequence(), oldest);
  const std::vector<v1::Event> events = TakeAll(block.get());
  EXPECT_EQ(LostEvents(events), 0);
  EXPECT_EQ(events.front().sequence(), oldest);
}

TEST_F(Watching, AFutureSequenceIsOutOfRangeButTheNextIsFine) {
  Start({});
  const int64_t last = Get(solving->name).last_sequence();
  EXPECT_EQ(service().WatchJob(solving->name, last + 2, {}).error().code, ErrorCode::kOutOfRange);
  EXPECT_EQ(service().WatchJob(solving->name, -1, {}).error().code, ErrorCode::kInvalidArgument);
  const auto next = Attach(solving->name, last + 1);
  EXPECT_FALSE(TakeOne(next.get()).has_value());
  worker->SayState(v1::JOB_STATE_SEARCHING);
  EXPECT_EQ(TakeOne(next.get())->sequence(), last + 1);
}

TEST_F(Watching, WithoutNodesLeavesOutBatchesAndNeverHoldsTheSearch) {
  v1::WatchOptions quiet;
  quiet.set_without_nodes(true);
  quiet.set_overflow(v1::OVERFLOW_BLOCK);
  Start(quiet);
  while (sent < 100) {
    Send(100);
    WaitForCredit();
  }
  worker->SaySolved();
  const std::vector<v1::Event> events = TakeAll(solving->watch.get());
  EXPECT_EQ(Kinds(events), (std::vector<int>{v1::Event::kAccepted, v1::Event::kState, v1::Event::kResult}));
}

TEST_F(Watching, SilenceBringsAHeartbeatWithTheLastSequence) {
  Start({});
  int notified = 0;
  solving->watch->SetNotify([&] { ++notified; });
  TakeAll(solving->watch.get());
  time.Advance(milliseconds(14999));
  EXPECT_EQ(notified, 0);
  time.Advance(milliseconds(1));
  EXPECT_EQ(notified, 1);
  const auto event = TakeOne(solving->watch.get());
  ASSERT_TRUE(event.has_value());
  EXPECT_EQ(event->sequence(), 0);
  EXPECT_EQ(event->heartbeat().last_sequence(), 2);
  EXPECT_FALSE(TakeOne(solving->watch.get()).has_value());
  time.Advance(seconds(15));
  EXPECT_EQ(notified, 2);
}

TEST_F(Watching, ProgressIsDeliveredInTheMiddleOfAStreamOfNodes) {
  Start({});
  Send(5);
  worker->SayProgress(9);
  EXPECT_TRUE(TakeOne(solving->watch.get())->has_accepted());
  EXPECT_TRUE(TakeOne(solving->watch.get())->has_progress());
}

TEST_F(Watching, NodesOfAJobThatDidNotAskForThemAreIgnored) {
  auto plain = Solve(SmallSpec());
  pool.WaitWorker(0)->Nodes(0, 10, Batch(0, 10));
  pool.WaitWorker(0)->SaySolved();
  EXPECT_EQ(NodeEvents(TakeAll(plain.watch.get())), 0);
}

}  // namespace
}  // namespace astrolabe::jobs
