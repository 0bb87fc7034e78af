// sum_of_distances: what Manhattan distance is on boards of rows and columns.
#include <optional>

#include "astrolabe/graph_tile/board.h"
#include "astrolabe/sdk/heuristic.h"
#include "plugins/graph_tile/distances.h"

namespace {

using graph_tile::Board;
using graph_tile::Distances;
using graph_tile::Instance;
using graph_tile::Move;

class SumOfDistances {
 public:
  static constexpr astro::HeuristicInfo kInfo{
      .id = "sum_of_distances",
      .summary = "The shortest way of each tile to its place in the graph, summed",
      .doc =
          "Every move takes one tile over one edge, so h never exceeds the number of moves left. The blank is not\n"
          "counted. On boards of rows and columns it is Manhattan distance. Where no edge joins two cells of the same\n"
          "colour (a bipartite board), h has the parity of the solution. A tile that has no way to its place makes a\n"
          "dead end.",
      .admissible = true,
      .consistent = true,
      .parity = true,
  };

  explicit SumOfDistances(const Instance& puzzle) : puzzle_(puzzle) {}

  void Build(astro::Host host) {
    distances_.emplace(puzzle_, [host] { host.CheckCancelled(); });
    bipartite_ = graph_tile::IsBipartite(puzzle_);
  }
  uint32_t Claims() const {
    const uint32_t always = ASTRO_CLAIM_ADMISSIBLE | ASTRO_CLAIM_CONSISTENT;
    return bipartite_ ? always | ASTRO_CLAIM_PARITY : always;
  }

  int64_t Evaluate(const Board& board) const {
    int64_t h = 0;
    for (int cell = 0; cell < board.cells(); ++cell) {
      const uint16_t distance = distances_->of(board.tile(cell), cell);
      if (distance == Distances::kFar) return astro::kDeadEnd;
      h += distance;
    }
    return h;
  }
  int64_t EvaluateMove(const Board& parent, int64_t parent_h, const Move& move) const {
    const int tile = parent.tile(move.from);
    const uint16_t distance = distances_->of(tile, move.to);
    // A tile that is lost stays lost.
    if (distance == Distances::kFar || parent_h == astro::kDeadEnd) return astro::kDeadEnd;
    return parent_h + distance - distances_->of(tile, move.from);
  }
  uint64_t MemoryBytes() const { return distances_->bytes(); }

  void Explain(const Board& board, astro::Writer& out) const {
    for (int cell = 0; cell < board.cells(); ++cell) {
      const int tile = board.tile(cell);
      const uint16_t distance = distances_->of(tile, cell);
      if (distance == 0) continue;
      out << "tile " << tile << ": ";
      if (distance == Distances::kFar) {
        out << "no way";
      } else {
        out << distance;
      }
      out << "  (cell " << cell << "; belongs on cell " << puzzle_.goal_cell(tile) << ")\n";
    }
  }

 private:
  Instance puzzle_;
  std::optional<Distances> distances_;
  bool bipartite_ = false;
};

}  // namespace

ASTRO_PLUGIN("org.astrolabe.sum_of_distances", "1.0.0", astro::Heuristic<SumOfDistances, graph_tile::Problem>);
