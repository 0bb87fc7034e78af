// The functions of the register kernel (see register_kernel.h), for one shape and one way to get h.
//
// Counting is cheap and exact: `credit` expansions may be made before anything is compared, so few that no
// limit can be passed on the way. When it is used up, Slow grants more, asks the host, or - within a few
// children of the generate limit - expands one node child by child. Children are counted for a whole node in
// advance; when the search ends inside it, those not considered are taken off again.
#ifndef ASTROLABE_PLUGINS_SLIDING_TILE_REGISTER_RUN_H_
#define ASTROLABE_PLUGINS_SLIDING_TILE_REGISTER_RUN_H_

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <utility>

#include "astrolabe/abi/ida.h"
#include "plugins/sliding_tile/moves.h"

namespace sliding_tile {

enum class End { kNone, kFound, kStopped };

// What the functions of one iteration share.
struct RegisterRun {
  uint64_t credit = 0;
  uint64_t generated = 0;
  uint64_t goal = 0;
  int64_t min_excess = ASTRO_DEAD_END;  // least f - bound among the children cut; as the way to get h defines it
  uint64_t granted = 0;                 // expansions made, plus credit
  astro_control_v1* control = nullptr;
  astro_op* path = nullptr;  // filled from the goal upwards
  uint32_t path_len = 0;

  enum class Grant { kCredit, kChildByChild, kStop };

  // When the credit is used up, before the next expansion.
  Grant AskForMore() {
    uint64_t room = Room(control->expand_limit, granted);
    if (room == 0) {
      if (control->poll(control, granted, generated) == 0) return Grant::kStop;
      room = std::max<uint64_t>(Room(control->expand_limit, granted), 1);
    }
    const uint64_t safe = std::min(room, Room(control->generate_limit, generated) / kMaxChildren);
    granted += std::max<uint64_t>(safe, 1);
    credit = safe;
    return safe > 0 ? Grant::kCredit : Grant::kChildByChild;
  }

  // Before one child of a node that is expanded child by child. False: stop.
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

// h by one bit a child: the table holds +1 and -1 alone, so f stays or grows by 2. slack = bound - f; the
// least excess follows from its parity.
struct MaskH {
  using Run = AdditiveRun;
  using Node = int32_t;  // slack
  struct Children {};

  [[gnu::always_inline]] static void Prepare(Run&, const uint64_t&, Node, const astro_op*, uint32_t, Children&) {}
  template <int kBlank, int kDirection, int kIndex>
  [[gnu::always_inline]] static bool Enters(Run& run, Node slack, const Children&, uint32_t tile, Node& child) {
    child = slack - static_cast<int32_t>((run.raises[kBlank][kDirection] >> tile & 1) * 2);
    return child >= 0;
  }
};

// h by one lookup a child.
struct DeltaH {
  using Run = AdditiveRun;
  using Node = int64_t;  // slack
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

  static End Search(Run& run, uint32_t blank, uint64_t state, Node node) { return kRoots[blank](run, state, node); }

 private:
  static constexpr int kCells = kRows * kCols;
  static constexpr int kAnywhere = 4;  // at the root: no way back to leave out

  static constexpr int Step(int direction) {
    return direction == 0 ? -kCols : direction == 1 ? -1 : direction == 2 ? 1 : kCols;
  }
  // `back` is the direction that undoes the last move.
  static constexpr bool IsMove(int blank, int back, int direction) {
    if (direction == back) return false;
    const int row = blank / kCols;
    const int col = blank % kCols;
    return direction == 0 ? row > 0 : direction == 1 ? col > 0 : direction == 2 ? col + 1 < kCols : row + 1 < kRows;
  }
  // Moves among the directions below `end`.
  static constexpr int CountBelow(int blank, int back, int end) {
    int count = 0;
    for (int direction = 0; direction < end; ++direction) count += IsMove(blank, back, direction) ? 1 : 0;
    return count;
  }
  static constexpr std::array<astro_op, 4> OpsOf(int blank, int back) {
    std::array<astro_op, 4> ops = {};
    int n = 0;
    for (int direction = 0; direction < 4; ++direction) {
      if (IsMove(blank, back, direction)) ops[n++] = static_cast<astro_op>(blank * 4 + direction);
    }
    return ops;
  }

