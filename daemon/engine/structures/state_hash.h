// Hashes of states and the ids of nodes.
#ifndef ASTROLABE_DAEMON_ENGINE_STRUCTURES_STATE_HASH_H_
#define ASTROLABE_DAEMON_ENGINE_STRUCTURES_STATE_HASH_H_

#include <cstddef>
#include <cstdint>
#include <cstring>

namespace astrolabe::engine {

inline uint64_t LoadWord(const void* p) {
  uint64_t word;
  std::memcpy(&word, p, sizeof word);
  return word;
}

// Folds a 128-bit product: one multiplication, good in all bits.
inline uint64_t FoldMultiply(uint64_t a, uint64_t b) {
  const unsigned __int128 product = static_cast<unsigned __int128>(a) * b;
  return static_cast<uint64_t>(product >> 64) ^ static_cast<uint64_t>(product);
}

inline constexpr uint64_t kHashSeed0 = 0x9e3779b97f4a7c15u;
inline constexpr uint64_t kHashSeed1 = 0xd6e8feb86659fd93u;
inline constexpr uint64_t kHashSeed2 = 0xa0761d6478bd642fu;

// States of any size.
inline uint64_t HashBytes(const void* state, size_t size) {
  const auto* p = static_cast<const std::byte*>(state);
  uint64_t hash = kHashSeed2 ^ size;
  while (size >= 16) {
    hash = FoldMultiply(LoadWord(p) ^ kHashSeed0 ^ hash, LoadWord(p + 8) ^ kHashSeed1);
    p += 16;
    size -= 16;
  }
  uint64_t tail[2] = {0, 0};
  std::memcpy(tail, p, size);
  hash = FoldMultiply(tail[0] ^ kHashSeed0 ^ hash, tail[1] ^ kHashSeed1);
  return FoldMultiply(hash ^ kHashSeed1, kHashSeed2);
}

// States in slots of a size known when compiled.
template <size_t kSize>
inline uint64_t HashSlot(const void* slot) {
  const auto* p = static_cast<const std::byte*>(slot);
  if constexpr (kSize == 8) {
    return FoldMultiply(LoadWord(p) ^ kHashSeed0, kHashSeed1);
  } else if constexpr (kSize == 16) {
    return FoldMultiply(FoldMultiply(LoadWord(p) ^ kHashSeed0, kHashSeed1) ^ LoadWord(p + 8) ^ kHashSeed2, kHashSeed1);
  } else {
    static_assert(kSize == 32);
    const uint64_t a = FoldMultiply(LoadWord(p) ^ kHashSeed0, LoadWord(p + 8) ^ kHashSeed1);
    const uint64_t b = FoldMultiply(LoadWord(p + 16) ^ kHashSeed1, LoadWord(p + 24) ^ kHashSeed2);
    return FoldMultiply(a ^ kHashSeed2, b ^ kHashSeed0);
  }
}

// The id of a node is a mix of its state: no memory is needed to keep it stable. One to one for states
// of at most 8 bytes (the finaliser of MurmurHash3), a 64-bit hash for larger ones. Never 0.
inline uint64_t NodeId(const void* state, size_t size) {
  uint64_t x = 0;
  if (size <= 8) {
    std::memcpy(&x, state, size);
    x ^= kHashSeed0;
    x = (x ^ (x >> 33)) * 0xff51afd7ed558ccdu;
    x = (x ^ (x >> 33)) * 0xc4ceb9fe1a85ec53u;
    x ^= x >> 33;
  } else {
    x = HashBytes(state, size);
  }
  return x != 0 ? x : 1;
}

}  // namespace astrolabe::engine

#endif  // ASTROLABE_DAEMON_ENGINE_STRUCTURES_STATE_HASH_H_
