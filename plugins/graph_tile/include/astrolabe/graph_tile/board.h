// Sliding tiles on a graph for heuristics written in C++: an instance, a board, a move. Layouts and numbering as in
// view.h. Everything is inline: a heuristic links nothing of the problem.
#ifndef ASTROLABE_GRAPH_TILE_BOARD_H_
#define ASTROLABE_GRAPH_TILE_BOARD_H_

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string_view>

#include "astrolabe/abi/types.h"
#include "astrolabe/graph_tile/view.h"

namespace graph_tile {

// The puzzle: its cells, its start and its goal. Cheap to copy; lives as long as the problem.
class Instance {
 public:
  explicit Instance(const graph_tile_view_v1* view) : view_(view) {}

  int cells() const { return static_cast<int>(view_->cells); }
  bool symmetric() const { return view_->symmetric != 0; }
  // The arcs of a cell are first(cell) .. first(cell + 1) - 1: where the blank may go from there.
  uint32_t first(int cell) const { return view_->first[cell]; }
  int target(uint32_t arc) const { return view_->target[arc]; }
  int source(uint32_t arc) const { return view_->source[arc]; }
  // Where a tile belongs; tile 0 is the blank.
  int goal_cell(int tile) const { return view_->goal_cell[tile]; }
  int goal_tile(int cell) const { return view_->goal[cell]; }
  int start_tile(int cell) const { return view_->start[cell]; }

  const graph_tile_view_v1& view() const { return *view_; }

 private:
  const graph_tile_view_v1* view_;
};

// A move, told from the tile's side: the tile on cell `from` goes to cell `to`, where the blank was.
struct Move {
  int from;
  int to;
};

// A state, read-only. A view: valid during the call it was passed to.
class Board {
 public:
  Board(uint32_t layout, uint32_t cells, const void* state) : layout_(layout), cells_(cells) {
    if (layout == GRAPH_TILE_PACKED) {
      std::memcpy(&word_, state, sizeof(word_));
    } else {
      tiles_ = state;
    }
  }

  int cells() const { return static_cast<int>(cells_); }

  // The tile on a cell; 0 is the blank.
  int tile(int cell) const {
    switch (layout_) {
      case GRAPH_TILE_PACKED:
        return static_cast<int>(word_ >> (4 * cell)) & 15;
      case GRAPH_TILE_BYTES:
        return static_cast<const uint8_t*>(tiles_)[cell];
      default:
        return static_cast<const uint16_t*>(tiles_)[cell];
    }
  }

 private:
  uint32_t layout_;
  uint32_t cells_;
  uint64_t word_ = 0;
  const void* tiles_ = nullptr;
};

// The tag to name in ASTRO_PLUGIN: astro::Heuristic<MyHeuristic, graph_tile::Problem>.
struct Problem {
  static constexpr std::string_view kProblemId = "graph_tile";
  static constexpr std::string_view kStateLayout = GRAPH_TILE_LAYOUT;
  using Instance = graph_tile::Instance;
  using State = Board;
  using Move = graph_tile::Move;

  static Instance MakeInstance(const void* view) { return Instance(static_cast<const graph_tile_view_v1*>(view)); }
  static size_t StateSize(const Instance& instance) { return instance.view().state_size; }

  static Move MakeMove(const Instance& instance, astro_op op) { return {instance.target(op), instance.source(op)}; }

  static void Child(const Instance& instance, const void* state, astro_op op, void* out) {
    const Move move = MakeMove(instance, op);
    switch (instance.view().layout) {
      case GRAPH_TILE_PACKED: {
        uint64_t word;
        std::memcpy(&word, state, sizeof(word));
        const uint64_t tile = (word >> (4 * move.from)) & 15;
        word ^= tile << (4 * move.from) | tile << (4 * move.to);
        std::memcpy(out, &word, sizeof(word));
        return;
      }
      case GRAPH_TILE_BYTES:
        return MoveTile<uint8_t>(instance, state, move, out);
      default:
        return MoveTile<uint16_t>(instance, state, move, out);
    }
  }

  // Calls f(board) in a branch of its own for the packed layout, where the compiler can drop the choice of layout.
  template <class F>
  [[gnu::always_inline]] static int64_t Visit(const Instance& instance, const void* state, F&& f) {
    const graph_tile_view_v1& view = instance.view();
    if (view.layout == GRAPH_TILE_PACKED) return f(Board(GRAPH_TILE_PACKED, view.cells, state));
    return f(Board(view.layout, view.cells, state));
  }

 private:
  template <class T>
  static void MoveTile(const Instance& instance, const void* state, const Move& move, void* out) {
    std::memcpy(out, state, instance.view().state_size);
    T* tiles = static_cast<T*>(out);
    tiles[move.to] = tiles[move.from];
    tiles[move.from] = 0;
    tiles[instance.cells()] = static_cast<T>(move.from);
  }
};

}  // namespace graph_tile

#endif  // ASTROLABE_GRAPH_TILE_BOARD_H_
