#include "plugins/sliding_tile/pattern_table.h"

#include <optional>
#include <span>

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

}  // namespace

PatternTable OpenPatternTable(const PatternShape& shape, const astro::Host& host, const std::string& what) {
  PatternTable table{PatternIndex(shape.cells(), static_cast<int>(shape.squares.size()))};
  const astro::CacheKey key = KeyOf(shape, table.index);
  std::optional<std::span<const std::byte>> bytes = host.CacheOpen(key);
  if (!bytes || bytes->size() != table.index.size()) {
    host.Progress(what, 0);
    PatternBuilder builder(shape, table.index, host, what);
    astro::CacheWriter writer(host, key, table.index.size());
    builder.Run(writer.data());
    bytes = writer.Commit();
    table.built = true;
  }
  table.moves = reinterpret_cast<const uint8_t*>(bytes->data());
  return table;
}

}  // namespace sliding_tile
