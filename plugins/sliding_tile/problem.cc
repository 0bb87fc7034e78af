#include "plugins/sliding_tile/problem.h"

#include <string>

#include "plugins/sliding_tile/board_facts.h"
#include "plugins/sliding_tile/construct.h"
#include "plugins/sliding_tile/parity.h"
#include "plugins/sliding_tile/register_kernel.h"

namespace sliding_tile {
namespace {

constexpr std::string_view kDirectionNames[] = {"UP", "LEFT", "RIGHT", "DOWN"};

// Numbers at least `width` wide; 0: as they are.
std::string RowsOf(const Shape& shape, const auto& tile_at, size_t width) {
  std::string text;
  for (int square = 0; square < shape.cells(); ++square) {
    const std::string number = std::to_string(tile_at(square));
    if (square > 0) text += square % shape.cols == 0 ? '\n' : ' ';
    text.append(number.size() < width ? width - number.size() : 0, ' ') += number;
  }
  return text;
}

size_t WidthOf(const Shape& shape) { return std::to_string(shape.cells() - 1).size(); }

}  // namespace

std::unique_ptr<SlidingTile> SlidingTile::Parse(std::string_view text, const astro::Params& params,
                                                astro::Diagnostics& diagnostics) {
  std::optional<Puzzle> puzzle = ReadPuzzle(text, params.String("goal"), diagnostics);
  if (!puzzle) return nullptr;
  return std::make_unique<SlidingTile>(std::move(*puzzle));
}

SlidingTile::SlidingTile(Puzzle puzzle)
    : puzzle_(std::move(puzzle)),
      moves_(puzzle_.shape),
      goal_square_(tiles::PlacesOf(puzzle_.goal)),
      space_(moves_, puzzle_.goal) {
  const int cells = puzzle_.shape.cells();
  for (int square = 0; square < cells; ++square) {
    row_.push_back(static_cast<uint8_t>(square / puzzle_.shape.cols));
    col_.push_back(static_cast<uint8_t>(square % puzzle_.shape.cols));
  }

  view_.struct_size = sizeof(view_);
  view_.rows = static_cast<uint32_t>(puzzle_.shape.rows);
  view_.cols = static_cast<uint32_t>(puzzle_.shape.cols);
  view_.cells = static_cast<uint32_t>(cells);
  view_.start = puzzle_.start.data();
  view_.goal = puzzle_.goal.data();
  view_.goal_square = goal_square_.data();
  view_.row = row_.data();
  view_.col = col_.data();
  view_.goal_blank = goal_square_[0];
  view_.start_blank = static_cast<uint32_t>(tiles::PlaceOf(0, puzzle_.start));
  view_.layout = space_.layout();
  view_.state_size = space_.state_size();
}

astro::SpaceInfo SlidingTile::Space() const {
  astro::SpaceInfo info;
  info.flags = ASTRO_PROBLEM_UNIT_COST | ASTRO_PROBLEM_UNDIRECTED | ASTRO_PROBLEM_PRUNES_LAST;
  info.state_size = view_.state_size;
  info.state_align = space_.state_align();
  info.max_ops = 4;
  return info;
}

astro_op SlidingTile::InverseOp(astro_op op) const {
  return moves_.IsOp(op) ? moves_.Target(op) << 2 | Opposite(op & 3) : ASTRO_NO_OP;
}

void SlidingTile::RenderState(const void* state, astro::Writer& out) const {
  out << RowsOf(
      puzzle_.shape, [&](int square) { return space_.Tile(state, square); }, WidthOf(puzzle_.shape));
}

bool SlidingTile::ParseState(std::string_view text, astro::Diagnostics& diagnostics, void* out) const {
  const std::optional<Tiles> tiles = ReadBoard(text, puzzle_.shape, diagnostics);
  if (!tiles) return false;
  space_.Store(*tiles, out);
  return true;
}

void SlidingTile::RenderOp(astro_op op, astro::Writer& out) const { out << kDirectionNames[op & 3]; }

void SlidingTile::CanonicalText(astro::Writer& out) const {
  out << puzzle_.shape.rows << ' ' << puzzle_.shape.cols << '\n';
  out << RowsOf(
             puzzle_.shape, [&](int square) { return puzzle_.start[square]; }, 0)
      << "\ngoal\n"
      << RowsOf(
             puzzle_.shape, [&](int square) { return puzzle_.goal[square]; }, 0)
      << '\n';
}

void SlidingTile::Describe(astro::Writer& out) const {
  out << puzzle_.shape.rows << " x " << puzzle_.shape.cols << " board, " << puzzle_.shape.cells() - 1 << " tiles, goal "
      << (puzzle_.goal == BlankLast(puzzle_.shape)    ? "blank-last"
          : puzzle_.goal == BlankFirst(puzzle_.shape) ? "blank-first"
                                                      : "of its own");
}

astro::Sha256::Digest SlidingTile::Fingerprint() const {
  astro::Sha256 hash;
  hash.Update(kStateLayout).UpdateNumber(puzzle_.shape.rows).UpdateNumber(puzzle_.shape.cols);
  for (const uint16_t tile : puzzle_.start) hash.UpdateNumber(tile);
  for (const uint16_t tile : puzzle_.goal) hash.UpdateNumber(tile);
  return hash.Finish();
}

uint32_t SlidingTile::Solvable(astro::Writer& reason) const {
  const ParityAnswer answer = CheckParity(puzzle_);
  reason << answer.reason;
  return answer.solvable ? ASTRO_SOLVABLE_YES : ASTRO_SOLVABLE_NO;
}

void SlidingTile::Construct(astro::OpWriter& out) const { ConstructSolution(puzzle_, out); }

void SlidingTile::Facts(const void* state, astro::FactWriter& out) const {
  const Puzzle puzzle = {puzzle_.shape, space_.Load(state), puzzle_.goal};
  out.Add("hamming", Hamming(puzzle));
  out.Add("manhattan", Manhattan(puzzle));
  out.Add("solvable", CheckParity(puzzle).solvable ? "yes" : "no");
  const Tiles twin = Twin(puzzle.shape, puzzle.start);
  out.Add("twin", RowsOf(
                      puzzle.shape, [&](int square) { return twin[square]; }, WidthOf(puzzle.shape)));
}

std::unique_ptr<SlidingTile> SlidingTile::Reversed(astro::Diagnostics&) const {
  return std::make_unique<SlidingTile>(Puzzle{puzzle_.shape, puzzle_.goal, puzzle_.start});
}

std::optional<int32_t> SlidingTile::RunKernel(astro_ida_v1& call) const {
  return RunRegisterKernel(puzzle_.shape, view_, *batch_frames_, call);
}

}  // namespace sliding_tile
