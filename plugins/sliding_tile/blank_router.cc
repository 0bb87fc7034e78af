#include "plugins/sliding_tile/blank_router.h"

#include <utility>

namespace sliding_tile {
namespace {

constexpr int kNoWay = -1'000'000;

}  // namespace

BlankRouter::BlankRouter(const Shape& shape, const Tiles& goal, const WalkedBoard& board)
    : shape_(shape),
      board_(board),
      row_(shape.cells()),
      col_(shape.cells()),
      place_(tiles::PlacesOf(goal)),
      locked_(shape.cells(), 0),
      met_(shape.cells(), 0),
      gain_(shape.cells(), 0),
      came_from_(shape.cells(), 0) {
  for (int square = 0; square < shape.cells(); ++square) {
    row_[square] = square / shape.cols;
    col_[square] = square % shape.cols;
  }
}

bool BlankRouter::FindStraight(int to, int avoid, Way& way) {
  const int from = board_.blank();
  const int down = row_[to] >= row_[from] ? shape_.cols : -shape_.cols;
  const int right = col_[to] >= col_[from] ? 1 : -1;
  const int rows = std::abs(row_[to] - row_[from]);
  const int cols = std::abs(col_[to] - col_[from]);
  for (int row = 0; row <= rows; ++row) {
    for (int col = 0; col <= cols; ++col) {
      const int at = from + row * down + col * right;
      int best = at == from ? 0 : kNoWay;
      if (at != from && !locked(at) && at != avoid) {
        const auto look = [&](int before) {
          if (gain_[before] == kNoWay) return;
          const int gain = gain_[before] + Gain(before, at);
          if (gain <= best) return;
          best = gain;
          came_from_[at] = before;
        };
        if (row > 0) look(at - down);
        if (col > 0) look(at - right);
      }
      gain_[at] = best;
    }
  }
  if (gain_[to] == kNoWay) return false;
  way.gain = gain_[to];
  Collect(from, to, way);
  return true;
}

// Squares are looked at nearest first, by stacks of those on the straight way and of those two steps further round,
// so that few but those on the way are.
void BlankRouter::FindAny(int to, int avoid, Way& way) {
  const int from = board_.blank();
  ++search_;
  near_.assign(1, from);
  far_.clear();
  met_[from] = search_;
  while (met_[to] != search_) {
    if (near_.empty()) std::swap(near_, far_);
    const int at = near_.back();
    near_.pop_back();
    const int distance = Distance(at, to);
    ForNeighbours(at, [&](int next) {
      if (locked(next) || next == avoid || met_[next] == search_) return;
      met_[next] = search_;
      came_from_[next] = at;
      (Distance(next, to) < distance ? near_ : far_).push_back(next);
    });
  }
  Collect(from, to, way);
  way.gain = 0;
  for (const int at : way.squares) way.gain += Gain(came_from_[at], at);
}

void BlankRouter::Collect(int from, int to, Way& way) const {
  way.squares.clear();
  for (int at = to; at != from; at = came_from_[at]) way.squares.push_back(at);
}

}  // namespace sliding_tile
