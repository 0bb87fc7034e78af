// The graph-tile problem, as the SDK wants it.
#ifndef ASTROLABE_PLUGINS_GRAPH_TILE_PROBLEM_H_
#define ASTROLABE_PLUGINS_GRAPH_TILE_PROBLEM_H_

#include <memory>
#include <string_view>
#include <variant>

#include "astrolabe/graph_tile/view.h"
#include "astrolabe/sdk/problem.h"
#include "plugins/graph_tile/problem_info.h"
#include "plugins/graph_tile/puzzle.h"
#include "plugins/graph_tile/spaces.h"

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
  void InitialState(void* out) const { StoreBoard(puzzle_.start, out); }
  bool GoalState(void* out) const {
    StoreBoard(puzzle_.goal, out);
    return true;
  }

  // The space of this instance: one of three.
  template <class F>
  [[gnu::always_inline]] auto Visit(F&& f) const {
    if (const auto* packed = std::get_if<PackedSpace>(&space_)) return f(*packed);
    if (const auto* bytes = std::get_if<CellSpace<uint8_t>>(&space_)) return f(*bytes);
    return f(*std::get_if<CellSpace<uint16_t>>(&space_));
  }

  bool ApplyInPlace(void* state, astro_op op, int64_t* cost) const;
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
  using AnySpace = std::variant<std::monostate, PackedSpace, CellSpace<uint8_t>, CellSpace<uint16_t>>;

  void StoreBoard(const Tiles& tiles, void* out) const;

  Puzzle puzzle_;
  Tiles goal_cell_;  // of each tile
  AnySpace space_;
  // Of a reversed board: the board's own arcs.
  std::shared_ptr<const Arcs> forward_;
  graph_tile_view_v1 view_ = {};
};

}  // namespace graph_tile

#endif  // ASTROLABE_PLUGINS_GRAPH_TILE_PROBLEM_H_
