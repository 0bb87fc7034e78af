#include "daemon/worker/node_encoder.h"

#include <algorithm>
#include <bit>
#include <cstring>

namespace astrolabe::worker {
namespace {

// Tags: field number * 8 + wire type (0 varint, 1 fixed64, 2 bytes).
constexpr char kBatchFirstOrdinal = 1 << 3;
constexpr char kBatchCount = 2 << 3;
constexpr char kBatchSeen = 3 << 3;
constexpr char kBatchNodes = 4 << 3 | 2;
constexpr char kKind = 1 << 3;
constexpr char kNode = 2 << 3 | 1;
constexpr char kParent = 3 << 3 | 1;
constexpr char kOp = 4 << 3;
constexpr char kG = 5 << 3;
constexpr char kH = 6 << 3;
constexpr char kDepth = 7 << 3;
constexpr char kState = 8 << 3 | 2;
constexpr char kText = 9 << 3 | 2;
constexpr char kOpName = 10 << 3 | 2;

// All fixed parts of an event at their longest, with the batch's tag and length.
constexpr size_t kMaxHead = 96;

size_t VarintSize(uint64_t value) { return (static_cast<size_t>(std::bit_width(value | 1)) + 6) / 7; }

char* PutVarint(char* at, uint64_t value) {
  while (value >= 0x80) {
    *at++ = static_cast<char>(value | 0x80);
    value >>= 7;
  }
  *at++ = static_cast<char>(value);
  return at;
}

char* PutField(char* at, char tag, uint64_t value) {
  *at++ = tag;
  return PutVarint(at, value);
}

char* PutFixed(char* at, char tag, uint64_t value) {
  static_assert(std::endian::native == std::endian::little);
  *at++ = tag;
  std::memcpy(at, &value, sizeof value);
  return at + sizeof value;
}

char* PutBytes(char* at, char tag, std::string_view bytes) {
  at = PutField(at, tag, bytes.size());
  std::memcpy(at, bytes.data(), bytes.size());
  return at + bytes.size();
}

size_t BytesFieldSize(std::string_view bytes) {
  return bytes.empty() ? 0 : 1 + VarintSize(bytes.size()) + bytes.size();
}

}  // namespace

void NodeBuffer::Grow(size_t more) {
  const size_t capacity = std::max<size_t>(capacity_ * 2, std::max<size_t>(size_ + more, 64 << 10));
  auto grown = std::make_unique_for_overwrite<char[]>(capacity);
  if (size_ > 0) std::memcpy(grown.get(), data_.get(), size_);
  data_ = std::move(grown);
  capacity_ = capacity;
}

void NodeBuffer::Append(const engine::NodeRecord& record, NodeDetail detail, std::string_view state,
                        std::string_view text, std::string_view op_name) {
  const uint64_t g = static_cast<uint64_t>(record.g);
  const uint64_t h = static_cast<uint64_t>(record.h);
  const uint64_t depth = static_cast<uint64_t>(record.depth);
  const bool costs = detail >= NodeDetail::kCosts;
  const bool has_op = record.op != engine::kNoOp;

  size_t size = 2 + 9 + 9;  // kind is below 128
  if (has_op) size += 1 + VarintSize(record.op);
  if (costs) size += 3 + VarintSize(g) + VarintSize(h) + VarintSize(depth);
  size += BytesFieldSize(state) + BytesFieldSize(text) + BytesFieldSize(op_name);

  Reserve(size + kMaxHead);
  char* at = data_.get() + size_;
  at = PutField(at, kBatchNodes, size);
  *at++ = kKind;
  *at++ = static_cast<char>(record.kind);
  at = PutFixed(at, kNode, record.node);
  at = PutFixed(at, kParent, record.parent);
  if (has_op) at = PutField(at, kOp, record.op);
  if (costs) {
    at = PutField(at, kG, g);
    at = PutField(at, kH, h);
    at = PutField(at, kDepth, depth);
  }
  if (!state.empty()) at = PutBytes(at, kState, state);
  if (!text.empty()) at = PutBytes(at, kText, text);
  if (!op_name.empty()) at = PutBytes(at, kOpName, op_name);
  size_ = static_cast<size_t>(at - data_.get());
  ++count_;
}

std::string EncodeBatchHead(int64_t first_ordinal, int64_t count, int64_t seen) {
  char buffer[40];
  char* at = PutField(buffer, kBatchFirstOrdinal, static_cast<uint64_t>(first_ordinal));
  at = PutField(at, kBatchCount, static_cast<uint64_t>(count));
  at = PutField(at, kBatchSeen, static_cast<uint64_t>(seen));
  return std::string(buffer, static_cast<size_t>(at - buffer));
}

}  // namespace astrolabe::worker