  template <int kBlank, int kBack, bool kChildByChild>
  [[gnu::noinline]] static End Expand(Run& run, uint64_t state, Node node) {
    constexpr int kCount = CountBelow(kBlank, kBack, 4);
    static constexpr std::array<astro_op, 4> kOps = OpsOf(kBlank, kBack);
    if (state == run.goal) [[unlikely]]
      return End::kFound;
    if constexpr (!kChildByChild) {
      if (run.credit == 0) [[unlikely]]
        return Slow<kBlank, kBack>(run, state, node);
      --run.credit;
      run.generated += kCount;
    }
    typename H::Children children;
    H::Prepare(run, state, node, kOps.data(), kCount, children);
    End end = Consider<kBlank, kBack, 0, kChildByChild>(run, state, node, children);
    if (end != End::kNone) return end;
    end = Consider<kBlank, kBack, 1, kChildByChild>(run, state, node, children);
    if (end != End::kNone) return end;
    end = Consider<kBlank, kBack, 2, kChildByChild>(run, state, node, children);
    if (end != End::kNone) return end;
    return Consider<kBlank, kBack, 3, kChildByChild>(run, state, node, children);
  }

  template <int kBlank, int kBack, int kDirection, bool kChildByChild>
  [[gnu::always_inline]] static End Consider(Run& run, uint64_t state, Node node,
                                             const typename H::Children& children) {
    if constexpr (IsMove(kBlank, kBack, kDirection)) {
      constexpr int kTarget = kBlank + Step(kDirection);
      constexpr int kIndex = CountBelow(kBlank, kBack, kDirection);
      constexpr int kLater = CountBelow(kBlank, kBack, 4) - kIndex - 1;
      if constexpr (kChildByChild) {
        if (!run.CountChild()) return End::kStopped;
      }
      const auto tile = static_cast<uint32_t>(state >> (4 * kTarget)) & 15;
      Node child;
      if (!H::template Enters<kBlank, kDirection, kIndex>(run, node, children, tile, child)) return End::kNone;
      const uint64_t moved = state ^ (uint64_t{tile} << (4 * kTarget)) ^ (uint64_t{tile} << (4 * kBlank));
      const End end = Expand<kTarget, static_cast<int>(Opposite(kDirection)), false>(run, moved, child);
      if (end != End::kNone) [[unlikely]] {
        if constexpr (!kChildByChild) run.generated -= kLater;
        if (end == End::kFound) run.path[run.path_len++] = kBlank * 4 + kDirection;
      }
      return end;
    } else {
      return End::kNone;
    }
  }

  template <int kBlank, int kBack>
  [[gnu::noinline, gnu::cold]] static End Slow(Run& run, uint64_t state, Node node) {
    switch (run.AskForMore()) {
      case RegisterRun::Grant::kStop:
        return End::kStopped;
      case RegisterRun::Grant::kChildByChild:
        return Expand<kBlank, kBack, true>(run, state, node);
      case RegisterRun::Grant::kCredit:
        return Expand<kBlank, kBack, false>(run, state, node);
    }
    return End::kStopped;
  }

  using Function = End (*)(Run&, uint64_t, Node);
  template <size_t... kBlanks>
  static constexpr std::array<Function, kCells> Roots(std::index_sequence<kBlanks...>) {
    return {&Expand<static_cast<int>(kBlanks), kAnywhere, false>...};
  }
  static constexpr std::array<Function, kCells> kRoots = Roots(std::make_index_sequence<kCells>());
};

}  // namespace sliding_tile

#endif  // ASTROLABE_PLUGINS_SLIDING_TILE_REGISTER_RUN_H_
