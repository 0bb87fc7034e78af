#include "tests/daemon/engine/sliding_domain.h"

#include <cstdlib>
#include <cstring>
#include <string>

namespace astrolabe::engine::testing {
namespace {

enum Direction { kUp, kLeft, kRight, kDown };

Board Load(const void* state) {
  Board board;
  std::memcpy(&board, state, sizeof board);
  return board;
}
void Store(void* state, Board board) { std::memcpy(state, &board, sizeof board); }

const TileSpace& Space(const void* problem) { return *static_cast<const TileSpace*>(problem); }

uint32_t Ops(const void* problem, const void* state, Op last, Op* out, Cost* costs) {
  const TileSpace& space = Space(problem);
  int blank;
  Op undo = kNoOp;
  if (last != kNoOp) {
    blank = space.Target(last);
    undo = static_cast<Op>(blank * 4) + (3 - last % 4);
  } else {
    blank = TileSpace::Blank(Load(state), space.cells());
  }
  const TileSpace::Moves& moves = space.moves(blank);
  uint32_t n = 0;
  for (uint32_t i = 0; i < moves.count; ++i) {
    const Op op = static_cast<Op>(blank * 4) + moves.direction[i];
    if (op == undo) continue;
    if (costs != nullptr) costs[n] = 1;
    out[n++] = op;
  }
  return n;
}

void Apply(const void* problem, const void* state, Op op, void* out) {
  Store(out, TileSpace::Move(Load(state), static_cast<int>(op / 4), Space(problem).Target(op)));
}

uint32_t Expand(const void* problem, const void* state, Op last, Op* out, Cost* costs, void* states, uint64_t stride) {
  const uint32_t n = Ops(problem, state, last, out, costs);
  const Board board = Load(state);
  const TileSpace& space = Space(problem);
  for (uint32_t i = 0; i < n; ++i) {
    Store(static_cast<std::byte*>(states) + i * stride,
          TileSpace::Move(board, static_cast<int>(out[i] / 4), space.Target(out[i])));
  }
  return n;
}

int32_t IsGoal(const void* problem, const void* state) { return Load(state) == Space(problem).goal(); }

Op Inverse(const void* problem, Op op) { return static_cast<Op>(Space(problem).Target(op) * 4) + (3 - op % 4); }

}  // namespace

TileSpace::TileSpace(const TileSpec& spec) : spec_(spec), start_(Pack(spec.start)), goal_(Pack(spec.goal)) {
  info_.state_size = spec.state_size;
  info_.state_align = 8;
  info_.max_ops = 4;
  info_.unit_cost = true;
  info_.undirected = true;
  info_.prunes_last = true;
  calls_ = {this, Ops, Apply, Expand, IsGoal, Inverse, [](const void* problem, const void*, Op op) {
              return Inverse(problem, op);
            }};
  step_ = {-spec.columns, -1, 1, spec.columns};
  for (int cell = 0; cell < cells(); ++cell) {
    const int row = cell / spec.columns;
    const int column = cell % spec.columns;
    const bool legal[] = {row > 0, column > 0, column + 1 < spec.columns, row + 1 < spec.rows};
    Moves& moves = moves_[static_cast<size_t>(cell)];
    for (uint8_t d = kUp; d <= kDown; ++d) {
      if (!legal[d]) continue;
      moves.direction[moves.count] = d;
      moves.target[moves.count++] = static_cast<uint8_t>(cell + step_[d]);
    }
    goal_cell_[static_cast<size_t>((goal_ >> (4 * cell)) & 15)] = cell;
  }
}

void TileSpace::InitialState(void* out) const {
  std::memset(out, 0, spec_.state_size);
  Store(out, start_);
}

bool TileSpace::GoalState(void* out) const {
  std::memset(out, 0, spec_.state_size);
  Store(out, goal_);
  return true;
}

std::optional<Cost> TileSpace::ApplyInPlace(void* state, Op op) const {
  const Board board = Load(state);
  const int blank = Blank(board, cells());
  if (static_cast<int>(op / 4) != blank) return std::nullopt;
  const Moves& moves = moves_[static_cast<size_t>(blank)];
  for (uint32_t i = 0; i < moves.count; ++i) {
    if (moves.direction[i] != op % 4) continue;
    Store(state, Move(board, blank, moves.target[i]));
    return 1;
  }
  return std::nullopt;
}

std::string TileSpace::RenderState(const void* state) const {
  std::string text;
  for (int cell = 0; cell < cells(); ++cell) {
    if (cell > 0) text += cell % spec_.columns == 0 ? " / " : " ";
    text += std::to_string((Load(state) >> (4 * cell)) & 15);
  }
  return text;
}

// A kernel of the plainest kind: recursive, with the counting rules of the ABI.
KernelIteration TileSpace::RunKernel(const Evaluator& evaluator, KernelMode, const KernelRoots& roots, Cost bound,
                                     uint32_t max_depth, const KernelControl& limits, KernelPoll& poll) const {
  struct Kernel {
    const TileSpace& space;
    const TileHeuristic& h;
    Cost bound;
    uint32_t max_depth;
    KernelControl control;
    KernelPoll& poll;
    KernelIteration out;

    bool Enter(Board board, Op last, Cost g) {
      if (board == space.goal()) {
        out.end = KernelIteration::End::kFound;
        out.path_cost = g;
        return true;
      }
      if (out.expanded >= control.expand_limit && !poll.Poll(control, out.expanded, out.generated)) return Stop();
      ++out.expanded;
      Op ops[4];
      const uint32_t n = Ops(&space, &board, last, ops, nullptr);
      for (uint32_t i = 0; i < n; ++i) {
        if (out.generated >= control.generate_limit && !poll.Poll(control, out.expanded, out.generated)) return Stop();
        ++out.generated;
        const Board child = Move(board, static_cast<int>(ops[i] / 4), space.Target(ops[i]));
        const Cost f = g + 1 + h.Eval(child);
        if (f > bound) {
          out.next_bound = std::min(out.next_bound, f);
          continue;
        }
        if (out.path.size() == max_depth) {
          out.end = KernelIteration::End::kTooDeep;
          return true;
        }
        out.path.push_back(ops[i]);
        if (Enter(child, ops[i], g + 1)) return true;
        out.path.pop_back();
      }
      return false;
    }
    bool Stop() {
      out.end = KernelIteration::End::kStopped;
      return true;
    }
  };
  Kernel kernel{*this, static_cast<const TileHeuristic&>(evaluator), bound, max_depth, limits, poll, {}};
  for (uint32_t i = 0; i < roots.count; ++i) {
    kernel.out.found_root = i;
    const auto* state = static_cast<const std::byte*>(roots.states) + i * roots.stride;
    if (kernel.Enter(Load(state), roots.last_op[i], roots.g[i])) break;
  }
  return std::move(kernel.out);
}

TileHeuristic::TileHeuristic(const TileSpace& space, TileHeuristicKind kind, bool incremental)
    : space_(space), kind_(kind) {
  id_ = kind == TileHeuristicKind::kManhattan ? "manhattan"
        : kind == TileHeuristicKind::kHamming ? "hamming"
                                              : "manhattan_with_blank";
  info_.admissible = info_.consistent = true;  // a lie of the last kind
  const int columns = space.spec().columns;
  for (int tile = kind == TileHeuristicKind::kManhattanWithBlank ? 0 : 1; tile < space.cells(); ++tile) {
    const int goal = space.goal_cell(tile);
    for (int cell = 0; cell < space.cells(); ++cell) {
      const int steps = std::abs(goal / columns - cell / columns) + std::abs(goal % columns - cell % columns);
      distance_[static_cast<size_t>(tile)][static_cast<size_t>(cell)] =
          static_cast<int8_t>(kind == TileHeuristicKind::kHamming ? steps > 0 : steps);
    }
  }
  calls_.context = this;
  calls_.eval = [](const void* context, const void* state) {
    return static_cast<const TileHeuristic*>(context)->Eval(Load(state));
  };
  calls_.eval_batch = [](const void* context, uint64_t n, const void* states, uint64_t stride, Cost* out) {
    for (uint64_t i = 0; i < n; ++i) {
      out[i] =
          static_cast<const TileHeuristic*>(context)->Eval(Load(static_cast<const std::byte*>(states) + i * stride));
    }
  };
  if (!incremental || kind == TileHeuristicKind::kManhattanWithBlank) return;
  calls_.eval_ops = [](const void* context, const void* parent, Cost h, const void*, const Op* ops, uint32_t n,
                       Cost* out, void*) {
    const auto& self = *static_cast<const TileHeuristic*>(context);
    const Board board = Load(parent);
    for (uint32_t i = 0; i < n; ++i) {
      const auto target = static_cast<size_t>(self.space_.Target(ops[i]));
      const auto& distance = self.distance_[(board >> (4 * target)) & 15];
      out[i] = h + distance[ops[i] / 4] - distance[target];
    }
  };
}

Cost TileHeuristic::Eval(Board board) const {
  Cost sum = 0;
  for (size_t cell = 0; cell < static_cast<size_t>(space_.cells()); ++cell) {
    sum += distance_[(board >> (4 * cell)) & 15][cell];
  }
  return sum;
}

}  // namespace astrolabe::engine::testing
