// Manhattan distance as a user of the SDK writes it, not knowing of tables: what bench_ida and the instruction counts
// run. Two libraries, one with EvaluateMove and one with Evaluate alone, so that the difference is that function.
#ifndef ASTROLABE_TESTS_BENCH_PLUGINS_SDK_MANHATTAN_H_
#define ASTROLABE_TESTS_BENCH_PLUGINS_SDK_MANHATTAN_H_

#include <astrolabe/sdk/heuristic.h>
#include <astrolabe/sliding_tile/board.h>

#include <cstdlib>

namespace sdk_manhattan {

class Distances {
 public:
  explicit Distances(const sliding_tile::Instance& puzzle) : puzzle_(puzzle) {}

  int Evaluate(const sliding_tile::Board& board) const {
    int estimate = 0;
    for (int square = 0; square < board.cells(); ++square) {
      if (const int tile = board.tile(square); tile != 0) estimate += Of(tile, square);
    }
    return estimate;
  }

 protected:
  int Of(int tile, int square) const {
    return std::abs(puzzle_.row(square) - puzzle_.goal_row(tile)) +
           std::abs(puzzle_.col(square) - puzzle_.goal_col(tile));
  }

 private:
  sliding_tile::Instance puzzle_;
};

}  // namespace sdk_manhattan

#endif  // ASTROLABE_TESTS_BENCH_PLUGINS_SDK_MANHATTAN_H_
