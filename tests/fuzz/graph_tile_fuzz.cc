// Fuzzes the reader of boards given by neighbour lists. The input is the instance and, behind NUL bytes, the parameters
// start and goal. Whatever it is, either every fault is said with a message, or the board is in order, its canonical
// text reads back as the same board, and there is an answer to whether it can be solved.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "plugins/graph_tile/board_reader.h"
#include "plugins/graph_tile/problem.h"

namespace {

using graph_tile::Arcs;
using graph_tile::GraphTile;
using graph_tile::Puzzle;

void Demand(bool condition) {
  if (!condition) std::abort();
}

// Counts the errors that are reported.
struct ErrorCounter {
  int errors = 0;
  const astro_diagnostics sink{this, &ErrorCounter::Report};

  static void Report(void* self, const astro_diagnostic_v1* diagnostic) {
    Demand(diagnostic->message.size > 0);
    if (diagnostic->severity == ASTRO_SEVERITY_ERROR) ++static_cast<ErrorCounter*>(self)->errors;
  }
};

std::optional<Puzzle> Read(std::string_view instance, const graph_tile::ReadOptions& options) {
  ErrorCounter counter;
  std::optional<Puzzle> puzzle;
  {
    astro::Diagnostics diagnostics(&counter.sink);
    puzzle = graph_tile::ReadPuzzle(instance, options, diagnostics);
  }
  Demand(puzzle.has_value() == (counter.errors == 0));
  return puzzle;
}

// The part up to the next NUL; nullopt when there is none left.
std::optional<std::string_view> Take(std::optional<std::string_view>& rest) {
  if (!rest) return std::nullopt;
  const size_t cut = rest->find('\0');
  const std::string_view part = rest->substr(0, cut);
  rest = cut == rest->npos ? std::nullopt : std::optional<std::string_view>(rest->substr(cut + 1));
  return part;
}

void Append(void* text, const char* data, uint64_t size) { static_cast<std::string*>(text)->append(data, size); }

std::string CanonicalText(const GraphTile& board) {
  std::string text;
  const astro_sink sink{&text, &Append};
  astro::Writer writer(&sink);
  board.CanonicalText(writer);
  return text;
}

void DemandPermutation(const graph_tile::Tiles& tiles, int cells) {
  std::string seen(cells, '\0');
  Demand(tiles.size() == seen.size());
  for (const uint16_t tile : tiles) {
    Demand(tile < cells && seen[tile] == '\0');
    seen[tile] = 1;
  }
}

void DemandOrder(const Puzzle& puzzle) {
  const Arcs& arcs = *puzzle.arcs;
  Demand(arcs.cells() >= graph_tile::kMinCells && arcs.cells() <= graph_tile::kMaxCells);
  DemandPermutation(puzzle.start, arcs.cells());
  DemandPermutation(puzzle.goal, arcs.cells());
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
  std::optional<std::string_view> rest = std::string_view(reinterpret_cast<const char*>(data), size);
  const std::string_view instance = *Take(rest);
  graph_tile::ReadOptions options;
  options.start = Take(rest);
  options.goal = Take(rest);
  if (size % 2 == 1) options.symmetric = false;
  std::optional<Puzzle> puzzle = Read(instance, options);
  if (!puzzle) return 0;
  DemandOrder(*puzzle);
  const GraphTile board(*std::move(puzzle));
  std::string reason;
  const astro_sink sink{&reason, &Append};
  astro::Writer writer(&sink);
  (void)board.Solvable(writer);
  Demand(!reason.empty());
  const std::string text = CanonicalText(board);
  std::optional<Puzzle> again = Read(text, {});
  Demand(again.has_value());
  const GraphTile same(*std::move(again));
  Demand(same.Fingerprint() == board.Fingerprint());
  Demand(CanonicalText(same) == text);
  return 0;
}
