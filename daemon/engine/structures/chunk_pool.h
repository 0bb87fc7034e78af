// ChunkPool: chunks of three sizes for the open list, reused, never given back before the end.
#ifndef ASTROLABE_DAEMON_ENGINE_STRUCTURES_CHUNK_POOL_H_
#define ASTROLABE_DAEMON_ENGINE_STRUCTURES_CHUNK_POOL_H_

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "daemon/engine/structures/block.h"

namespace astrolabe::engine {

inline constexpr size_t kChunkBytes[] = {128, 512, 4096};

struct Chunk {
  std::byte* entries() { return reinterpret_cast<std::byte*>(this + 1); }
  size_t bytes() const { return kChunkBytes[size_class]; }

  Chunk* below;
  int32_t size_class;
  int32_t reserved;
};

class ChunkPool {
 public:
  static constexpr int kClasses = 3;

  explicit ChunkPool(MemoryAccount& memory) : memory_(memory) {}

  // Throws std::bad_alloc.
  Chunk* Take(int size_class) {
    Chunk*& free = free_[size_class];
    if (free != nullptr) {
      Chunk* chunk = free;
      free = chunk->below;
      return chunk;
    }
    const size_t bytes = kChunkBytes[size_class];
    if (left_ < bytes) AddBlock();
    auto* chunk = reinterpret_cast<Chunk*>(next_);
    next_ += bytes;
    left_ -= bytes;
    chunk->size_class = size_class;
    return chunk;
  }

  void Give(Chunk* chunk) {
    chunk->below = free_[chunk->size_class];
    free_[chunk->size_class] = chunk;
  }

 private:
  // Blocks grow with what is there already, so that a small cap is not overrun by one large block.
  void AddBlock() {
    const size_t bytes = std::clamp(total_ / 16, size_t{16} << 10, size_t{2} << 20) & ~size_t{4095};
    while (left_ >= kChunkBytes[0]) SaveRest();
    blocks_.emplace_back(memory_, bytes);
    next_ = blocks_.back().data();
    left_ = bytes;
    total_ += bytes;
  }

  void SaveRest() {
    int size_class = kClasses - 1;
    while (kChunkBytes[size_class] > left_) --size_class;
    auto* chunk = reinterpret_cast<Chunk*>(next_);
    chunk->size_class = size_class;
    next_ += kChunkBytes[size_class];
    left_ -= kChunkBytes[size_class];
    Give(chunk);
  }

  MemoryAccount& memory_;
  std::vector<Block> blocks_;
  Chunk* free_[kClasses] = {};
  std::byte* next_ = nullptr;
  size_t left_ = 0;
  size_t total_ = 0;
};

}  // namespace astrolabe::engine

#endif  // ASTROLABE_DAEMON_ENGINE_STRUCTURES_CHUNK_POOL_H_
