// The space of one instance: of the three layouts the narrowest that its board fits in.
#ifndef ASTROLABE_PLUGINS_TILES_BOARD_SPACE_H_
#define ASTROLABE_PLUGINS_TILES_BOARD_SPACE_H_

#include <cstdint>
#include <variant>

#include "astrolabe/sdk/space.h"
#include "astrolabe/tiles/board.h"
#include "plugins/tiles/arrangement.h"
#include "plugins/tiles/spaces.h"

namespace tiles {

// Immutable, for any thread. Moves as in spaces.h; it must outlive this.
template <class Moves>
class BoardSpace {
 public:
  BoardSpace(const Moves& moves, const Tiles& goal) : cells_(static_cast<uint32_t>(goal.size())) {
    if (goal.size() <= kMaxPackedCells) {
      layout_ = kPacked;
      space_.template emplace<Packed>(moves, goal);
    } else if (goal.size() <= kMaxByteCells) {
      layout_ = kBytes;
      space_.template emplace<Bytes>(moves, goal);
    } else {
      layout_ = kWords;
      space_.template emplace<Words>(moves, goal);
    }
  }
  BoardSpace(const BoardSpace&) = delete;
  BoardSpace& operator=(const BoardSpace&) = delete;

  uint32_t cells() const { return cells_; }
  uint32_t layout() const { return layout_; }
  uint32_t state_size() const {
    if (layout_ == kPacked) return sizeof(uint64_t);
    return (cells_ + 1) * static_cast<uint32_t>(layout_ == kBytes ? sizeof(uint8_t) : sizeof(uint16_t));
  }
  uint32_t state_align() const { return layout_ == kPacked ? alignof(uint64_t) : alignof(uint16_t); }

  // Calls f with the space.
  template <class F>
  [[gnu::always_inline]] auto Visit(F&& f) const {
    if (const auto* packed = std::get_if<Packed>(&space_)) return f(*packed);
    if (const auto* bytes = std::get_if<Bytes>(&space_)) return f(*bytes);
    return f(*std::get_if<Words>(&space_));
  }

  void Store(const Tiles& tiles, void* out) const {
    Visit([&]<class S>(const S& space) { space.Store(tiles, astro::internal::Out<S>(out)); });
  }
  Tiles Load(const void* state) const {
    Tiles tiles(cells_);
    Visit([&]<class S>(const S& space) {
      for (uint32_t place = 0; place < cells_; ++place) {
        tiles[place] = static_cast<uint16_t>(space.Tile(astro::internal::In<S>(state), static_cast<int>(place)));
      }
    });
    return tiles;
  }
  // Every move costs 1. False: no operator of this state.
  bool ApplyInPlace(void* state, astro_op op, int64_t* cost) const {
    *cost = 1;
    return Visit([&]<class S>(const S& space) { return space.ApplyChecked(astro::internal::Out<S>(state), op); });
  }
  uint32_t Tile(const void* state, int place) const {
    return Visit([&]<class S>(const S& space) { return space.Tile(astro::internal::In<S>(state), place); });
  }

 private:
  using Packed = PackedSpace<Moves>;
  using Bytes = CellSpace<Moves, uint8_t>;
  using Words = CellSpace<Moves, uint16_t>;

  uint32_t cells_;
  uint32_t layout_;
  // The empty alternative lasts no longer than the constructor: the spaces are not assignable.
  std::variant<std::monostate, Packed, Bytes, Words> space_;
};

}  // namespace tiles

#endif  // ASTROLABE_PLUGINS_TILES_BOARD_SPACE_H_
