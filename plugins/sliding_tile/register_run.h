// The functions of the register kernel (see register_kernel.h), for one shape and one way to get h.
//
// Counting is cheap and exact. Expand is the fast way: it counts the children of a node in advance, and `credit`
// expansions may be made before anything is compared, so few that no limit can be passed on the way. When the credit
// is used up and no more can be granted - the host must be asked, or a limit is within a few children - the recursion
// unwinds (kHandOver), leaving the way down in `path` and taking off what was counted in advance, and goes down the
// same way again through ExpandExactly, which counts and asks child by child. Below it, Expand takes over again as soon
// as there is credit. So the host's functions always see exact counts, at the price of one walk down the path.
#ifndef ASTROLABE_PLUGINS_SLIDING_TILE_REGISTER_RUN_H_
#define ASTROLABE_PLUGINS_SLIDING_TILE_REGISTER_RUN_H_

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <utility>

#include "astrolabe/abi/ida.h"
#include "plugins/sliding_tile/board_geometry.h"
#include "plugins/sliding_tile/moves.h"

namespace sliding_tile {

enum class End { kNone, kFound, kStopped, kHandOver };

// What the functions of one iteration share.
struct RegisterRun {
  uint64_t credit = 0;     // expansions that Expand may make without asking
  uint64_t generated = 0;  // exact whenever no Expand is on the stack
  uint64_t goal = 0;
  int64_t min_excess = ASTRO_DEAD_END;  // least f - bound among the children cut; as the way to get h defines it
  uint64_t granted = 0;                 // expansions made, plus credit
  astro_control_v1* control = nullptr;
  astro_op* path = nullptr;  // from the deepest operator upwards: of the solution, or of the way to go down again
  uint32_t path_len = 0;

  // Within the limits as they are. False: nothing can be granted.
  bool GrantCredit() {
    credit = std::min(Room(control->expand_limit, granted), Room(control->generate_limit, generated) / kMaxChildren);
    granted += credit;
    return credit > 0;
  }
  void DropCredit() {
    granted -= credit;
    credit = 0;
  }

  // Before an expansion, and a child, that are counted exactly. False: stop.
  bool CountExpansion() {
    if (granted >= control->expand_limit && control->poll(control, granted, generated) == 0) return false;
    ++granted;
    return true;
  }
  bool CountChild() {
    if (generated >= control->generate_limit && control->poll(control, granted, generated) == 0) return false;
    ++generated;
    return true;
  }

 private:
  static constexpr uint64_t kMaxChildren = 4;
  static uint64_t Room(uint64_t limit, uint64_t used) { return limit - std::min(limit, used); }
};

// An additive heuristic: by square of the blank, direction and tile.
struct AdditiveRun : RegisterRun {
  int8_t delta[16][4][16] = {};
  uint16_t raises[16][4] = {};  // bit t: the term of tile t grows
};

// h by one bit a child: the table holds +1 and -1 alone, so f stays or grows by 2. The node is its slack, bound - f;
// the least excess follows from its parity.
struct MaskH {
  using Run = AdditiveRun;
  using Node = int32_t;
  struct Children {};

  [[gnu::always_inline]] static void Prepare(Run&, const uint64_t&, Node, const astro_op*, uint32_t, Children&) {}
  template <int kBlank, int kDirection, int kIndex>
  [[gnu::always_inline]] static bool Enters(Run& run, Node slack, const Children&, uint32_t tile, Node& child) {
    child = slack - static_cast<int32_t>((run.raises[kBlank][kDirection] >> tile & 1) * 2);
    return child >= 0;
  }
};

// h by one lookup a child. The node is its slack.
struct DeltaH {
  using Run = AdditiveRun;
  using Node = int64_t;
  struct Children {};

  [[gnu::always_inline]] static void Prepare(Run&, const uint64_t&, Node, const astro_op*, uint32_t, Children&) {}
  template <int kBlank, int kDirection, int kIndex>
  [[gnu::always_inline]] static bool Enters(Run& run, Node slack, const Children&, uint32_t tile, Node& child) {
    child = slack - 1 - run.delta[kBlank][kDirection][tile];
    if (child >= 0) return true;
    run.min_excess = std::min(run.min_excess, -child);
    return false;
  }
};

// h by eval_ops of any heuristic. min_excess is h - remaining, one less than f - bound, so that a dead end
// does not overflow.
struct EvalRun : RegisterRun {
  decltype(astro_heuristic_v1::eval_ops) eval_ops = nullptr;
  const void* context = nullptr;
  uint32_t aux_size = 0;
};

template <uint32_t kMaxAux>
struct EvalH {
  using Run = EvalRun;
  struct Plain {
    int64_t h;
    int64_t remaining;  // bound - g
  };
  struct WithAux {
    int64_t h;
    int64_t remaining;
    const std::byte* aux;
  };
  using Node = std::conditional_t<kMaxAux == 0, Plain, WithAux>;
  struct Children {
    int64_t h[4];
    int64_t limit;
    alignas(16) std::byte aux[4 * kMaxAux + 1];
  };

