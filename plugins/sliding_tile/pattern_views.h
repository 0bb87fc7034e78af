// How the tiles of a board are found in the tables of its patterns: as the board is, and as its mirror image.
//
// The mirror image of a board is the board reflected and its tiles renamed so that the goal is the same again; that
// needs a reflection that keeps the goal's blank in its place. A solution of one is a solution of the other, so the
// tables hold for both.
#ifndef ASTROLABE_PLUGINS_SLIDING_TILE_PATTERN_VIEWS_H_
#define ASTROLABE_PLUGINS_SLIDING_TILE_PATTERN_VIEWS_H_

#include <cstdint>
#include <optional>
#include <vector>

#include "astrolabe/sliding_tile/board.h"
#include "plugins/sliding_tile/board_symmetry.h"
#include "plugins/sliding_tile/pattern_builder.h"
#include "plugins/sliding_tile/pattern_partition.h"

namespace sliding_tile {

// A pattern, turned so that patterns that are alike by symmetry have one shape and share a table.
struct TurnedPattern {
  PatternShape shape;
  SquareMap turn;              // square of the board -> square of the table
  std::vector<int> slot_tile;  // the tile of each slot
};
TurnedPattern TurnPattern(const Pattern& pattern, const Instance& puzzle);

inline constexpr uint8_t kNoPattern = 255;

struct PatternView {
  // Of a tile: its pattern, and its slot among those of all patterns one after the other.
  struct Role {
    uint8_t pattern = kNoPattern;
    uint8_t slot = 0;
  };
  std::vector<Role> role;       // of each tile
  std::vector<SquareMap> turn;  // of each pattern: square of the board -> square of the table
};

PatternView PlainView(const std::vector<TurnedPattern>& patterns, const Instance& puzzle);
PatternView MirroredView(const PatternView& plain, const SquareMap& mirror, const Instance& puzzle);

enum class MirrorUse { kOff, kAuto, kOn };

// A reflection that keeps the goal's blank and gives other patterns; nullopt: there is none. With kOn that is refused:
// throws astro::Refused.
std::optional<SquareMap> FindMirror(const std::vector<Pattern>& patterns, const Instance& puzzle, MirrorUse use);

}  // namespace sliding_tile

#endif  // ASTROLABE_PLUGINS_SLIDING_TILE_PATTERN_VIEWS_H_
