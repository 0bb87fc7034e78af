// Boards of numbered tiles and one blank, as every problem about them lays its states out: what their heuristics read.
// The domains (sliding_tile, graph_tile) name these things in their own headers; include theirs.
//
// Places are numbered from 0. Tiles are 1 .. cells - 1; the blank is 0. A state is:
//   kPacked  up to 16 cells: one uint64_t, the tile on place p in bits 4p .. 4p + 3; higher bits zero.
//   kBytes   up to 256 cells: `cells` unsigned bytes, the tile on each place, then one byte, the place of the blank.
//   kWords   above: the same in uint16_t.
//
// A View is the C struct that the problem shows its heuristics; of it this header reads layout, cells and state_size.
// Everything is inline: a heuristic links nothing of the problem. Nothing here throws or allocates; any thread may call
// it.
#ifndef ASTROLABE_TILES_BOARD_H_
#define ASTROLABE_TILES_BOARD_H_

#include <cstdint>
#include <cstring>

namespace tiles {

inline constexpr uint32_t kPacked = 1;
inline constexpr uint32_t kBytes = 2;
inline constexpr uint32_t kWords = 3;

// A state, read-only. A view: valid during the call it was passed to.
class Board {
 public:
  Board(uint32_t layout, uint32_t cells, const void* state) : layout_(layout), cells_(cells) {
    if (layout == kPacked) {
      std::memcpy(&word_, state, sizeof(word_));
    } else {
      places_ = state;
    }
  }

  int cells() const { return static_cast<int>(cells_); }

  // The tile on a place; 0 is the blank.
  int tile(int place) const {
    switch (layout_) {
      case kPacked:
        return static_cast<int>(word_ >> (4 * place)) & 15;
      case kBytes:
        return static_cast<const uint8_t*>(places_)[place];
      default:
        return static_cast<const uint16_t*>(places_)[place];
    }
  }

  // The place of the blank.
  int blank() const {
    switch (layout_) {
      case kPacked: {
        int place = 0;
        while (((word_ >> (4 * place)) & 15) != 0) ++place;
        return place;
      }
      case kBytes:
        return static_cast<const uint8_t*>(places_)[cells_];
      default:
        return static_cast<const uint16_t*>(places_)[cells_];
    }
  }

 private:
  uint32_t layout_;
  uint32_t cells_;
  uint64_t word_ = 0;
  const void* places_ = nullptr;
};

namespace internal {

template <class Cell>
void MoveTile(uint32_t cells, uint32_t state_size, const void* state, int from, int to, void* out) {
  std::memcpy(out, state, state_size);
  Cell* places = static_cast<Cell*>(out);
  places[to] = places[from];
  places[from] = 0;
  places[cells] = static_cast<Cell>(from);
}

}  // namespace internal

// The state after the tile on place `from` went to place `to`, where the blank was. `out` is another state.
template <class View>
void Child(const View& view, const void* state, int from, int to, void* out) {
  switch (view.layout) {
    case kPacked: {
      uint64_t word;
      std::memcpy(&word, state, sizeof(word));
      const uint64_t tile = (word >> (4 * from)) & 15;
      word ^= tile << (4 * from) | tile << (4 * to);
      std::memcpy(out, &word, sizeof(word));
      return;
    }
    case kBytes:
      return internal::MoveTile<uint8_t>(view.cells, view.state_size, state, from, to, out);
    default:
      return internal::MoveTile<uint16_t>(view.cells, view.state_size, state, from, to, out);
  }
}

// Calls f(board) in a branch of its own for the packed layout, where the compiler can drop the choice of layout from f.
template <class View, class F>
[[gnu::always_inline]] inline int64_t Visit(const View& view, const void* state, F&& f) {
  if (view.layout == kPacked) return f(Board(kPacked, view.cells, state));
  return f(Board(view.layout, view.cells, state));
}

}  // namespace tiles

#endif  // ASTROLABE_TILES_BOARD_H_
