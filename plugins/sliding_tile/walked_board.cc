#include "plugins/sliding_tile/walked_board.h"

#include <utility>

#include "astrolabe/sliding_tile/view.h"

namespace sliding_tile {
namespace {

constexpr size_t kFull = 8192;

}  // namespace

WalkedBoard::WalkedBoard(const TurnedBoard& turned, const Shape& shape, Tiles tiles, Walk walk, astro::OpWriter& out)
    : turned_(turned),
      cols_(shape.cols),
      moves_(shape),
      tiles_(std::move(tiles)),
      square_(tiles_.size()),
      walk_(walk),
      out_(out) {
  for (size_t square = 0; square < tiles_.size(); ++square) square_[tiles_[square]] = static_cast<int>(square);
  ops_.reserve(kFull + 1);
}

void WalkedBoard::Step(int to) {
  const int from = blank();
  const int there = turned_.Square(from);
  const int step = turned_.Square(to) - there;
  const uint32_t direction = step == -cols_ ? SLIDING_TILE_UP
                             : step == -1   ? SLIDING_TILE_LEFT
                             : step == 1    ? SLIDING_TILE_RIGHT
                                            : SLIDING_TILE_DOWN;
  Write(static_cast<astro_op>(there) << 2 | direction);
  tiles_[from] = tiles_[to];
  square_[tiles_[from]] = from;
  tiles_[to] = 0;
  square_[0] = to;
}

size_t WalkedBoard::Finish() {
  Flush(ops_.size());
  return written_;
}

void WalkedBoard::Write(astro_op op) {
  if (!ops_.empty() && moves_.Target(ops_.back()) == Moves::BlankOf(op) && (ops_.back() & 3) == Opposite(op & 3)) {
    ops_.pop_back();
    return;
  }
  ops_.push_back(op);
  if (ops_.size() == kFull) Flush(kFull / 2);
}

void WalkedBoard::Flush(size_t count) {
  out_.Write({ops_.data(), walk_ == Walk::kWritten ? count : 0});
  ops_.erase(ops_.begin(), ops_.begin() + static_cast<std::ptrdiff_t>(count));
  written_ += count;
}

}  // namespace sliding_tile
