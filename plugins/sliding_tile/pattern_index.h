// Where a placement of a pattern's tiles is found in its table.
//
// A placement gives each tile of the pattern, its slots 0, 1, ..., a square. It is taken apart into the set of squares
// and the order in which the tiles stand on them:
//   set rank    sets of k squares in the order of their masks as numbers (colexicographic)
//   order rank  d[1] * 1! + d[2] * 2! + ..., where d[i] is how many slots before i stand on a higher square
// and its entry is at set rank * k! + order rank. Boards of up to 16 squares and patterns of up to 6 tiles have a
// sparse table in its place, whose index is the squares themselves, 4 bits a slot: larger and faster.
#ifndef ASTROLABE_PLUGINS_SLIDING_TILE_PATTERN_INDEX_H_
#define ASTROLABE_PLUGINS_SLIDING_TILE_PATTERN_INDEX_H_

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <vector>

#ifdef __SSE2__
#include <emmintrin.h>
#endif

namespace sliding_tile {

inline constexpr int kMaxPatternCells = 64;
inline constexpr int kMaxPatternTiles = 8;

// Order ranks of two placements on boards of up to 16 squares: the square of slot i in bits 4i .. 4i + 3, and 15 in the
// slots that the pattern has not. (All comparisons side by side: an entry in a third of the time.)
inline std::array<uint32_t, 2> OrderRanks(uint32_t a, uint32_t b) {
#ifdef __SSE2__
  // Nibbles to bytes, a low and b high. d[i] counts by the number -1.
  const __m128i nibbles = _mm_set_epi32(0, 0, static_cast<int>(b), static_cast<int>(a));
  const __m128i low = _mm_set1_epi8(15);
  const __m128i squares =
      _mm_unpacklo_epi8(_mm_and_si128(nibbles, low), _mm_and_si128(_mm_srli_epi16(nibbles, 4), low));
  __m128i d = _mm_cmpgt_epi8(_mm_slli_epi64(squares, 8), squares);
  d = _mm_add_epi8(d, _mm_cmpgt_epi8(_mm_slli_epi64(squares, 16), squares));
  d = _mm_add_epi8(d, _mm_cmpgt_epi8(_mm_slli_epi64(squares, 24), squares));
  d = _mm_add_epi8(d, _mm_cmpgt_epi8(_mm_slli_epi64(squares, 32), squares));
  d = _mm_add_epi8(d, _mm_cmpgt_epi8(_mm_slli_epi64(squares, 40), squares));
  d = _mm_add_epi8(d, _mm_cmpgt_epi8(_mm_slli_epi64(squares, 48), squares));
  d = _mm_add_epi8(d, _mm_cmpgt_epi8(_mm_slli_epi64(squares, 56), squares));
  // d[i] * i!, in fours and then together.
  const __m128i minus_factorials = _mm_set_epi16(-5040, -720, -120, -24, -6, -2, -1, 0);
  const __m128i sums_a = _mm_madd_epi16(_mm_srai_epi16(_mm_unpacklo_epi8(d, d), 8), minus_factorials);
  const __m128i sums_b = _mm_madd_epi16(_mm_srai_epi16(_mm_unpackhi_epi8(d, d), 8), minus_factorials);
  __m128i sums = _mm_add_epi32(_mm_unpacklo_epi64(sums_a, sums_b), _mm_unpackhi_epi64(sums_a, sums_b));
  sums = _mm_add_epi32(sums, _mm_srli_epi64(sums, 32));
  return {static_cast<uint32_t>(_mm_cvtsi128_si32(sums)),
          static_cast<uint32_t>(_mm_cvtsi128_si32(_mm_unpackhi_epi64(sums, sums)))};
#else
  const auto rank = [](uint32_t squares) {
    uint32_t sum = 0;
    uint32_t factorial = 1;
    for (int i = 1; i < kMaxPatternTiles; ++i, factorial *= static_cast<uint32_t>(i)) {
      for (int j = 0; j < i; ++j) sum += (squares >> (4 * j) & 15) > (squares >> (4 * i) & 15) ? factorial : 0;
    }
    return sum;
  };
  return {rank(a), rank(b)};
#endif
}

// Whether the table of such a pattern is sparse.
bool IsSparse(int cells, int tiles);

// Placements of `tiles` tiles on `cells` squares, or UINT64_MAX when they are more than fit a number.
uint64_t CountPlacements(int cells, int tiles);

class PatternIndex {
 public:
  // cells <= kMaxPatternCells, 1 <= tiles <= kMaxPatternTiles and tiles < cells.
  PatternIndex(int cells, int tiles);

