#include "client/src/node_batch.h"

#include <gtest/gtest.h>

#include <random>

#include "astrolabe/v1/solver.pb.h"

namespace astrolabe::client {
namespace {

v1::NodeBatch RandomBatch(std::mt19937_64& random, int count) {
  v1::NodeBatch batch;
  batch.set_first_ordinal(static_cast<int64_t>(random() >> 1));
  batch.set_count(count);
  batch.set_seen(static_cast<int64_t>(random() >> 1));
  for (int i = 0; i < count; ++i) {
    v1::NodeEvent* node = batch.add_nodes();
    node->set_kind(static_cast<v1::NodeKind>(random() % 11));
    node->set_node(random());
    node->set_parent(random());
    node->set_op(static_cast<uint32_t>(random()));
    node->set_g(static_cast<int64_t>(random()));  // negative ones too: ten bytes on the wire
    node->set_h(static_cast<int64_t>(random() >> (random() % 64)));
    node->set_depth(static_cast<int64_t>(random() % 100));
    node->set_state(std::string(random() % 40, static_cast<char>(random())));
    if (random() % 2 == 0) node->set_text("text");
    if (random() % 2 == 0) node->set_op_name("UP");
  }
  return batch;
}

void ExpectEqual(const NodeBatch& batch, const v1::NodeBatch& proto) {
  EXPECT_EQ(batch.first_ordinal, proto.first_ordinal());
  EXPECT_EQ(batch.count, proto.count());
  EXPECT_EQ(batch.seen, proto.seen());
  ASSERT_EQ(batch.nodes.size(), static_cast<size_t>(proto.nodes_size()));
  for (int i = 0; i < proto.nodes_size(); ++i) {
    const v1::NodeEvent& expected = proto.nodes(i);
    const NodeEvent& node = batch.nodes[i];
    EXPECT_EQ(static_cast<int>(node.kind), expected.kind());
    EXPECT_EQ(node.node, expected.node());
    EXPECT_EQ(node.parent, expected.parent());
    EXPECT_EQ(node.op, expected.op());
    EXPECT_EQ(node.g, expected.g());
    EXPECT_EQ(node.h, expected.h());
    EXPECT_EQ(node.depth, expected.depth());
    EXPECT_EQ(node.state, expected.state());
    EXPECT_EQ(node.text, expected.text());
    EXPECT_EQ(node.op_name, expected.op_name());
  }
}

TEST(NodeBatch, IsReadAsProtobufReadsIt) {
  std::mt19937_64 random(1);
  NodeBatch batch;  // reused: what an earlier batch left must not show
  for (int round = 0; round < 200; ++round) {
    const v1::NodeBatch proto = RandomBatch(random, static_cast<int>(random() % 20));
    ASSERT_TRUE(DecodeNodeBatch(std::make_shared<const std::string>(proto.SerializeAsString()), 0, &batch));
    ExpectEqual(batch, proto);
  }
}

TEST(NodeBatch, DamagedBytesAreJudgedAsProtobufJudgesThem) {
  std::mt19937_64 random(2);
  int refused = 0;
  int different = 0;
  for (int round = 0; round < 20000; ++round) {
    v1::NodeBatch proto = RandomBatch(random, 2);
    for (auto& node : *proto.mutable_nodes()) node.clear_text();  // protobuf also looks at the letters of text
    std::string bytes = proto.SerializeAsString();
    for (uint64_t i = 0; i <= random() % 3; ++i) bytes[random() % bytes.size()] = static_cast<char>(random());
    if (random() % 3 == 0) bytes.resize(random() % bytes.size());
    v1::NodeBatch read;
    const bool expected = read.ParseFromString(bytes);
    NodeBatch batch;
    const bool accepted = DecodeNodeBatch(std::make_shared<const std::string>(bytes), 0, &batch);
    // Groups, which proto3 never makes, are refused here alone, and text that is not UTF-8 is taken here alone: too
    // rare in this damage to count. All else must agree.
    if (expected && accepted) ExpectEqual(batch, read);
    if (expected != accepted) ++different;
    if (!expected) ++refused;
  }
  EXPECT_GT(refused, 1000) << "the damage must be real";
  EXPECT_LT(different, 200);
}

TEST(NodeBatch, UnknownFieldsArePassedOver) {
  v1::NodeBatch proto;
  proto.set_count(1);
  const std::string node = std::string("\x08\x02", 2) +                                   // kind
                           std::string("\xA5\x06\x01\x02\x03\x04", 6) +                   // field 100, 32 bits
                           std::string("\xA1\x06\x01\x02\x03\x04\x05\x06\x07\x08", 10) +  // field 100, 64 bits
                           std::string("\xA2\x06\x01x", 4) +
                           std::string("\xA0\x06\x05", 3);  // field 100, bytes and varint
  std::string bytes = proto.SerializeAsString();
  bytes += "\x22";
  bytes += static_cast<char>(node.size());
  bytes += node;
  NodeBatch batch;
  ASSERT_TRUE(DecodeNodeBatch(std::make_shared<const std::string>(bytes), 0, &batch));
  ASSERT_EQ(batch.nodes.size(), 1u);
  EXPECT_EQ(batch.nodes[0].kind, NodeKind::kExpanding);
}

v1::SolveResponse Response() {
  std::mt19937_64 random(3);
  v1::SolveResponse response;
  v1::Event* event = response.mutable_event();
  event->set_job("jobs/1");
  event->set_sequence(5);
  event->mutable_elapsed()->set_seconds(2);
  *event->mutable_nodes() = RandomBatch(random, 3);
  return response;
}

TEST(NodesResponse, IsDecodedWithItsEnvelope) {
  const v1::SolveResponse response = Response();
  Event event;
  ASSERT_TRUE(DecodeNodesResponse(std::make_shared<const std::string>(response.SerializeAsString()), &event));
  EXPECT_EQ(event.job, "jobs/1");
  EXPECT_EQ(event.sequence, 5);
  EXPECT_EQ(event.elapsed, std::chrono::seconds(2));
  ASSERT_NE(event.As<NodeBatch>(), nullptr);
  ExpectEqual(*event.As<NodeBatch>(), response.event().nodes());
}

TEST(NodesResponse, TheStatesLiveAsLongAsACopyOfTheBatch) {
  NodeBatch copy;
  {
    Event event;
    ASSERT_TRUE(DecodeNodesResponse(std::make_shared<const std::string>(Response().SerializeAsString()), &event));
    copy = *event.As<NodeBatch>();
  }
  ExpectEqual(copy, Response().event().nodes());
}

TEST(NodesResponse, EverythingElseIsLeftToProtobuf) {
  v1::SolveResponse response;
  response.mutable_event()->mutable_progress()->set_expanded(1);
  Event event;
  EXPECT_FALSE(DecodeNodesResponse(std::make_shared<const std::string>(response.SerializeAsString()), &event));
  EXPECT_FALSE(DecodeNodesResponse(std::make_shared<const std::string>(), &event));
  const std::string twice = Response().SerializeAsString() + Response().SerializeAsString();
  EXPECT_FALSE(DecodeNodesResponse(std::make_shared<const std::string>(twice), &event));
}

}  // namespace
}  // namespace astrolabe::client