  [[gnu::always_inline]] static void Prepare(Run& run, const uint64_t& state, Node node, const astro_op* ops,
                                             uint32_t count, Children& children) {
    // With nothing left no child is entered, whatever a faulty heuristic returns: so depth is bounded.
    children.limit = node.remaining > 0 ? node.remaining : INT64_MIN;
    if constexpr (kMaxAux == 0) {
      run.eval_ops(run.context, &state, node.h, nullptr, ops, count, children.h, nullptr);
    } else {
      run.eval_ops(run.context, &state, node.h, node.aux, ops, count, children.h, children.aux);
    }
  }
  template <int kBlank, int kDirection, int kIndex>
  [[gnu::always_inline]] static bool Enters(Run& run, Node node, const Children& children, uint32_t, Node& child) {
    const int64_t h = children.h[kIndex];
    if (h >= children.limit) {
      run.min_excess = std::min(run.min_excess, h - node.remaining);
      return false;
    }
    child.h = h;
    child.remaining = node.remaining - 1;
    if constexpr (kMaxAux != 0) child.aux = children.aux + kIndex * run.aux_size;
    return true;
  }
};

template <int kRows, int kCols, class H>
class RegisterKernel {
 public:
  using Run = typename H::Run;
  using Node = typename H::Node;

  static constexpr int kAnywhere = BoardGeometry<kRows, kCols>::kAnywhere;

  static End Search(Run& run, uint32_t blank, uint64_t state, Node node) {
    return SearchFrom(run, blank, kAnywhere, state, node);
  }
  // The subtree of a state whose blank came from direction `back`. Counts are added to those of the run.
  static End SearchFrom(Run& run, uint32_t blank, uint32_t back, uint64_t state, Node node) {
    const End end = kRoots[blank * 5 + back](run, state, node);
    run.DropCredit();
    return end;
  }

 private:
  using Children = typename H::Children;
  using Geometry = BoardGeometry<kRows, kCols>;
  static constexpr int kNoDirection = -1;

  static constexpr int Step(int direction) { return Geometry::Step(direction); }
  static constexpr bool IsMove(int blank, int back, int direction) { return Geometry::IsMove(blank, back, direction); }
  static constexpr int CountBelow(int blank, int back, int end) { return Geometry::CountBelow(blank, back, end); }
  static constexpr std::array<astro_op, 4> OpsOf(int blank, int back) {
    std::array<astro_op, 4> ops = {};
    int n = 0;
    for (int direction = 0; direction < 4; ++direction) {
      if (IsMove(blank, back, direction)) ops[n++] = static_cast<astro_op>(blank * 4 + direction);
    }
    return ops;
  }

  // One move, all of it known when this is compiled.
  template <int kBlank, int kBack, int kDirection>
  struct MoveAt {
    static constexpr int kTarget = kBlank + Step(kDirection);
    static constexpr int kIndex = CountBelow(kBlank, kBack, kDirection);
    static constexpr int kLater = CountBelow(kBlank, kBack, 4) - kIndex - 1;
    static constexpr int kChildBack = static_cast<int>(Opposite(kDirection));
    static constexpr astro_op kOp = kBlank * 4 + kDirection;

    // False: cut. Else the child.
    [[gnu::always_inline]] static bool Make(Run& run, uint64_t state, Node node, const Children& children,
                                            uint64_t& child_state, Node& child) {
      const auto tile = static_cast<uint32_t>(state >> (4 * kTarget)) & 15;
      if (!H::template Enters<kBlank, kDirection, kIndex>(run, node, children, tile, child)) return false;
      child_state = state ^ (uint64_t{tile} << (4 * kTarget)) ^ (uint64_t{tile} << (4 * kBlank));
      return true;
    }
  };

  template <int kBlank, int kBack>
  [[gnu::always_inline]] static void Prepare(Run& run, const uint64_t& state, Node node, Children& children) {
    static constexpr std::array<astro_op, 4> kOps = OpsOf(kBlank, kBack);
    H::Prepare(run, state, node, kOps.data(), CountBelow(kBlank, kBack, 4), children);
  }

