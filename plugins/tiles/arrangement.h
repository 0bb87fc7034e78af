// Which tile is on which place of a board.
#ifndef ASTROLABE_PLUGINS_TILES_ARRANGEMENT_H_
#define ASTROLABE_PLUGINS_TILES_ARRANGEMENT_H_

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

namespace tiles {

// The tile on each place; 0 is the blank. Of a whole board a permutation of 0 .. cells - 1.
using Tiles = std::vector<uint16_t>;

// 1 .. cells - 1 with the blank behind, or before, them.
inline Tiles BlankLast(int cells) {
  Tiles tiles(cells);
  std::iota(tiles.begin(), tiles.end(), uint16_t{1});
  tiles.back() = 0;
  return tiles;
}
inline Tiles BlankFirst(int cells) {
  Tiles tiles(cells);
  std::iota(tiles.begin(), tiles.end(), uint16_t{0});
  return tiles;
}
// By the names that instances and parameters use; null: neither.
inline std::optional<Tiles> NamedGoal(std::string_view name, int cells) {
  if (name == "blank-last") return BlankLast(cells);
  if (name == "blank-first") return BlankFirst(cells);
  return std::nullopt;
}

// Where a tile that is there is.
inline int PlaceOf(uint16_t tile, const Tiles& tiles) {
  int place = 0;
  while (tiles[place] != tile) ++place;
  return place;
}

// The place of each tile of a whole board.
inline Tiles PlacesOf(const Tiles& tiles) {
  Tiles places(tiles.size());
  for (size_t place = 0; place < tiles.size(); ++place) places[tiles[place]] = static_cast<uint16_t>(place);
  return places;
}

// How many swaps of two places turn one arrangement into another of the same tiles: places less cycles. The tiles may
// be any numbers, each once.
inline int CountSwaps(const Tiles& from, const Tiles& to) {
  std::vector<std::pair<uint16_t, size_t>> places;  // tile, place in `to`
  for (size_t place = 0; place < to.size(); ++place) places.emplace_back(to[place], place);
  std::sort(places.begin(), places.end());
  const auto target = [&](uint16_t tile) {
    return std::lower_bound(places.begin(), places.end(), std::pair(tile, size_t{0}))->second;
  };
  std::vector<bool> seen(from.size());
  int swaps = static_cast<int>(from.size());
  for (size_t place = 0; place < from.size(); ++place) {
    if (seen[place]) continue;
    --swaps;
    for (size_t at = place; !seen[at]; at = target(from[at])) seen[at] = true;
  }
  return swaps;
}

}  // namespace tiles

#endif  // ASTROLABE_PLUGINS_TILES_ARRANGEMENT_H_
