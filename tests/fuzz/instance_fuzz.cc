// Fuzzes the reader of sliding-tile instances. The input is the instance and, after a NUL byte, the parameter goal.
// Whatever it is, either every fault is said with a message, or the boards are permutations and their canonical text
// reads back as the same puzzle.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <optional>
#include <string>
#include <string_view>

#include "plugins/sliding_tile/parity.h"
#include "plugins/sliding_tile/problem.h"
#include "plugins/sliding_tile/puzzle.h"

namespace {

void Demand(bool condition) {
  if (!condition) std::abort();
}

// Counts the errors that are reported.
struct ErrorCounter {
  int errors = 0;
  const astro_diagnostics sink{this, &ErrorCounter::Report};

  static void Report(void* self, const astro_diagnostic_v1* diagnostic) {
    if (diagnostic->severity != ASTRO_SEVERITY_ERROR) return;
    Demand(diagnostic->message.size > 0);
    ++static_cast<ErrorCounter*>(self)->errors;
  }
};

void DemandPermutation(const sliding_tile::Tiles& tiles, size_t cells) {
  Demand(tiles.size() == cells);
  std::vector<bool> seen(cells);
  for (const uint16_t tile : tiles) {
    Demand(tile < cells && !seen[tile]);
    seen[tile] = true;
  }
}

std::optional<sliding_tile::Puzzle> Read(std::string_view instance, std::optional<std::string_view> goal) {
  ErrorCounter counter;
  astro::Diagnostics diagnostics(&counter.sink);
  auto puzzle = sliding_tile::ReadPuzzle(instance, goal, diagnostics);
  Demand(puzzle.has_value() == (counter.errors == 0));
  return puzzle;
}

void Append(void* text, const char* data, uint64_t size) { static_cast<std::string*>(text)->append(data, size); }

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const std::string_view bytes(reinterpret_cast<const char*>(data), size);
  const size_t cut = bytes.find('\0');
  std::optional<std::string_view> goal;
  if (cut != std::string_view::npos) goal = bytes.substr(cut + 1);
  const auto puzzle = Read(bytes.substr(0, cut), goal);
  if (!puzzle) return 0;
  const auto cells = static_cast<size_t>(puzzle->shape.cells());
  DemandPermutation(puzzle->start, cells);
  DemandPermutation(puzzle->goal, cells);
  (void)sliding_tile::CheckParity(*puzzle);
  std::string text;
  const astro_sink sink{&text, &Append};
  astro::Writer writer(&sink);
  sliding_tile::SlidingTile(*puzzle).CanonicalText(writer);
  const auto again = Read(text, std::nullopt);
  Demand(again && again->shape == puzzle->shape && again->start == puzzle->start && again->goal == puzzle->goal);
  return 0;
}
