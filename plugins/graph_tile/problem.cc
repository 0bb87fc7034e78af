#include "plugins/graph_tile/problem.h"

#include <algorithm>
#include <optional>
#include <string>
#include <utility>

#include "plugins/graph_tile/board_reader.h"
#include "plugins/graph_tile/solvability.h"

namespace graph_tile {

std::unique_ptr<GraphTile> GraphTile::Parse(std::string_view text, const astro::Params& params,
                                            astro::Diagnostics& diagnostics) {
  const ReadOptions options = {params.String("start"), params.String("goal"), params.Bool("symmetric")};
  std::optional<Puzzle> puzzle = ReadPuzzle(text, options, diagnostics);
  if (!puzzle) return nullptr;
  return std::make_unique<GraphTile>(*std::move(puzzle));
}

GraphTile::GraphTile(Puzzle puzzle)
    : puzzle_(std::move(puzzle)), goal_cell_(tiles::PlacesOf(puzzle_.goal)), space_(*puzzle_.arcs, puzzle_.goal) {
  const Arcs& arcs = *puzzle_.arcs;
  view_.struct_size = sizeof(view_);
  view_.cells = static_cast<uint32_t>(arcs.cells());
  view_.arcs = arcs.size();
  view_.symmetric = arcs.symmetric() ? 1 : 0;
  view_.start = puzzle_.start.data();
  view_.goal = puzzle_.goal.data();
  view_.goal_cell = goal_cell_.data();
  view_.first = arcs.first.data();
  view_.source = arcs.source.data();
  view_.target = arcs.target.data();
  view_.layout = space_.layout();
  view_.state_size = space_.state_size();
}

astro::SpaceInfo GraphTile::Space() const {
  astro::SpaceInfo info;
  info.flags = ASTRO_PROBLEM_UNIT_COST | ASTRO_PROBLEM_PRUNES_LAST;
  if (view_.symmetric != 0) info.flags |= ASTRO_PROBLEM_UNDIRECTED;
  info.state_size = view_.state_size;
  info.state_align = space_.state_align();
  info.max_ops = 1;  // 0 would mean "not bounded"
  for (uint32_t cell = 0; cell < view_.cells; ++cell) {
    info.max_ops = std::max(info.max_ops, view_.first[cell + 1] - view_.first[cell]);
  }
  return info;
}

void GraphTile::RenderState(const void* state, astro::Writer& out) const {
  for (uint32_t cell = 0; cell < view_.cells; ++cell) {
    if (cell > 0) out << ' ';
    out << space_.Tile(state, static_cast<int>(cell));
  }
}

bool GraphTile::ParseState(std::string_view text, astro::Diagnostics& diagnostics, void* out) const {
  const std::optional<Tiles> tiles = ReadTiles(text, puzzle_.arcs->cells(), "state", diagnostics);
  if (!tiles) return false;
  space_.Store(*tiles, out);
  return true;
}

void GraphTile::RenderOp(astro_op op, astro::Writer& out) const { out << view_.source[op] << "->" << view_.target[op]; }

void GraphTile::CanonicalText(astro::Writer& out) const {
  if (view_.symmetric == 0) out << "directed\n";
  for (uint32_t cell = 0; cell < view_.cells; ++cell) {
    out << cell << ':';
    for (const uint16_t neighbour : puzzle_.arcs->neighbours(static_cast<int>(cell))) out << ' ' << neighbour;
    out << '\n';
  }
  const auto write = [&out](std::string_view name, const Tiles& tiles) {
    out << name;
    for (const uint16_t tile : tiles) out << ' ' << tile;
    out << '\n';
  };
  write("start", puzzle_.start);
  write("goal", puzzle_.goal);
}

void GraphTile::Describe(astro::Writer& out) const {
  out << "board of " << view_.cells << " cells, ";
  if (view_.symmetric != 0) {
    out << view_.arcs / 2 << (view_.arcs == 2 ? " edge" : " edges");
  } else {
    out << astro::Counted(view_.arcs, "one-way edge");
  }
}

astro::Sha256::Digest GraphTile::Fingerprint() const {
  astro::Sha256 hash;
  hash.Update(kStateLayout).UpdateNumber(view_.cells).UpdateNumber(view_.arcs);
  for (uint32_t arc = 0; arc < view_.arcs; ++arc) hash.UpdateNumber(view_.source[arc]).UpdateNumber(view_.target[arc]);
  for (const uint16_t tile : puzzle_.start) hash.UpdateNumber(tile);
  for (const uint16_t tile : puzzle_.goal) hash.UpdateNumber(tile);
  return hash.Finish();
}

uint32_t GraphTile::Solvable(astro::Writer& reason) const {
  const SolvabilityAnswer answer = CheckSolvability(puzzle_);
  reason << answer.reason;
  return answer.solvable;
}

std::unique_ptr<GraphTile> GraphTile::Reversed(astro::Diagnostics&) const {
  Puzzle turned = {puzzle_.arcs, puzzle_.goal, puzzle_.start};
  if (view_.symmetric == 0) turned.arcs = std::make_shared<const Arcs>(puzzle_.arcs->Transposed());
  auto reversed = std::make_unique<GraphTile>(std::move(turned));
  reversed->forward_ = puzzle_.arcs;
  return reversed;
}

astro_op GraphTile::ForwardOp(const void*, astro_op reversed_op) const {
  if (forward_ == nullptr || reversed_op >= view_.arcs) return ASTRO_NO_OP;
  return forward_->Find(view_.target[reversed_op], view_.source[reversed_op]);
}

}  // namespace graph_tile
