// Fuzzes the reader of sliding-tile instances. The input is the instance and, after a NUL byte, the parameter goal.
// Whatever it is, either every fault is said with a message, or the boards are permutations and their canonical text
// reads back as the same puzzle.
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "plugins/sliding_tile/parity.h"
#include "plugins/sliding_tile/problem.h"
#include "plugins/sliding_tile/puzzle.h"
#include "tests/fuzz/instance_reader.h"

namespace {

using sliding_tile::Puzzle;

std::optional<Puzzle> Read(std::string_view instance, std::optional<std::string_view> goal) {
  return fuzz::Read(
      [&](astro::Diagnostics& diagnostics) { return sliding_tile::ReadPuzzle(instance, goal, diagnostics); });
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  fuzz::Input input(data, size);
  const std::string_view instance = *input.Take();
  const auto puzzle = Read(instance, input.Take());
  if (!puzzle) return 0;
  const auto cells = static_cast<size_t>(puzzle->shape.cells());
  fuzz::DemandPermutation(puzzle->start, cells);
  fuzz::DemandPermutation(puzzle->goal, cells);
  (void)sliding_tile::CheckParity(*puzzle);
  const std::string text = fuzz::CanonicalText(sliding_tile::SlidingTile(*puzzle));
  const auto again = Read(text, std::nullopt);
  fuzz::Demand(again && again->shape == puzzle->shape && again->start == puzzle->start && again->goal == puzzle->goal);
  return 0;
}
