// Which way the blank can go from each square.
#ifndef ASTROLABE_PLUGINS_SLIDING_TILE_MOVES_H_
#define ASTROLABE_PLUGINS_SLIDING_TILE_MOVES_H_

#include <array>
#include <cstdint>
#include <vector>

#include "astrolabe/abi/types.h"
#include "plugins/sliding_tile/puzzle.h"

namespace sliding_tile {

// Opposite directions add up to 3: see the numbering in view.h.
constexpr uint32_t Opposite(uint32_t direction) { return 3 - direction; }

namespace internal {

// The directions in a mask, in order.
struct Directions {
  std::array<uint32_t, 4> direction = {};
  uint32_t count = 0;
};
constexpr std::array<Directions, 16> MakeDirections() {
  std::array<Directions, 16> all = {};
  for (uint32_t mask = 0; mask < 16; ++mask) {
    for (uint32_t direction = 0; direction < 4; ++direction) {
      if ((mask >> direction & 1) != 0) all[mask].direction[all[mask].count++] = direction;
    }
  }
  return all;
}
inline constexpr std::array<Directions, 16> kDirections = MakeDirections();

}  // namespace internal

class Moves {
 public:
  explicit Moves(const Shape& shape)
      : step_{-shape.cols, -1, 1, shape.cols}, allowed_(static_cast<size_t>(shape.cells())) {
    for (int square = 0; square < shape.cells(); ++square) {
      const int row = square / shape.cols;
      const int col = square % shape.cols;
      allowed_[square] = static_cast<uint8_t>((row > 0 ? 1 : 0) | (col > 0 ? 2 : 0) | (col + 1 < shape.cols ? 4 : 0) |
                                              (row + 1 < shape.rows ? 8 : 0));
    }
  }

  static uint32_t BlankOf(astro_op op) { return op >> 2; }
  // Where op takes the blank.
  uint32_t Target(astro_op op) const { return (op >> 2) + static_cast<uint32_t>(step_[op & 3]); }

  // Any number is a good question.
  bool IsOp(astro_op op) const { return (op >> 2) < allowed_.size() && (allowed_[op >> 2] >> (op & 3) & 1) != 0; }

  // The operators with the blank on `blank`, in the order up, left, right, down, without the inverse of
  // last_op. out_ops has room for 4; all 4 may be written. out_costs may be null.
  uint32_t List(uint32_t blank, astro_op last_op, astro_op* out_ops, int64_t* out_costs) const {
    uint32_t mask = allowed_[blank];
    if (last_op != ASTRO_NO_OP) mask &= ~(1u << Opposite(last_op & 3));
    const internal::Directions& list = internal::kDirections[mask];
    for (int i = 0; i < 4; ++i) out_ops[i] = blank << 2 | list.direction[i];
    if (out_costs != nullptr) {
      for (int i = 0; i < 4; ++i) out_costs[i] = 1;
    }
    return list.count;
  }

 private:
  std::array<int, 4> step_;
  std::vector<uint8_t> allowed_;  // bit per direction
};

}  // namespace sliding_tile

#endif  // ASTROLABE_PLUGINS_SLIDING_TILE_MOVES_H_
