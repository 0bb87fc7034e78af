// Hand-written wire bytes of astrolabe.v1.NodeEvent: several times faster than the generated code, which
// would build an object for each event. Field numbers are those of event.proto, compared by a test.
#ifndef ASTROLABE_DAEMON_WORKER_NODE_ENCODER_H_
#define ASTROLABE_DAEMON_WORKER_NODE_ENCODER_H_

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

#include "daemon/engine/search.h"

namespace astrolabe::worker {

// States above this are left out of node events.
inline constexpr size_t kMaxEventState = 16 << 10;

// Values equal astrolabe.v1.NodeDetail; each includes those above it.
enum class NodeDetail { kIds = 1, kCosts = 2, kState = 3, kText = 4 };

// Encoded events, as a run of field 4 of NodeBatch. Grows to its largest batch and stays so.
class NodeBuffer {
 public:
  // Appends one event. What is empty is left out.
  void Append(const engine::NodeRecord& record, NodeDetail detail, std::string_view state, std::string_view text,
              std::string_view op_name = "");

  void Clear() {
    size_ = 0;
    count_ = 0;
  }
  std::string_view bytes() const { return {data_.get(), size_}; }
  int64_t count() const { return count_; }

 private:
  // Makes room for `more` bytes.
  void Reserve(size_t more) {
    if (size_ + more > capacity_) Grow(more);
  }
  void Grow(size_t more);

  std::unique_ptr<char[]> data_;
  size_t size_ = 0;
  size_t capacity_ = 0;
  int64_t count_ = 0;
};

// Fields 1 to 3 of NodeBatch.
std::string EncodeBatchHead(int64_t first_ordinal, int64_t count, int64_t seen);

}  // namespace astrolabe::worker

#endif  // ASTROLABE_DAEMON_WORKER_NODE_ENCODER_H_
