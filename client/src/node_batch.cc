#include "client/src/node_batch.h"

#include <utility>

#include "client/src/convert_common.h"
#include "client/src/wire_reader.h"

namespace astrolabe::client {
namespace {

constexpr uint32_t Tag(uint32_t field, WireType type) { return field << 3 | type; }

bool DecodeNode(std::string_view bytes, NodeEvent* node) {
  WireReader reader(bytes);
  while (reader.more()) {
    const uint32_t tag = reader.Tag();
    switch (tag) {
      case Tag(1, kVarint):
        node->kind = static_cast<NodeKind>(reader.Varint());
        break;
      case Tag(2, kFixed64):
        node->node = reader.Fixed64();
        break;
      case Tag(3, kFixed64):
        node->parent = reader.Fixed64();
        break;
      case Tag(4, kVarint):
        node->op = static_cast<uint32_t>(reader.Varint());
        break;
      case Tag(5, kVarint):
        node->g = static_cast<int64_t>(reader.Varint());
        break;
      case Tag(6, kVarint):
        node->h = static_cast<int64_t>(reader.Varint());
        break;
      case Tag(7, kVarint):
        node->depth = static_cast<int64_t>(reader.Varint());
        break;
      case Tag(8, kBytes):
        node->state = reader.Bytes();
        break;
      case Tag(9, kBytes):
        node->text = reader.Bytes();
        break;
      case Tag(10, kBytes):
        node->op_name = reader.Bytes();
        break;
      default:
        reader.Skip(tag);
    }
  }
  return reader.ok();
}

bool DecodeElapsed(std::string_view bytes, Duration* elapsed) {
  google::protobuf::Duration proto;
  if (!proto.ParseFromArray(bytes.data(), static_cast<int>(bytes.size()))) return false;
  *elapsed = FromProto(proto);
  return true;
}

}  // namespace

bool DecodeNodeBatch(std::shared_ptr<const std::string> storage, size_t offset, NodeBatch* batch, size_t size) {
  batch->first_ordinal = batch->count = batch->seen = 0;
  WireReader reader(std::string_view(*storage).substr(offset, size));
  // Fields are left as the last batch had them and set anew: a vector that only ever grows is filled fastest.
  size_t used = 0;
  bool nodes_ok = true;
  while (reader.more()) {
    const uint32_t tag = reader.Tag();
    switch (tag) {
      case Tag(1, kVarint):
        batch->first_ordinal = static_cast<int64_t>(reader.Varint());
        break;
      case Tag(2, kVarint):
        batch->count = static_cast<int64_t>(reader.Varint());
        break;
      case Tag(3, kVarint):
        batch->seen = static_cast<int64_t>(reader.Varint());
        break;
      case Tag(4, kBytes):
        if (used == batch->nodes.size()) {
          batch->nodes.emplace_back();
        } else {
          batch->nodes[used] = NodeEvent();
        }
        nodes_ok &= DecodeNode(reader.Bytes(), &batch->nodes[used++]);
        break;
      default:
        reader.Skip(tag);
    }
  }
  batch->nodes.resize(used);
  batch->storage = std::move(storage);
  return reader.ok() && nodes_ok;
}

bool DecodeNodesResponse(const std::shared_ptr<const std::string>& message, Event* event) {
  WireReader response(*message);
  if (!response.more() || response.Tag() != Tag(1, kBytes)) return false;
  WireReader reader(response.Bytes());
  // Anything after the event (a field of a newer server, or the event in two parts) is rare: protobuf merges it.
  if (!response.ok() || response.more()) return false;

  event->sequence = 0;
  event->elapsed = Duration(0);
  std::string_view job;
  std::string_view nodes;
  bool found = false;
  while (reader.more()) {
    const uint32_t tag = reader.Tag();
    switch (tag) {
      case Tag(1, kBytes):
        job = reader.Bytes();
        break;
      case Tag(2, kVarint):
        event->sequence = static_cast<int64_t>(reader.Varint());
        break;
      case Tag(3, kBytes):
        if (!DecodeElapsed(reader.Bytes(), &event->elapsed)) return false;
        break;
      case Tag(8, kBytes):
        if (found) return false;
        nodes = reader.Bytes();
        found = true;
        break;
      default:
        return false;
    }
  }
  if (!reader.ok() || !found) return false;
  event->job.assign(job);
  auto* batch = std::get_if<NodeBatch>(&event->body);
  if (batch == nullptr) batch = &event->body.emplace<NodeBatch>();
  return DecodeNodeBatch(message, nodes.data() - message->data(), batch, nodes.size());
}

}  // namespace astrolabe::client
