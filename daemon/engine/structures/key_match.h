// KeyMatch: which of the seven 8-byte keys of a cache line equals a wanted one, without a branch: which slot
// it is cannot be predicted.
#ifndef ASTROLABE_DAEMON_ENGINE_STRUCTURES_KEY_MATCH_H_
#define ASTROLABE_DAEMON_ENGINE_STRUCTURES_KEY_MATCH_H_

#ifdef __SSE2__
#include <emmintrin.h>
#endif

#include <cstddef>
#include <cstdint>
#include <cstring>

namespace astrolabe::engine {

inline constexpr uint32_t kMatchKeys = 7;
inline constexpr uint32_t kMatchBits = 2;  // a key has two bits in the answer

// Reads the 64 bytes of a line. Both bits of slot i, 2i and 2i + 1, are set when its key is the wanted one; the bits of
// other slots are never both set, those above 2 * kMatchKeys may be anything.
inline uint32_t MatchHalves(const std::byte* line, uint64_t wanted) {
#ifdef __SSE2__
  const auto* at = reinterpret_cast<const __m128i*>(line);
  const __m128i key = _mm_set1_epi64x(static_cast<int64_t>(wanted));
  const auto equal = [&](int i) { return _mm_cmpeq_epi32(_mm_loadu_si128(at + i), key); };
  const __m128i low = _mm_packs_epi32(equal(0), equal(1));
  const __m128i high = _mm_packs_epi32(equal(2), equal(3));
  return static_cast<uint32_t>(_mm_movemask_epi8(_mm_packs_epi16(low, high)));
#else
  uint32_t bits = 0;
  for (uint32_t i = 0; i < kMatchKeys; ++i) {
    uint64_t key;
    std::memcpy(&key, line + i * 8, sizeof key);
    bits |= (key == wanted ? 3u : 0u) << (kMatchBits * i);
  }
  return bits;
#endif
}

// The first slot below `filled` that holds the key; `filled`: none does.
inline uint32_t MatchSlot(const std::byte* line, uint32_t filled, uint64_t wanted) {
  const uint32_t halves = MatchHalves(line, wanted);
  // A slot that is not filled yet may hold anything; the bit behind the last one always stops.
  const uint32_t found = (halves & (halves >> 1) & 0x5555u) | (1u << (kMatchBits * filled));
  return static_cast<uint32_t>(__builtin_ctz(found)) / kMatchBits;
}

}  // namespace astrolabe::engine

#endif  // ASTROLABE_DAEMON_ENGINE_STRUCTURES_KEY_MATCH_H_
