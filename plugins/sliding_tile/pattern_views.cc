#include "plugins/sliding_tile/pattern_views.h"

#include <algorithm>
#include <bit>
#include <set>
#include <utility>

#include "astrolabe/sdk/error.h"

namespace sliding_tile {
namespace {

// The goal squares of all patterns, seen through `map`.
std::set<std::set<int>> GoalSquares(const std::vector<Pattern>& patterns, const Instance& puzzle,
                                    const SquareMap& map) {
  std::set<std::set<int>> all;
  for (const Pattern& pattern : patterns) {
    std::set<int> squares;
    for (const int tile : pattern) squares.insert(map[puzzle.goal_square(tile)]);
    all.insert(std::move(squares));
  }
  return all;
}

}  // namespace

TurnedPattern TurnPattern(const Pattern& pattern, const Instance& puzzle) {
  std::optional<TurnedPattern> best;
  for (SquareMap& symmetry : BoardSymmetries(puzzle.rows(), puzzle.cols())) {
    TurnedPattern turned{{puzzle.rows(), puzzle.cols(), {}, 0}, {}, pattern};
    const auto home = [&](int tile) { return symmetry[puzzle.goal_square(tile)]; };
    std::sort(turned.slot_tile.begin(), turned.slot_tile.end(), [&](int a, int b) { return home(a) < home(b); });
    uint64_t occupied = 0;
    for (const int tile : turned.slot_tile) {
      turned.shape.squares.push_back(home(tile));
      occupied |= uint64_t{1} << home(tile);
    }
    const uint64_t region = BlankRegion(puzzle.rows(), puzzle.cols(), occupied, home(0));
    turned.shape.blank = static_cast<uint8_t>(std::countr_zero(region));
    turned.turn = symmetry;
    if (!best || turned.shape < best->shape) best = std::move(turned);
  }
  return *std::move(best);
}

PatternView PlainView(const std::vector<TurnedPattern>& patterns, const Instance& puzzle) {
  PatternView view;
  view.role.resize(static_cast<size_t>(puzzle.cells()));
  uint8_t slot = 0;
  for (const TurnedPattern& pattern : patterns) {
    for (const int tile : pattern.slot_tile) view.role[tile] = {static_cast<uint8_t>(view.turn.size()), slot++};
    view.turn.push_back(pattern.turn);
  }
  return view;
}

PatternView MirroredView(const PatternView& plain, const SquareMap& mirror, const Instance& puzzle) {
  PatternView view;
  view.role.resize(plain.role.size());
  for (int tile = 1; tile < puzzle.cells(); ++tile) {
    view.role[tile] = plain.role[puzzle.goal_tile(mirror[puzzle.goal_square(tile)])];
  }
  for (const SquareMap& turn : plain.turn) {
    SquareMap& both = view.turn.emplace_back();
    for (const uint8_t square : mirror) both.push_back(turn[square]);
  }
  return view;
}

std::optional<SquareMap> FindMirror(const std::vector<Pattern>& patterns, const Instance& puzzle, MirrorUse use) {
  if (use == MirrorUse::kOff) return std::nullopt;
  const std::vector<SquareMap> symmetries = BoardSymmetries(puzzle.rows(), puzzle.cols());
  const int blank = puzzle.goal_square(0);
  bool any = false;
  for (size_t i = 1; i < symmetries.size(); ++i) {
    if (symmetries[i][blank] != blank) continue;
    any = true;
    if (GoalSquares(patterns, puzzle, symmetries[i]) != GoalSquares(patterns, puzzle, symmetries[0])) {
      return symmetries[i];
    }
  }
  if (use == MirrorUse::kOn && any) {
    throw astro::Refused("mirror: these patterns are their own mirror image; a second lookup would find the same",
                         "leave the parameter mirror out");
  }
  if (use == MirrorUse::kOn) {
    throw astro::Refused(
        "mirror: no reflection of this board keeps the goal's blank in its place",
        "leave the parameter mirror out, or take a goal with the blank on a diagonal of a square board "
        "or in a middle row or column");
  }
  return std::nullopt;
}

}  // namespace sliding_tile
