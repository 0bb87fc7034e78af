// A pattern's table, from the host's cache or built.
#ifndef ASTROLABE_PLUGINS_SLIDING_TILE_PATTERN_TABLE_H_
#define ASTROLABE_PLUGINS_SLIDING_TILE_PATTERN_TABLE_H_

#include <cstdint>
#include <string>

#include "astrolabe/sdk/host.h"
#include "plugins/sliding_tile/pattern_builder.h"
#include "plugins/sliding_tile/pattern_index.h"

namespace sliding_tile {

struct PatternTable {
  PatternIndex index;
  const uint8_t* moves = nullptr;  // of each entry; read-only, valid until the worker ends
  bool built = false;              // it was not in the cache
};

// `what`: named in progress. Throws astro::Cancelled, astro::Refused, std::bad_alloc.
PatternTable OpenPatternTable(const PatternShape& shape, const astro::Host& host, const std::string& what);

}  // namespace sliding_tile

#endif  // ASTROLABE_PLUGINS_SLIDING_TILE_PATTERN_TABLE_H_
