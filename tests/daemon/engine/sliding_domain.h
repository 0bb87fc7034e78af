// A sliding-tile puzzle for the engine's tests: boards of up to 16 cells in one 64-bit word, cell i in
// bits 4i..4i+3, 0 is the blank. Operators are blank * 4 + {up, left, right, down}.
#ifndef ASTROLABE_TESTS_DAEMON_ENGINE_SLIDING_DOMAIN_H_
#define ASTROLABE_TESTS_DAEMON_ENGINE_SLIDING_DOMAIN_H_

#include <array>
#include <cstdint>
#include <utility>
#include <vector>

#include "daemon/engine/domain.h"

namespace astrolabe::engine::testing {

using Board = uint64_t;

struct TileSpec {
  int rows = 3;
  int columns = 3;
  std::vector<int> start;
  std::vector<int> goal;
  Solvable solvable = Solvable::kYes;
  bool kernel = false;
  bool kernel_roots = false;  // it takes roots below the initial state
  size_t state_size = 8;      // larger: the board and zeros behind it
};

inline TileSpec Reversed(TileSpec spec) {
  std::swap(spec.start, spec.goal);
  return spec;
}

inline Board Pack(const std::vector<int>& cells) {
  Board board = 0;
  for (size_t i = 0; i < cells.size(); ++i) board |= static_cast<Board>(cells[i]) << (4 * i);
  return board;
}

class TileSpace : public StateSpace {
 public:
  explicit TileSpace(const TileSpec& spec);

  void InitialState(void* out) const override;
  bool GoalState(void* out) const override;
  SolvableAnswer IsSolvable() const override { return {spec_.solvable, "the test says so"}; }
  std::optional<Cost> ApplyInPlace(void* state, Op op) const override;
  std::string RenderState(const void* state) const override;
  bool HasKernel(const Evaluator&) const override { return spec_.kernel; }
  bool HasAdditiveKernel(const Evaluator&) const override { return false; }
  bool KernelTakesRoots() const override { return spec_.kernel_roots; }
  KernelIteration RunKernel(const Evaluator& evaluator, KernelMode mode, const KernelRoots& roots, Cost bound,
                            uint32_t max_depth, const KernelControl& limits, KernelPoll& poll) const override;

  const TileSpec& spec() const { return spec_; }
  Board start() const { return start_; }
  Board goal() const { return goal_; }
  int goal_cell(int tile) const { return goal_cell_[static_cast<size_t>(tile)]; }
  void set_start(Board start) { start_ = start; }

  // Legal moves of each blank cell, in order, and the cell each goes to.
  struct Moves {
    uint32_t count = 0;
    std::array<uint8_t, 4> direction{};
    std::array<uint8_t, 4> target{};
  };
  const Moves& moves(int blank) const { return moves_[static_cast<size_t>(blank)]; }
  int Target(Op op) const { return static_cast<int>(op / 4) + step_[op % 4]; }
  static Board Move(Board board, int blank, int target) {
    const Board tile = (board >> (4 * target)) & 15;
    return board ^ (tile << (4 * target)) ^ (tile << (4 * blank));
  }
  static int Blank(Board board, int cells) {
    for (int i = 0; i < cells; ++i) {
      if (((board >> (4 * i)) & 15) == 0) return i;
    }
    return -1;
  }
  int cells() const { return spec_.rows * spec_.columns; }

 private:
  TileSpec spec_;
  Board start_;
  Board goal_;
  std::array<int, 4> step_;
  std::array<Moves, 16> moves_;
  std::array<int, 16> goal_cell_;
};

enum class TileHeuristicKind { kManhattan, kHamming, kManhattanWithBlank };

class TileHeuristic final : public Evaluator {
 public:
  TileHeuristic(const TileSpace& space, TileHeuristicKind kind, bool incremental = true);

  Cost Eval(Board board) const;

 private:
  friend class TileSpace;
  const TileSpace& space_;
  TileHeuristicKind kind_;
  std::array<std::array<int8_t, 16>, 16> distance_{};  // of tile t from its goal when at cell c
};

}  // namespace astrolabe::engine::testing

#endif  // ASTROLABE_TESTS_DAEMON_ENGINE_SLIDING_DOMAIN_H_
