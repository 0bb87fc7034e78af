// The graph-tile problem, as the SDK wants it.
#ifndef ASTROLABE_PLUGINS_GRAPH_TILE_PROBLEM_H_
#define ASTROLABE_PLUGINS_GRAPH_TILE_PROBLEM_H_

#include <memory>
#include <string_view>
#include <utility>

#include "astrolabe/graph_tile/view.h"
#include "astrolabe/sdk/problem.h"
#include "plugins/graph_tile/problem_info.h"
#include "plugins/graph_tile/puzzle.h"
#include "plugins/tiles/board_space.h"

namespace graph_tile {

// Immutable. Its address is stable: spaces and view point into it.
class GraphTile {
 public:
  static constexpr const astro::ProblemInfo& kInfo = kProblemInfo;
  static constexpr std::string_view kStateLayout = GRAPH_TILE_LAYOUT;

  static std::unique_ptr<GraphTile> Parse(std::string_view text, const astro::Params& params,
                                          astro::Diagnostics& diagnostics);
  explicit GraphTile(Puzzle puzzle);
  GraphTile(const GraphTile&) = delete;
  GraphTile& operator=(const GraphTile&) = delete;

  astro::SpaceInfo Space() const;
  const void* DomainView() const { return &view_; }
  void InitialState(void* out) const { space_.Store(puzzle_.start, out); }
  bool GoalState(void* out) const {
    space_.Store(puzzle_.goal, out);
    return true;
  }

  template <class F>
  [[gnu::always_inline]] auto Visit(F&& f) const {
    return space_.Visit(std::forward<F>(f));
  }

  bool ApplyInPlace(void* state, astro_op op, int64_t* cost) const { return space_.ApplyInPlace(state, op, cost); }
  astro_op InverseOp(astro_op op) const { return op < view_.arcs ? puzzle_.arcs->back[op] : ASTRO_NO_OP; }

  void RenderState(const void* state, astro::Writer& out) const;
  bool ParseState(std::string_view text, astro::Diagnostics& diagnostics, void* out) const;
  void RenderOp(astro_op op, astro::Writer& out) const;
  void CanonicalText(astro::Writer& out) const;
  void Describe(astro::Writer& out) const;
  astro::Sha256::Digest Fingerprint() const;
  uint32_t Solvable(astro::Writer& reason) const;

  // Start and goal swapped, and every arc turned round. Never null.
  std::unique_ptr<GraphTile> Reversed(astro::Diagnostics& diagnostics) const;
  // `reversed_op` of the reversed board: the arc of the board itself with these ends.
  astro_op ForwardOp(const void* state, astro_op reversed_op) const;

 private:
  const Puzzle puzzle_;
  const Tiles goal_cell_;  // of each tile
  const tiles::BoardSpace<Arcs> space_;
  // Of a reversed board: the board's own arcs.
  std::shared_ptr<const Arcs> forward_;
  graph_tile_view_v1 view_ = {};
};

}  // namespace graph_tile

#endif  // ASTROLABE_PLUGINS_GRAPH_TILE_PROBLEM_H_
