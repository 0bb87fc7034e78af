// What the batched kernel works on: nodes of one iteration in buckets, by depth, square of the blank and way it came.
#ifndef ASTROLABE_PLUGINS_SLIDING_TILE_BATCH_FRAMES_H_
#define ASTROLABE_PLUGINS_SLIDING_TILE_BATCH_FRAMES_H_

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>
#include <new>

namespace sliding_tile {

// A node is the board, 16 nibbles. The blank's own nibble, zero on a board, holds half its slack (bound - f).
using BatchNode = uint64_t;

class Bucket {
 public:
  // A step reads and writes whole vectors: this many nodes beyond the last one may be touched.
  static constexpr uint32_t kSpare = 4;

  const BatchNode* data() const { return nodes_.get(); }
  BatchNode* end() { return nodes_.get() + size_; }
  uint32_t size() const { return size_; }
  void SetEnd(const BatchNode* end) { size_ = static_cast<uint32_t>(end - nodes_.get()); }

  // Room for `more` nodes behind the last one. False: no memory.
  [[nodiscard]] bool Reserve(uint32_t more) {
    const uint32_t wanted = size_ + more + kSpare;
    if (wanted <= capacity_) [[likely]]
      return true;
    const uint32_t capacity = std::max(wanted, capacity_ * 2);
    std::unique_ptr<BatchNode[]> nodes(new (std::nothrow) BatchNode[capacity]);
    if (nodes == nullptr) return false;
    if (size_ > 0) std::memcpy(nodes.get(), nodes_.get(), size_ * sizeof(BatchNode));
    nodes_ = std::move(nodes);
    capacity_ = capacity;
    return true;
  }
  // The last `count` nodes, which are no longer in the bucket but stay where they are until it is written to.
  const BatchNode* Take(uint32_t count) {
    size_ -= count;
    return nodes_.get() + size_;
  }
  void Clear() { size_ = 0; }

 private:
  std::unique_ptr<BatchNode[]> nodes_;
  uint32_t size_ = 0;
  uint32_t capacity_ = 0;
};

// All nodes of one depth.
struct BatchFrame {
  static constexpr uint32_t kWays = 64;  // 4 * square of the blank + direction that undoes the last move

  std::array<Bucket, kWays> buckets;
  uint64_t nonempty = 0;  // bit per bucket
  uint64_t total = 0;     // nodes

  void Clear() {
    for (Bucket& bucket : buckets) bucket.Clear();
    nonempty = 0;
    total = 0;
  }
};

}  // namespace sliding_tile

#endif  // ASTROLABE_PLUGINS_SLIDING_TILE_BATCH_FRAMES_H_
