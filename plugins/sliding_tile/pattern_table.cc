#include "plugins/sliding_tile/pattern_table.h"

#include <bit>
#include <optional>
#include <span>
#include <string>

#include "astrolabe/sdk/sha256.h"

namespace sliding_tile {
namespace {

// Of what is in a file. Another number for every change of builder or index that changes a byte.
constexpr uint64_t kFormat = 1;

astro::CacheKey KeyOf(const PatternShape& shape, const PatternIndex& index) {
  astro::Sha256 hash;
  hash.Update("sliding_tile pattern table").UpdateNumber(kFormat);
  hash.UpdateNumber(static_cast<uint64_t>(shape.rows)).UpdateNumber(static_cast<uint64_t>(shape.cols));
  hash.UpdateNumber(shape.blank).UpdateNumber(shape.squares.size());
  for (const uint8_t square : shape.squares) hash.UpdateNumber(square);
  hash.UpdateNumber(index.size());
  return hash.Finish();
}

// The board's rows: x for the places of the tiles; _ for where the blank belongs, if that matters; . for the others.
std::string Describe(const PatternShape& shape) {
  std::string squares(static_cast<size_t>(shape.cells()), '.');
  uint64_t occupied = 0;
  for (const uint8_t square : shape.squares) occupied |= uint64_t{1} << square;
  const uint64_t region = BlankRegion(shape.rows, shape.cols, occupied, shape.blank);
  const bool matters = std::popcount(occupied | region) < shape.cells();
  for (size_t square = 0; square < squares.size(); ++square) {
    if ((occupied >> square & 1) != 0) squares[square] = 'x';
    if (matters && (region >> square & 1) != 0) squares[square] = '_';
  }
  std::string text = std::to_string(shape.rows) + " x " + std::to_string(shape.cols) + " board, " +
                     astro::Counted(shape.squares.size(), "tile") + ':';
  for (int row = 0; row < shape.rows; ++row) {
    text += ' ' + squares.substr(static_cast<size_t>(row * shape.cols), static_cast<size_t>(shape.cols));
  }
  return text;
}

}  // namespace

PatternTable OpenPatternTable(const PatternShape& shape, const astro::Host& host, const std::string& what) {
  PatternTable table{PatternIndex(shape.cells(), static_cast<int>(shape.squares.size()))};
  const astro::CacheKey key = KeyOf(shape, table.index);
  std::optional<std::span<const std::byte>> bytes = host.CacheOpen(key);
  if (!bytes || bytes->size() != table.index.size()) {
    host.Progress(what, 0);
    PatternBuilder builder(shape, table.index, host, what);
    astro::CacheWriter writer(host, key, table.index.size(), Describe(shape));
    builder.Run(writer.data());
    bytes = writer.Commit();
    table.built = true;
  }
  table.moves = reinterpret_cast<const uint8_t*>(bytes->data());
  return table;
}

}  // namespace sliding_tile
