// The 15-puzzle with goal 0 1 2 .. 15 and Manhattan distance, called as the engine's best-first search calls a domain
// but known when compiled: states, operators and values are those of the plugins sliding_tile and manhattan.
#ifndef ASTROLABE_TESTS_BENCH_ENGINE_INLINED_TILES_H_
#define ASTROLABE_TESTS_BENCH_ENGINE_INLINED_TILES_H_

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>

#include "daemon/engine/domain.h"

namespace astrolabe::engine::bench {

namespace inlined {

inline constexpr int kCells = 16;
inline constexpr uint64_t kGoal = 0xfedcba9876543210u;
inline constexpr std::array<int, 4> kStep = {-4, -1, 1, 4};  // of the blank: up, left, right, down

struct Moves {
  uint32_t count = 0;
  std::array<Op, 4> op{};
};

struct Tables {
  std::array<Moves, kCells> root;                             // [blank]
  std::array<Moves, kCells * 4> after;                        // [op]: without its inverse
  std::array<std::array<int8_t, kCells>, kCells> distance{};  // [tile][square]
};

constexpr Moves MovesOf(int blank, int undo) {
  const bool allowed[] = {blank >= 4, blank % 4 > 0, blank % 4 < 3, blank < 12};
  Moves moves;
  for (int d = 0; d < 4; ++d) {
    if (allowed[d] && d != undo) moves.op[moves.count++] = static_cast<Op>(blank * 4 + d);
  }
  return moves;
}

constexpr Tables MakeTables() {
  Tables t;
  for (int blank = 0; blank < kCells; ++blank) {
    t.root[blank] = MovesOf(blank, -1);
    for (int i = 0; i < static_cast<int>(t.root[blank].count); ++i) {
      const Op op = t.root[blank].op[i];
      const int direction = static_cast<int>(op % 4);
      t.after[op] = MovesOf(blank + kStep[direction], 3 - direction);
    }
  }
  for (int tile = 1; tile < kCells; ++tile) {
    for (int square = 0; square < kCells; ++square) {
      const int rows = tile / 4 - square / 4;
      const int columns = tile % 4 - square % 4;
      t.distance[tile][square] = static_cast<int8_t>((rows < 0 ? -rows : rows) + (columns < 0 ? -columns : columns));
    }
  }
  return t;
}
inline constexpr Tables kTables = MakeTables();

inline uint64_t Load(const void* state) {
  uint64_t board;
  std::memcpy(&board, state, sizeof board);
  return board;
}

}  // namespace inlined

// In the place of SpaceCalls.
struct InlinedTiles {
  explicit InlinedTiles(const SpaceCalls&) {}

  const void* problem = nullptr;  // not read

  static int32_t is_goal(const void*, const void* state) { return inlined::Load(state) == inlined::kGoal; }

  static uint32_t expand(const void*, const void* state, Op last_op, Op* out_ops, Cost* out_costs, void* out_states,
                         uint64_t stride) {
    const uint64_t board = inlined::Load(state);
    const inlined::Moves& moves =
        last_op != kNoOp ? inlined::kTables.after[last_op] : inlined::kTables.root[BlankOf(board)];
    auto* out = static_cast<std::byte*>(out_states);
    for (uint32_t i = 0; i < moves.count; ++i, out += stride) {
      const Op op = moves.op[i];
      const int to = 4 * static_cast<int>(op / 4);
      const int from = to + 4 * inlined::kStep[op % 4];
      const uint64_t tile = board >> from & 15;
      const uint64_t child = board ^ (tile << from | tile << to);
      std::memcpy(out, &child, sizeof child);
      out_ops[i] = op;
      out_costs[i] = 1;
    }
    return moves.count;
  }

 private:
  static int BlankOf(uint64_t board) {
    int square = 0;
    while ((board >> (4 * square) & 15) != 0) ++square;
    return square;
  }
};

// In the place of EvaluatorCalls.
struct InlinedManhattan {
  explicit InlinedManhattan(const EvaluatorCalls&) {}

  const void* context = nullptr;  // not read

  static Cost eval(const void*, const void* state) {
    const uint64_t board = inlined::Load(state);
    Cost sum = 0;
    for (int square = 0; square < inlined::kCells; ++square) {
      sum += inlined::kTables.distance[board >> (4 * square) & 15][square];
    }
    return sum;
  }
  static void eval_batch(const void*, uint64_t n, const void* states, uint64_t stride, Cost* out_h) {
    for (uint64_t i = 0; i < n; ++i) out_h[i] = eval(nullptr, static_cast<const std::byte*>(states) + i * stride);
  }
  static void root_aux(const void*, const void*, void*) {}

  static void EvalOps(const void*, const void* parent, Cost parent_h, const void*, const Op* ops, uint32_t n,
                      Cost* out_h, void*) {
    const uint64_t board = inlined::Load(parent);
    for (uint32_t i = 0; i < n; ++i) {
      const int to = static_cast<int>(ops[i] / 4);
      const int from = to + inlined::kStep[ops[i] % 4];
      const auto& distance = inlined::kTables.distance[board >> (4 * from) & 15];
      out_h[i] = parent_h + distance[to] - distance[from];
    }
  }
  static constexpr auto eval_ops = &EvalOps;
};

}  // namespace astrolabe::engine::bench

#endif  // ASTROLABE_TESTS_BENCH_ENGINE_INLINED_TILES_H_