  int cells() const { return cells_; }
  int tiles() const { return tiles_; }
  uint64_t size() const { return sparse_ ? uint64_t{1} << (4 * tiles_) : sets() * orders(); }
  bool sparse() const { return sparse_; }

  uint64_t sets() const { return sets_; }
  uint32_t orders() const { return kFactorial[tiles_]; }

  uint32_t SetRank(uint64_t squares) const {
    uint32_t rank = 0;
    uint32_t below = 0;
    for (const auto& chunk : chunks_) {
      const uint32_t part = squares & 255;
      rank += chunk[below][part];
      below += kBitCount[part];
      squares >>= 8;
    }
    return rank;
  }

  // The entry in a table that is not sparse. At most 16 squares. order_rank: see OrderRanks.
  uint64_t EntryOf(uint32_t squares, uint32_t order_rank) const {
    const uint32_t low = squares & 255;
    const uint32_t rank = chunks_[0][0][low] + chunks_[1][kBitCount[low]][squares >> 8];
    return uint64_t{rank} * kFactorial[tiles_] + order_rank;
  }

  // squares: of each slot.
  static uint32_t OrderRank(const uint8_t* squares, int tiles) {
    uint32_t rank = 0;
    for (int i = 1; i < tiles; ++i) {
      uint32_t higher = 0;
      for (int j = 0; j < i; ++j) higher += squares[j] > squares[i] ? 1 : 0;
      rank += higher * kFactorial[i];
    }
    return rank;
  }

  // square_of: (slot) -> square.
  template <class SquareOf>
  [[gnu::always_inline]] uint64_t Find(const SquareOf& square_of) const {
    if (sparse_) {
      uint64_t index = 0;
      for (int i = 0; i < tiles_; ++i) index |= static_cast<uint64_t>(square_of(i)) << (4 * i);
      return index;
    }
    return FindRank(square_of);
  }

  // Of a table that is not sparse.
  template <class SquareOf>
  [[gnu::always_inline]] uint64_t FindRank(const SquareOf& square_of) const {
    // Where the loops have a known end they are unrolled.
    switch (tiles_) {
      case 8:
        return Rank<8>(square_of);
      case 7:
        return Rank<7>(square_of);
      case 6:
        return Rank<6>(square_of);
      default:
        return Rank<0>(square_of);
    }
  }

 private:
  static constexpr std::array<uint32_t, kMaxPatternTiles + 1> kFactorial = {1, 1, 2, 6, 24, 120, 720, 5040, 40320};
  static constexpr std::array<uint8_t, 256> kBitCount = [] {
    std::array<uint8_t, 256> count = {};
    for (uint32_t i = 0; i < 256; ++i) count[i] = static_cast<uint8_t>(std::popcount(i));
    return count;
  }();

  template <int kTiles, class SquareOf>
  [[gnu::always_inline]] uint64_t Rank(const SquareOf& square_of) const {
    const int tiles = kTiles != 0 ? kTiles : tiles_;
    std::array<uint8_t, kMaxPatternTiles> squares;
    uint64_t mask = 0;
    for (int i = 0; i < tiles; ++i) {
      squares[i] = static_cast<uint8_t>(square_of(i));
      mask |= uint64_t{1} << squares[i];
    }
    return uint64_t{SetRank(mask)} * kFactorial[tiles] + OrderRank(squares.data(), tiles);
  }

  int cells_;
  int tiles_;
  bool sparse_;
  uint64_t sets_;
  // For eight squares at a time: what they add to the rank, by the squares of the set below them and themselves. Two at
  // least.
  std::vector<std::array<std::array<uint32_t, 256>, kMaxPatternTiles + 1>> chunks_;
};

}  // namespace sliding_tile

#endif  // ASTROLABE_PLUGINS_SLIDING_TILE_PATTERN_INDEX_H_
