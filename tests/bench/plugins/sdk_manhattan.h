// Manhattan distance as a user of the SDK writes it who looks distances up but knows nothing of additive tables: what
// bench_ida and the instruction counts run. Two libraries, one with EvaluateMove and one with Evaluate alone, so that
// the difference is that function.
#ifndef ASTROLABE_TESTS_BENCH_PLUGINS_SDK_MANHATTAN_H_
#define ASTROLABE_TESTS_BENCH_PLUGINS_SDK_MANHATTAN_H_

#include <astrolabe/sdk/heuristic.h>
#include <astrolabe/sliding_tile/board.h>

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <vector>

namespace sdk_manhattan {

class Distances {
 public:
  explicit Distances(const sliding_tile::Instance& puzzle) : cells_(static_cast<size_t>(puzzle.cells())) {
    for (int tile = 0; tile < puzzle.cells(); ++tile) {
      for (int square = 0; square < puzzle.cells(); ++square) {
        const int steps =
            std::abs(puzzle.row(square) - puzzle.goal_row(tile)) + std::abs(puzzle.col(square) - puzzle.goal_col(tile));
        distance_.push_back(static_cast<uint8_t>(tile == 0 ? 0 : steps));
      }
    }
  }

  int Evaluate(const sliding_tile::Board& board) const {
    int estimate = 0;
    for (int square = 0; square < board.cells(); ++square) estimate += Of(board.tile(square), square);
    return estimate;
  }

 protected:
  int Of(int tile, int square) const {
    return distance_[static_cast<size_t>(tile) * cells_ + static_cast<size_t>(square)];
  }

 private:
  size_t cells_;
  std::vector<uint8_t> distance_;  // of a tile on a square; of the blank 0
};

}  // namespace sdk_manhattan

#endif  // ASTROLABE_TESTS_BENCH_PLUGINS_SDK_MANHATTAN_H_
