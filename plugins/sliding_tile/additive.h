// Additive tables of heuristics, as the register kernel wants them. A table comes from another plugin, so it is
// checked.
#ifndef ASTROLABE_PLUGINS_SLIDING_TILE_ADDITIVE_H_
#define ASTROLABE_PLUGINS_SLIDING_TILE_ADDITIVE_H_

#include <cstdint>
#include <optional>

#include "astrolabe/abi/heuristic.h"
#include "plugins/sliding_tile/puzzle.h"

namespace sliding_tile {

// True when the table is of this shape's size.
bool FitsShape(const astro_additive_table_v1& table, const Shape& shape);

// By how much h can fall below its value in `state` (packed), over all boards; nullopt when the table is no sum of
// terms at all: when a tile that goes round in a circle comes back with another h, h has no floor and a search might
// never end.
std::optional<int64_t> LargestFall(const astro_additive_table_v1& table, const Shape& shape, uint64_t state);

}  // namespace sliding_tile

#endif  // ASTROLABE_PLUGINS_SLIDING_TILE_ADDITIVE_H_
