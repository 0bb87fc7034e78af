#include "plugins/sliding_tile/board_distance.h"

#include <algorithm>
#include <cstring>

namespace sliding_tile {
namespace {

constexpr size_t kPiece = 64;  // bytes compared at once

}  // namespace

// The target is a board without tiles at first, from which any differs everywhere.
BoardDistance::BoardDistance(const Moves& moves, const tiles::BoardSpace<Moves>& space, const uint8_t* row,
                             const uint8_t* col)
    : moves_(&moves),
      space_(&space),
      row_(row),
      col_(col),
      place_(space.cells(), 0),
      target_((space.state_size() + sizeof(uint64_t) - 1) / sizeof(uint64_t), ~uint64_t{0}) {}

template <class F>
void BoardDistance::EachDifference(const void* board, F&& f) const {
  const auto* const bytes = static_cast<const std::byte*>(board);
  const auto* const target = reinterpret_cast<const std::byte*>(target_.data());
  const int cells = static_cast<int>(space_->cells());
  if (space_->layout() == tiles::kPacked) {
    for (int square = 0; square < cells; ++square) f(square);
    return;
  }
  const size_t cell_bytes = space_->layout() == tiles::kBytes ? sizeof(uint8_t) : sizeof(uint16_t);
  const size_t size = static_cast<size_t>(cells) * cell_bytes;
  for (size_t at = 0; at < size; at += kPiece) {
    const size_t piece = std::min(kPiece, size - at);
    if (std::memcmp(bytes + at, target + at, piece) == 0) continue;
    const int end = static_cast<int>((at + piece) / cell_bytes);
    for (int square = static_cast<int>(at / cell_bytes); square < end; ++square) f(square);
  }
}

void BoardDistance::Bind(const void* target) {
  EachDifference(target, [&](int square) { place_[space_->Tile(target, square)] = static_cast<uint16_t>(square); });
  std::memcpy(target_.data(), target, space_->state_size());
}

int64_t BoardDistance::Evaluate(const void* board) const {
  int64_t h = 0;
  EachDifference(board, [&](int square) {
    const uint32_t tile = space_->Tile(board, square);
    if (tile != 0) h += Steps(tile, square);
  });
  return h;
}

}  // namespace sliding_tile
