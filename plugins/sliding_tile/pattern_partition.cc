#include "plugins/sliding_tile/pattern_partition.h"

#include <algorithm>
#include <charconv>
#include <cstdint>
#include <string>

#include "astrolabe/sdk/error.h"
#include "plugins/sliding_tile/board_symmetry.h"
#include "plugins/sliding_tile/pattern_index.h"

namespace sliding_tile {
namespace {

// Goal squares; the blank belongs in square 0. 6-6-3, 7-8 and 6-6-6-6 are those of Korf and Felner 2002; 5-5-5 is the
// best of the 54 with three connected patterns, by the mean of h over all boards.
struct Preset {
  std::string_view name;
  int side;
  std::vector<std::vector<int>> squares;
};

const std::vector<Preset>& Presets() {
  static const auto* presets = new std::vector<Preset>{
      {"5-5-5", 4, {{1, 2, 4, 5, 8}, {3, 6, 7, 10, 11}, {9, 12, 13, 14, 15}}},
      {"6-6-3", 4, {{1, 2, 4, 5, 8, 9}, {3, 6, 7, 10, 11, 15}, {12, 13, 14}}},
      {"7-8", 4, {{1, 2, 3, 4, 5, 6, 7}, {8, 9, 10, 11, 12, 13, 14, 15}}},
      {"6-6-6-6", 5, {{1, 5, 6, 10, 11, 12}, {2, 3, 4, 7, 8, 9}, {13, 14, 18, 19, 23, 24}, {15, 16, 17, 20, 21, 22}}},
  };
  return *presets;
}

constexpr std::string_view kPresets = "a preset (5-5-5, 6-6-3 and 7-8 for 4 x 4, 6-6-6-6 for 5 x 5), or auto";
// The most squares of a board whose partition is written out in a message.
constexpr int kMostWritten = 36;
constexpr std::string_view kBlanks = " \t\r\n";
constexpr std::string_view kSeparators = " \t\r\n,/;";
// Of one table when nobody asked for anything.
constexpr uint64_t kAutoEntries = 8'000'000;

std::string ShapeText(const Instance& puzzle) {
  return std::to_string(puzzle.rows()) + " x " + std::to_string(puzzle.cols());
}

// Tiles in the order of their places, as many together as a small table takes.
std::vector<Pattern> Automatic(const Instance& puzzle) {
  const int cells = puzzle.cells();
  int size = 1;
  while (size < std::min(kMaxPatternTiles, cells - 1) && CountPlacements(cells, size + 1) <= kAutoEntries) ++size;
  std::vector<Pattern> patterns;
  for (int square = 0; square < cells; ++square) {
    const int tile = puzzle.goal_tile(square);
    if (tile == 0) continue;
    if (patterns.empty() || patterns.back().size() == static_cast<size_t>(size)) patterns.emplace_back();
    patterns.back().push_back(tile);
  }
  return patterns;
}

std::string TextOf(const std::vector<Pattern>& patterns) {
  std::string text;
  for (const Pattern& pattern : patterns) {
    if (!text.empty()) text += '/';
    for (size_t i = 0; i < pattern.size(); ++i) {
      if (i > 0) text += ' ';
      text += std::to_string(pattern[i]);
    }
  }
  return text;
}

// What to write instead, with a partition that this very board takes.
std::string Syntax(const Instance& puzzle) {
  std::string text = "write the tiles of each pattern";
  if (puzzle.cells() <= kMostWritten) {
    text += ", on this board for example \"" + TextOf(Automatic(puzzle)) + "\"";
  } else {
    text += ", as in \"1 2 3/4 5 6/7 8\"";
  }
  return text + ", or " + std::string(kPresets);
}

std::vector<Pattern> FromPreset(const Preset& preset, const Instance& puzzle) {
  if (puzzle.rows() != preset.side || puzzle.cols() != preset.side) {
    const std::string side = std::to_string(preset.side);
    throw astro::Refused("the patterns " + std::string(preset.name) + " are for boards of " + side + " x " + side +
                             "; this one is " + ShapeText(puzzle),
                         Syntax(puzzle));
  }
  const int blank = puzzle.goal_square(0);
  SquareMap turn;
  for (const SquareMap& symmetry : BoardSymmetries(preset.side, preset.side)) {
    const bool keeps_rows = puzzle.row(symmetry[1]) == puzzle.row(symmetry[0]);
    if (symmetry[0] == blank && keeps_rows) turn = symmetry;
  }
  std::vector<Pattern> patterns;
  for (const std::vector<int>& squares : preset.squares) {
    Pattern& pattern = patterns.emplace_back();
    for (const int square : squares) {
      const int at = turn.empty() ? (square == blank ? 0 : square) : turn[square];
      pattern.push_back(puzzle.goal_tile(at));
    }
  }
  return patterns;
}

std::vector<Pattern> FromTiles(std::string_view text, const Instance& puzzle) {
  std::vector<Pattern> patterns(1);
  std::vector<bool> used(static_cast<size_t>(puzzle.cells()));
  for (size_t at = 0; at < text.size();) {
    const char c = text[at];
    if (c == '/' || c == ';') patterns.emplace_back();
    if (kSeparators.find(c) != std::string_view::npos) {
      ++at;
      continue;
    }
    const std::string_view word = text.substr(at, text.find_first_of(kSeparators, at) - at);
    const size_t size = word.size();
    int tile = 0;
    const auto [end, error] = std::from_chars(word.data(), word.data() + size, tile);
    if (error != std::errc() || end != word.data() + size || word[0] == '-') {
      throw astro::Refused("patterns: '" + std::string(word) + "' is neither a tile nor a preset", Syntax(puzzle));
    }
    at += size;
    if (tile < 1 || tile >= puzzle.cells()) {
      throw astro::Refused("patterns: there is no tile " + std::to_string(tile) + " on a board of " +
                               ShapeText(puzzle) + "; its tiles are 1 to " + std::to_string(puzzle.cells() - 1),
                           Syntax(puzzle));
    }
    if (used[tile]) {
      throw astro::Refused("patterns: tile " + std::to_string(tile) +
                               " is there twice; its moves would be counted twice and h not be admissible",
                           "put each tile into one pattern; for several partitions name the heuristic several times");
    }
    used[tile] = true;
    patterns.back().push_back(tile);
  }
  std::erase_if(patterns, [](const Pattern& pattern) { return pattern.empty(); });
  if (patterns.empty()) throw astro::Refused("patterns: there is none", Syntax(puzzle));
  return patterns;
}

void CheckSizes(const std::vector<Pattern>& patterns, const Instance& puzzle) {
  for (const Pattern& pattern : patterns) {
    const int tiles = static_cast<int>(pattern.size());
    if (tiles > kMaxPatternTiles) {
      throw astro::Refused("patterns: one has " + std::to_string(tiles) + " tiles, at most " +
                               std::to_string(kMaxPatternTiles) + " fit a table",
                           "split it: " + Syntax(puzzle));
    }
    const uint64_t placements = CountPlacements(puzzle.cells(), tiles);
    if (placements > kMaxPatternEntries) {
      throw astro::Refused("patterns: the table of " + std::to_string(tiles) + " tiles on " +
                               std::to_string(puzzle.cells()) + " squares would have " + std::to_string(placements) +
                               " entries, more than " + std::to_string(kMaxPatternEntries),
                           "use smaller patterns: " + Syntax(puzzle));
    }
  }
}

}  // namespace

std::vector<Pattern> ReadPartition(std::string_view text, const Instance& puzzle) {
  if (puzzle.cells() > kMaxPatternCells) {
    throw astro::Refused("pattern_database takes boards of up to " + std::to_string(kMaxPatternCells) +
                             " squares; this one is " + ShapeText(puzzle),
                         "use linear_conflict, which takes any board");
  }
  // Blanks around it, as files and forms leave them, mean nothing.
  const size_t first = text.find_first_not_of(kBlanks);
  text = first == std::string_view::npos ? "" : text.substr(first, text.find_last_not_of(kBlanks) + 1 - first);
  for (const Preset& preset : Presets()) {
    if (text == preset.name) return FromPreset(preset, puzzle);
  }
  if (text == "auto") {
    const bool square4 = puzzle.rows() == 4 && puzzle.cols() == 4;
    return square4 ? ReadPartition("6-6-3", puzzle) : Automatic(puzzle);
  }
  std::vector<Pattern> patterns = FromTiles(text, puzzle);
  CheckSizes(patterns, puzzle);
  return patterns;
}

}  // namespace sliding_tile
