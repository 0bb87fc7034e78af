// Which tiles go together in a pattern.
#ifndef ASTROLABE_PLUGINS_SLIDING_TILE_PATTERN_PARTITION_H_
#define ASTROLABE_PLUGINS_SLIDING_TILE_PATTERN_PARTITION_H_

#include <string_view>
#include <vector>

#include "astrolabe/sliding_tile/board.h"

namespace sliding_tile {

using Pattern = std::vector<int>;  // tiles

// `text`: "auto", the name of a preset, or the tiles of each pattern: "1 2 3/4 5 6", numbers with blanks or commas
// between them, patterns with / or ; between them. A tile may be left out; it counts nothing then.
//
// A preset is a set of goal squares for a blank in the first square. For another corner the board is turned; when the
// blank belongs elsewhere, the tile of the first square takes the place of the one that is not there.
//
// Throws astro::Refused with all that is needed to put the text right. Every pattern has a table of at most
// kMaxPatternEntries.
std::vector<Pattern> ReadPartition(std::string_view text, const Instance& puzzle);

inline constexpr uint64_t kMaxPatternEntries = uint64_t{1} << 30;

}  // namespace sliding_tile

#endif  // ASTROLABE_PLUGINS_SLIDING_TILE_PATTERN_PARTITION_H_
