// NodeIndex: finds a node of a NodeArray by its state: cache lines of twelve (number, tag), a tag being
// eight bits of the hash. About six bytes a node.
#ifndef ASTROLABE_DAEMON_ENGINE_STRUCTURES_NODE_INDEX_H_
#define ASTROLABE_DAEMON_ENGINE_STRUCTURES_NODE_INDEX_H_

#include <cstddef>
#include <cstdint>
#include <cstring>

#include "daemon/engine/structures/line_segments.h"
#include "daemon/engine/structures/node_array.h"
#include "daemon/engine/structures/prefetch.h"

namespace astrolabe::engine {

class NodeIndex {
 public:
  using Id = NodeArray::Id;

  // `state_bytes`: what hash_of reads of a node. `tables`: as LineSegments has it.
  NodeIndex(MemoryAccount& memory, size_t state_bytes, uint32_t tables = 1)
      : lines_(memory, kSlots, tables, kRebuildReads / std::max<size_t>(state_bytes, 1) / kSlots * kLineBytes) {}

  ASTROLABE_ENGINE_INLINE void Prefetch(uint64_t hash) const { engine::Prefetch<64>(lines_.Place(hash)); }

  // The node for which equal(id) holds, or NodeArray::kNone.
  template <typename Equal>
  Id Find(uint64_t hash, Equal equal) const {
    const Segment& segment = lines_.Of(hash);
    const uint8_t tag = Tag(hash);
    for (uint64_t at = segment.First(hash);; at = segment.After(at)) {
      const std::byte* line = segment.Line(at);
      for (uint32_t i = 0; i < kSlots; ++i) {
        const uint8_t found = ReadTag(line, i);
        if (found == 0) return NodeArray::kNone;
        if (found == tag && equal(ReadId(line, i))) return ReadId(line, i);
      }
    }
  }

  // The node for which equal(id) holds, or the one that add() makes; `added` says which.
  // hash_of(id) is asked when a segment grows. Throws what add throws, or std::bad_alloc.
  template <typename Equal, typename Add, typename HashOf>
  Id FindOrAdd(uint64_t hash, Equal equal, Add add, HashOf hash_of, bool& added) {
    Segment& segment = lines_.Of(hash);
    const uint8_t tag = Tag(hash);
    for (uint64_t at = segment.First(hash);; at = segment.After(at)) {
      std::byte* line = segment.Line(at);
      for (uint32_t i = 0; i < kSlots; ++i) {
        const uint8_t found = ReadTag(line, i);
        if (found == 0) {
          const Id id = add();
          Write(line, i, id, tag);
          added = true;
          lines_.CountEntry(segment, [&hash_of](const Segment& from, auto visit) { Move(from, hash_of, visit); });
          return id;
        }
        if (found == tag && equal(ReadId(line, i))) {
          added = false;
          return ReadId(line, i);
        }
      }
    }
  }

 private:
  static constexpr uint32_t kSlots = 12;
  static constexpr size_t kLineBytes = 64;
  // A rebuild hashes the states of a segment anew, wherever they lie, and the search can be stopped only after it:
  // large states have small segments.
  static constexpr size_t kRebuildReads = size_t{32} << 20;
  using Segments = LineSegments<kLineBytes>;
  using Segment = Segments::Segment;

  // From bits that choose neither segment nor line. Never 0: 0 is an empty slot.
  static uint8_t Tag(uint64_t hash) { return static_cast<uint8_t>(hash >> 32 | 1); }
  static Id ReadId(const std::byte* line, uint32_t i) {
    Id id;
    std::memcpy(&id, line + i * sizeof(Id), sizeof id);
    return id;
  }
  static uint8_t ReadTag(const std::byte* line, uint32_t i) {
    return static_cast<uint8_t>(line[kSlots * sizeof(Id) + i]);
  }
  static void Write(std::byte* line, uint32_t i, Id id, uint8_t tag) {
    std::memcpy(line + i * sizeof(Id), &id, sizeof id);
    line[kSlots * sizeof(Id) + i] = static_cast<std::byte>(tag);
  }

  template <typename HashOf, typename Visit>
  static void Move(const Segment& from, HashOf& hash_of, Visit visit) {
    for (uint64_t at = 0; at < from.lines; ++at) {
      const std::byte* line = from.Line(at);
      for (uint32_t i = 0; i < kSlots && ReadTag(line, i) != 0; ++i) {
        const Id id = ReadId(line, i);
        const uint64_t hash = hash_of(id);
        visit(hash, [=](Segment& to) { Enter(to, hash, id); });
      }
    }
  }
  static void Enter(Segment& segment, uint64_t hash, Id id) {
    for (uint64_t at = segment.First(hash);; at = segment.After(at)) {
      std::byte* line = segment.Line(at);
      for (uint32_t i = 0; i < kSlots; ++i) {
        if (ReadTag(line, i) != 0) continue;
        Write(line, i, id, Tag(hash));
        return;
      }
    }
  }

  Segments lines_;
};

}  // namespace astrolabe::engine

#endif  // ASTROLABE_DAEMON_ENGINE_STRUCTURES_NODE_INDEX_H_
