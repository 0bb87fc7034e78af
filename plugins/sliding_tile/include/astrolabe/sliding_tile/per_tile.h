// Heuristics that are a sum over the tiles of a cost that depends on the tile and its square alone.
//
//   struct Manhattan : sliding_tile::PerTile<Manhattan> {
//     static constexpr astro::HeuristicInfo kInfo{...};
//     using PerTile::PerTile;
//     // Of a tile, never of the blank. Not negative.
//     static int TileCost(const sliding_tile::Instance&, int tile, int square);
//   };
//
// PerTile adds incremental evaluation, the additive table (with which the problem's own kernel runs the
// heuristic at full speed) and the explanation.
#ifndef ASTROLABE_SLIDING_TILE_PER_TILE_H_
#define ASTROLABE_SLIDING_TILE_PER_TILE_H_

#include <algorithm>
#include <cstdint>
#include <optional>
#include <vector>

#include "astrolabe/abi/heuristic.h"
#include "astrolabe/sdk/text.h"
#include "astrolabe/sliding_tile/board.h"

namespace sliding_tile {

template <class H>
class PerTile {
 public:
  explicit PerTile(const Instance& instance) : instance_(instance) {
    if (instance.cells() <= kMaxCostCells) FillCosts();
    if (instance.cells() <= kMaxDeltaCells) FillDeltas();
  }

  int64_t Evaluate(const Board& board) const {
    int64_t h = 0;
    for (int square = 0; square < board.cells(); ++square) {
      const int tile = board.tile(square);
      if (tile != 0) h += Cost(tile, square);
    }
    return h;
  }

  int64_t EvaluateMove(const Board& parent, int64_t parent_h, const Move& move) const {
    const int tile = parent.tile(move.from);
    if (!deltas_.empty()) [[likely]]
      return parent_h + deltas_[DeltaIndex(tile, move.from, move.to)];
    return parent_h + Cost(tile, move.to) - Cost(tile, move.from);
  }

  std::optional<astro_additive_table_v1> AdditiveTable() const {
    if (deltas_.empty()) return std::nullopt;
    const auto n = static_cast<uint32_t>(instance_.cells());
    return astro_additive_table_v1{sizeof(astro_additive_table_v1), n, n, 0, deltas_.data()};
  }

  uint64_t MemoryBytes() const { return costs_.size() * sizeof(costs_[0]) + deltas_.size(); }

  void Explain(const Board& board, astro::Writer& out) const {
    for (int square = 0; square < board.cells(); ++square) {
      const int tile = board.tile(square);
      if (tile == 0) continue;
      const int cost = Cost(tile, square);
      if (cost == 0) continue;
      const int goal = instance_.goal_square(tile);
      out << "tile " << tile << ": " << cost << "  (row " << instance_.row(square) + 1 << ", column "
          << instance_.col(square) + 1 << "; belongs in row " << instance_.row(goal) + 1 << ", column "
          << instance_.col(goal) + 1 << ")\n";
    }
  }

 protected:
  const Instance& instance() const { return instance_; }

 private:
  static constexpr int kMaxDeltaCells = 25;   // 25^3 bytes
  static constexpr int kMaxCostCells = 1024;  // 2 MB of costs; above they are computed

  int Cost(int tile, int square) const {
    if (!costs_.empty()) [[likely]]
      return costs_[static_cast<size_t>(tile) * instance_.cells() + square];
    return H::TileCost(instance_, tile, square);
  }
  size_t DeltaIndex(int tile, int from, int to) const {
    const auto n = static_cast<size_t>(instance_.cells());
    return (tile * n + from) * n + to;
  }

  void FillCosts() {
    const int n = instance_.cells();
    std::vector<uint16_t> costs(static_cast<size_t>(n) * n);
    for (int tile = 1; tile < n; ++tile) {
      for (int square = 0; square < n; ++square) {
        const int cost = H::TileCost(instance_, tile, square);
        if (cost < 0 || cost > UINT16_MAX) return;  // too large for the table
        costs[static_cast<size_t>(tile) * n + square] = static_cast<uint16_t>(cost);
      }
    }
    costs_ = std::move(costs);
  }

  // Left empty when a change does not fit 8 bits.
  void FillDeltas() {
    const int n = instance_.cells();
    std::vector<int8_t> deltas(static_cast<size_t>(n) * n * n);
    for (int tile = 1; tile < n; ++tile) {
      for (int from = 0; from < n; ++from) {
        for (int to : {from - instance_.cols(), from - 1, from + 1, from + instance_.cols()}) {
          if (to < 0 || to >= n) continue;
          const int delta = Cost(tile, to) - Cost(tile, from);
          if (delta < INT8_MIN || delta > INT8_MAX) return;
          deltas[DeltaIndex(tile, from, to)] = static_cast<int8_t>(delta);
        }
      }
    }
    deltas_ = std::move(deltas);
  }

  Instance instance_;
  std::vector<uint16_t> costs_;  // [tile][square]
  std::vector<int8_t> deltas_;   // [tile][from][to]
};

}  // namespace sliding_tile

#endif  // ASTROLABE_SLIDING_TILE_PER_TILE_H_
