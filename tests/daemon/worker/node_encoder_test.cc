#include "daemon/worker/node_encoder.h"

#include <gtest/gtest.h>
#include <time.h>

#include <algorithm>
#include <chrono>
#include <functional>
#include <random>

#include "astrolabe/v1/event.pb.h"

namespace astrolabe::worker {
namespace {

struct Event {
  engine::NodeRecord record;
  NodeDetail detail;
  std::string state;
  std::string text;
  std::string op_name;
};

void ExpectSame(const Event& expected, const v1::NodeEvent& event) {
  EXPECT_EQ(event.kind(), static_cast<int>(expected.record.kind));
  EXPECT_EQ(event.node(), expected.record.node);
  EXPECT_EQ(event.parent(), expected.record.parent);
  EXPECT_EQ(event.op(), expected.record.op == engine::kNoOp ? 0 : expected.record.op);
  const bool costs = expected.detail >= NodeDetail::kCosts;
  EXPECT_EQ(event.g(), costs ? expected.record.g : 0);
  EXPECT_EQ(event.h(), costs ? expected.record.h : 0);
  EXPECT_EQ(event.depth(), costs ? expected.record.depth : 0);
  EXPECT_EQ(event.state(), expected.state);
  EXPECT_EQ(event.text(), expected.text);
  EXPECT_EQ(event.op_name(), expected.op_name);
}

TEST(NodeEncoder, WritesWhatProtobufReads) {
  std::mt19937_64 random(3);
  std::vector<Event> events;
  const auto any = [&](int64_t) { return static_cast<int64_t>(random() >> (1 + random() % 62)); };
  for (int i = 0; i < 3000; ++i) {
    Event event;
    event.record.kind = static_cast<engine::NodeKind>(1 + i % 10);
    event.record.node = random();
    event.record.parent = i % 7 == 0 ? 0 : random();
    event.record.op = i % 5 == 0 ? engine::kNoOp : static_cast<uint32_t>(random() >> (random() % 32 + 32));
    if (event.record.op == engine::kNoOp - 1) event.record.op = 0;
    event.record.g = any(0);
    event.record.h = i % 11 == 0 ? engine::kInfinity : any(0);
    event.record.depth = i % 13 == 0 ? -any(0) : any(0);
    event.detail = static_cast<NodeDetail>(1 + i % 4);
    if (event.detail >= NodeDetail::kState) event.state.assign(random() % 300, static_cast<char>(random()));
    if (event.detail == NodeDetail::kText) event.text.assign(random() % 20, 't');
    if (event.detail == NodeDetail::kText) event.op_name.assign(random() % 20, 'o');
    events.push_back(event);
  }
  NodeBuffer buffer;
  for (const Event& event : events) {
    buffer.Append(event.record, event.detail, event.state, event.text, event.op_name);
  }
  EXPECT_EQ(buffer.count(), 3000);
  v1::NodeBatch batch;
  ASSERT_TRUE(batch.ParseFromString(EncodeBatchHead(17, 3000, 1 << 20) + std::string(buffer.bytes())));
  EXPECT_EQ(batch.first_ordinal(), 17);
  EXPECT_EQ(batch.count(), 3000);
  EXPECT_EQ(batch.seen(), 1 << 20);
  ASSERT_EQ(batch.nodes_size(), 3000);
  for (int i = 0; i < batch.nodes_size(); ++i) ExpectSame(events[static_cast<size_t>(i)], batch.nodes(i));
}

TEST(NodeEncoder, TheLargestStateFits) {
  NodeBuffer buffer;
  engine::NodeRecord record;
  record.node = 1;
  buffer.Append(record, NodeDetail::kState, std::string(kMaxEventState, 's'), "");
  v1::NodeBatch batch;
  ASSERT_TRUE(batch.ParseFromString(std::string(buffer.bytes())));
  EXPECT_EQ(batch.nodes(0).state().size(), kMaxEventState);
}

TEST(NodeEncoder, AClearedBufferStartsAnew) {
  NodeBuffer buffer;
  buffer.Append({}, NodeDetail::kIds, "", "");
  buffer.Clear();
  EXPECT_EQ(buffer.count(), 0);
  EXPECT_TRUE(buffer.bytes().empty());
}

#ifndef ASTROLABE_SANITIZED
std::chrono::nanoseconds ThreadCpuTime() {
  timespec now{};
  ::clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return std::chrono::seconds(now.tv_sec) + std::chrono::nanoseconds(now.tv_nsec);
}

// Or its hand-written bytes were not worth having. By rounds in turn, the best of each.
TEST(NodeEncoder, IsMuchFasterThanProtobuf) {
  engine::NodeRecord record;
  record.kind = engine::NodeKind::kExpanding;
  record.op = 9;
  record.g = 31;
  record.h = 22;
  record.depth = 31;
  const std::string state(8, 'x');
  constexpr int kEvents = 200'000;
  const auto time = [&](const std::function<void()>& append) {
    const auto start = ThreadCpuTime();
    for (int i = 0; i < kEvents; ++i) {
      record.node = static_cast<uint64_t>(i) * 0x9E3779B97F4A7C15;
      append();
    }
    return ThreadCpuTime() - start;
  };
  NodeBuffer buffer;
  v1::NodeBatch batch;
  std::string bytes;
  auto ours = std::chrono::nanoseconds::max();
  auto protobuf = ours;
  for (int round = 0; round < 5; ++round) {
    ours = std::min(ours, time([&] {
                      buffer.Append(record, NodeDetail::kState, state, "");
                      if (buffer.count() == 512) buffer.Clear();
                    }));
    protobuf = std::min(protobuf, time([&] {
                          v1::NodeEvent& event = *batch.add_nodes();
                          event.set_kind(static_cast<v1::NodeKind>(record.kind));
                          event.set_node(record.node);
                          event.set_op(record.op);
                          event.set_g(record.g);
                          event.set_h(record.h);
                          event.set_depth(record.depth);
                          event.set_state(state);
                          if (batch.nodes_size() < 512) return;
                          batch.SerializeToString(&bytes);
                          batch.clear_nodes();
                        }));
  }
  RecordProperty("times_as_fast", std::to_string(static_cast<double>(protobuf.count()) / ours.count()));
  EXPECT_GT(protobuf, 2 * ours);
}
#endif

}  // namespace
}  // namespace astrolabe::worker
