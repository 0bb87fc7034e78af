// Fuzzes the reader of boards given by neighbour lists. The input is the instance and, behind NUL bytes, the parameters
// start and goal. Whatever it is, either every fault is said with a message, or the board is in order, its canonical
// text reads back as the same board, and there is an answer to whether it can be solved.
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "plugins/graph_tile/board_reader.h"
#include "plugins/graph_tile/problem.h"
#include "tests/fuzz/instance_reader.h"

namespace {

using fuzz::Demand;
using graph_tile::Arcs;
using graph_tile::GraphTile;
using graph_tile::Puzzle;

std::optional<Puzzle> Read(std::string_view instance, const graph_tile::ReadOptions& options) {
  return fuzz::Read([&](astro::Diagnostics& diagnostics) { return ReadPuzzle(instance, options, diagnostics); });
}

void DemandOrder(const Puzzle& puzzle) {
  const Arcs& arcs = *puzzle.arcs;
  Demand(arcs.cells() >= graph_tile::kMinCells && arcs.cells() <= graph_tile::kMaxCells);
  fuzz::DemandPermutation(puzzle.start, arcs.cells());
  fuzz::DemandPermutation(puzzle.goal, arcs.cells());
  for (int cell = 0; cell < arcs.cells(); ++cell) {
    int before = -1;
    for (const uint16_t to : arcs.neighbours(cell)) {
      Demand(to < arcs.cells() && to != cell && to > before);
      before = to;
    }
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  fuzz::Input input(data, size);
  const std::string_view instance = *input.Take();
  graph_tile::ReadOptions options;
  options.start = input.Take();
  options.goal = input.Take();
  if (size % 2 == 1) options.symmetric = false;
  std::optional<Puzzle> puzzle = Read(instance, options);
  if (!puzzle) return 0;
  DemandOrder(*puzzle);
  const GraphTile board(*std::move(puzzle));
  Demand(!fuzz::Written([&](astro::Writer& reason) { (void)board.Solvable(reason); }).empty());
  const std::string text = fuzz::CanonicalText(board);
  std::optional<Puzzle> again = Read(text, {});
  Demand(again.has_value());
  const GraphTile same(*std::move(again));
  Demand(same.Fingerprint() == board.Fingerprint());
  Demand(fuzz::CanonicalText(same) == text);
  return 0;
}
