// Sliding tiles on a graph for heuristics written in C++: an instance, a board, a move. Layouts and numbering as in
// view.h. Everything is inline: a heuristic links nothing of the problem.
#ifndef ASTROLABE_GRAPH_TILE_BOARD_H_
#define ASTROLABE_GRAPH_TILE_BOARD_H_

#include <cstddef>
#include <cstdint>
#include <string_view>

#include "astrolabe/abi/types.h"
#include "astrolabe/graph_tile/view.h"
#include "astrolabe/tiles/board.h"

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

// A state, read-only: cells(), tile(cell), blank(). A view: valid during the call it was passed to.
using tiles::Board;
static_assert(GRAPH_TILE_PACKED == tiles::kPacked && GRAPH_TILE_BYTES == tiles::kBytes &&
              GRAPH_TILE_WORDS == tiles::kWords);

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
    tiles::Child(instance.view(), state, move.from, move.to, out);
  }
  template <class F>
  [[gnu::always_inline]] static int64_t Visit(const Instance& instance, const void* state, F&& f) {
    return tiles::Visit(instance.view(), state, f);
  }
};

}  // namespace graph_tile

#endif  // ASTROLABE_GRAPH_TILE_BOARD_H_
