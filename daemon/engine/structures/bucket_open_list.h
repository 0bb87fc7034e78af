// BucketOpenList: open nodes in buckets by (f, g), last in first out inside one.
//
// A bucket is a chain of chunks of up to 4 KiB; the first ones are small, so that spaces whose f values
// hardly ever repeat do not pay a page for each. Buckets live in an ordered map and leave it when they
// are empty: the best one is always the first. A small cache of bucket addresses answers nearly every
// push, since successive pushes go to few buckets.
#ifndef ASTROLABE_DAEMON_ENGINE_STRUCTURES_BUCKET_OPEN_LIST_H_
#define ASTROLABE_DAEMON_ENGINE_STRUCTURES_BUCKET_OPEN_LIST_H_

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <map>

#include "daemon/engine/domain.h"
#include "daemon/engine/structures/chunk_pool.h"
#include "daemon/engine/structures/prefetch.h"

namespace astrolabe::engine {

// Entry: trivially copyable. Tie key: the bucket with the least one comes first among those of equal f.
template <typename Entry>
class BucketOpenList {
 public:
  explicit BucketOpenList(MemoryAccount& memory) : pool_(memory), buckets_(Less(), Allocator(memory)) {}

  bool empty() const { return buckets_.empty(); }
  size_t size() const { return size_; }
  // Of the best bucket. Precondition: not empty.
  Cost best_f() const { return buckets_.begin()->first.f; }
  Cost best_tie() const { return buckets_.begin()->first.tie; }

  // Throws std::bad_alloc; the list may only be destroyed then.
  ASTROLABE_ENGINE_INLINE void Push(Cost f, Cost tie, const Entry& entry) {
    Bucket& bucket = Find(Key{f, tie});
    if (bucket.used == bucket.capacity) [[unlikely]]
      AddChunk(bucket);
    std::memcpy(bucket.top->entries() + bucket.used * sizeof(Entry), &entry, sizeof(Entry));
    ++bucket.used;
    ++size_;
  }

  // Takes up to `max` entries off the best bucket, newest first; returns how many. Precondition: not empty.
  uint32_t Pop(Entry* out, uint32_t max) {
    const auto best = buckets_.begin();
    Bucket& bucket = best->second;
    uint32_t n = 0;
    while (n < max && bucket.top != nullptr) {
      const uint32_t take = std::min(max - n, bucket.used);
      for (uint32_t i = 0; i < take; ++i) {
        std::memcpy(&out[n++], bucket.top->entries() + --bucket.used * sizeof(Entry), sizeof(Entry));
      }
      if (bucket.used == 0) DropChunk(bucket);
    }
    size_ -= n;
    if (bucket.top == nullptr) Erase(best);
    return n;
  }

 private:
  struct Key {
    Cost f;
    Cost tie;
    bool operator==(const Key&) const = default;
  };
  struct Less {
    bool operator()(const Key& a, const Key& b) const { return a.f != b.f ? a.f < b.f : a.tie < b.tie; }
  };
  struct Bucket {
    Chunk* top = nullptr;
    uint32_t used = 0;      // in the top chunk; the others are full
    uint32_t capacity = 0;  // of the top chunk
  };
  using Allocator = AccountedAllocator<std::pair<const Key, Bucket>>;
  using Buckets = std::map<Key, Bucket, Less, Allocator>;
  struct Cached {
    Key key{-1, 0};
    Bucket* bucket = nullptr;
  };

  static size_t CacheIndex(const Key& key) {
    return (static_cast<uint64_t>(key.f) * 37 + static_cast<uint64_t>(key.tie)) % kCacheSize;
  }

  ASTROLABE_ENGINE_INLINE Bucket& Find(const Key& key) {
    Cached& cached = cache_[CacheIndex(key)];
    if (cached.key == key && cached.bucket != nullptr) [[likely]]
      return *cached.bucket;
    return FindInMap(key, cached);
  }

  [[gnu::noinline]] Bucket& FindInMap(const Key& key, Cached& cached) {
    Bucket& bucket = spare_.empty() ? buckets_.try_emplace(key).first->second : Reuse(key);
    cached = Cached{key, &bucket};
    return bucket;
  }

  // Buckets come and go with every batch: one node of the map is kept for the next.
  Bucket& Reuse(const Key& key) {
    if (const auto it = buckets_.find(key); it != buckets_.end()) return it->second;
    spare_.key() = key;
    spare_.mapped() = Bucket{};
    return buckets_.insert(std::move(spare_)).position->second;
  }

  void Erase(typename Buckets::iterator it) {
    Cached& cached = cache_[CacheIndex(it->first)];
    if (cached.bucket == &it->second) cached = Cached{};
    spare_ = buckets_.extract(it);
  }

  static constexpr uint32_t Room(const Chunk& chunk) {
    return static_cast<uint32_t>((chunk.bytes() - sizeof(Chunk)) / sizeof(Entry));
  }

  [[gnu::noinline]] void AddChunk(Bucket& bucket) {
    const int size_class = bucket.top == nullptr ? 0 : std::min(bucket.top->size_class + 1, ChunkPool::kClasses - 1);
    Chunk* chunk = pool_.Take(size_class);
    chunk->below = bucket.top;
    bucket.top = chunk;
    bucket.used = 0;
    bucket.capacity = Room(*chunk);
  }

  void DropChunk(Bucket& bucket) {
    Chunk* chunk = bucket.top;
    bucket.top = chunk->below;
    pool_.Give(chunk);
    bucket.capacity = bucket.top != nullptr ? Room(*bucket.top) : 0;
    bucket.used = bucket.capacity;
  }

  static constexpr size_t kCacheSize = 256;

  ChunkPool pool_;
  Buckets buckets_;
  typename Buckets::node_type spare_;
  std::array<Cached, kCacheSize> cache_;
  size_t size_ = 0;
};

}  // namespace astrolabe::engine

#endif  // ASTROLABE_DAEMON_ENGINE_STRUCTURES_BUCKET_OPEN_LIST_H_
