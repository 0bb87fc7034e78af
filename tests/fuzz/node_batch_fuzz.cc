// Fuzzes the client's own reader of node batches against protobuf's: what both take, they understand alike.
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>

#include "astrolabe/v1/event.pb.h"
#include "client/src/node_batch.h"
#include "tests/fuzz/demand.h"

using fuzz::Demand;

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const auto storage = std::make_shared<const std::string>(reinterpret_cast<const char*>(data), size);
  astrolabe::client::NodeBatch batch;
  const bool ours = DecodeNodeBatch(storage, 0, &batch);
  astrolabe::client::Event event;
  (void)DecodeNodesResponse(storage, &event);
  astrolabe::v1::NodeBatch proto;
  if (!proto.ParseFromString(*storage) || !ours) return 0;
  Demand(batch.first_ordinal == proto.first_ordinal() && batch.count == proto.count() && batch.seen == proto.seen());
  Demand(batch.nodes.size() == static_cast<size_t>(proto.nodes_size()));
  for (int i = 0; i < proto.nodes_size(); ++i) {
    const auto& node = batch.nodes[static_cast<size_t>(i)];
    const auto& expected = proto.nodes(i);
    Demand(static_cast<int>(node.kind) == expected.kind() && node.node == expected.node());
    Demand(node.parent == expected.parent() && node.op == expected.op() && node.g == expected.g());
    Demand(node.h == expected.h() && node.depth == expected.depth());
    Demand(node.state == expected.state() && node.text == expected.text());
  }
  return 0;
}