  // --- fast ---------------------------------------------------------------------------------------------
  template <int kBlank, int kBack>
  [[gnu::noinline]] static End Expand(Run& run, uint64_t state, Node node) {
    if (state == run.goal) [[unlikely]]
      return End::kFound;
    if (run.credit == 0) [[unlikely]] {
      if (!run.GrantCredit()) return End::kHandOver;
    }
    --run.credit;
    run.generated += CountBelow(kBlank, kBack, 4);
    Children children;
    Prepare<kBlank, kBack>(run, state, node, children);
    End end = Consider<kBlank, kBack, 0>(run, state, node, children);
    if (end != End::kNone) return end;
    end = Consider<kBlank, kBack, 1>(run, state, node, children);
    if (end != End::kNone) return end;
    end = Consider<kBlank, kBack, 2>(run, state, node, children);
    if (end != End::kNone) return end;
    return Consider<kBlank, kBack, 3>(run, state, node, children);
  }

  template <int kBlank, int kBack, int kDirection>
  [[gnu::always_inline]] static End Consider(Run& run, uint64_t state, Node node, const Children& children) {
    if constexpr (IsMove(kBlank, kBack, kDirection)) {
      using Move = MoveAt<kBlank, kBack, kDirection>;
      uint64_t child_state;
      Node child;
      if (!Move::Make(run, state, node, children, child_state, child)) return End::kNone;
      const End end = Expand<Move::kTarget, Move::kChildBack>(run, child_state, child);
      if (end != End::kNone) [[unlikely]] {
        run.generated -= Move::kLater;
        run.path[run.path_len++] = Move::kOp;
      }
      return end;
    } else {
      return End::kNone;
    }
  }

  // --- exact --------------------------------------------------------------------------------------------
  // With a way to go down again in run.path, its first step is taken, and nothing on it is counted a second time.
  template <int kBlank, int kBack>
  [[gnu::noinline, gnu::cold]] static End ExpandExactly(Run& run, uint64_t state, Node node) {
    if (state == run.goal) return End::kFound;
    int resume = kNoDirection;
    if (run.path_len > 0) {
      resume = static_cast<int>(run.path[--run.path_len] & 3);
    } else if (!run.CountExpansion()) {
      return End::kStopped;
    }
    Children children;
    Prepare<kBlank, kBack>(run, state, node, children);
    End end = ConsiderExactly<kBlank, kBack, 0>(run, state, node, children, resume);
    if (end == End::kNone) end = ConsiderExactly<kBlank, kBack, 1>(run, state, node, children, resume);
    if (end == End::kNone) end = ConsiderExactly<kBlank, kBack, 2>(run, state, node, children, resume);
    if (end == End::kNone) end = ConsiderExactly<kBlank, kBack, 3>(run, state, node, children, resume);
    return end;
  }

  template <int kBlank, int kBack, int kDirection>
  static End ConsiderExactly(Run& run, uint64_t state, Node node, const Children& children, int resume) {
    if constexpr (IsMove(kBlank, kBack, kDirection)) {
      using Move = MoveAt<kBlank, kBack, kDirection>;
      if (kDirection < resume) return End::kNone;
      if (kDirection != resume && !run.CountChild()) return End::kStopped;
      uint64_t child_state;
      Node child;
      if (!Move::Make(run, state, node, children, child_state, child)) return End::kNone;
      End end =
          kDirection == resume ? End::kHandOver : Expand<Move::kTarget, Move::kChildBack>(run, child_state, child);
      run.DropCredit();
      if (end == End::kHandOver) end = ExpandExactly<Move::kTarget, Move::kChildBack>(run, child_state, child);
      if (end == End::kFound) run.path[run.path_len++] = Move::kOp;
      return end;
    } else {
      return End::kNone;
    }
  }

  template <int kBlank, int kBack>
  static End Root(Run& run, uint64_t state, Node node) {
    const End end = Expand<kBlank, kBack>(run, state, node);
    return end == End::kHandOver ? ExpandExactly<kBlank, kBack>(run, state, node) : end;
  }
  using Function = End (*)(Run&, uint64_t, Node);
  // By square of the blank and way back; null where the blank cannot have come from.
  template <size_t kIndex>
  static constexpr Function RootOf() {
    constexpr int kBlank = static_cast<int>(kIndex) / 5;
    constexpr int kBack = static_cast<int>(kIndex) % 5;
    if constexpr (kBack == kAnywhere || IsMove(kBlank, kAnywhere, kBack)) {
      return &Root<kBlank, kBack>;
    } else {
      return nullptr;
    }
  }
  template <size_t... kIndexes>
  static constexpr std::array<Function, sizeof...(kIndexes)> Roots(std::index_sequence<kIndexes...>) {
    return {RootOf<kIndexes>()...};
  }
  static constexpr auto kRoots = Roots(std::make_index_sequence<5 * Geometry::kCells>());
};

}  // namespace sliding_tile

#endif  // ASTROLABE_PLUGINS_SLIDING_TILE_REGISTER_RUN_H_
