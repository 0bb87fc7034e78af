#include "plugins/sliding_tile/register_kernel.h"

#include <algorithm>
#include <cstring>
#include <vector>

#include "astrolabe/sdk/ida_roots.h"
#include "plugins/sliding_tile/additive.h"
#include "plugins/sliding_tile/batch_kernel.h"
#include "plugins/sliding_tile/register_run.h"
#include "plugins/tiles/spaces.h"

namespace sliding_tile {
namespace {

// The kernel recurses; deeper searches are for the SDK's, whose stack is on the heap.
constexpr int64_t kMaxDepth = 2000;

uint64_t LoadWord(const void* state) {
  uint64_t word;
  std::memcpy(&word, state, sizeof(word));
  return word;
}

uint64_t GoalWord(const sliding_tile_view_v1& view) {
  uint64_t word = 0;
  for (uint32_t square = 0; square < view.cells; ++square) word |= uint64_t{view.goal[square]} << (4 * square);
  return word;
}

void Begin(RegisterRun& run, const sliding_tile_view_v1& view, astro_ida_v1& call) {
  run.goal = GoalWord(view);
  run.control = call.control;
  run.path = call.path;
}

int32_t Finish(const RegisterRun& run, End end, int64_t next_bound, bool additive, int64_t root_g, astro_ida_v1& call) {
  call.expanded = run.granted;
  call.generated = run.generated;
  call.next_bound = next_bound;
  call.used_additive = additive ? 1 : 0;
  call.path_len = 0;
  call.path_cost = 0;
  if (end == End::kStopped) return ASTRO_IDA_STOPPED;
  if (end == End::kNone) return ASTRO_IDA_EXHAUSTED;
  std::reverse(call.path, call.path + run.path_len);
  call.path_len = run.path_len;
  call.path_cost = root_g + run.path_len;
  return ASTRO_IDA_FOUND;
}

// A root as the kernels want it.
struct Start {
  uint64_t state;
  uint32_t blank;
  uint32_t back;  // 4: it is the initial state
};

// nullopt: the blank cannot have come that way.
std::optional<Start> StartOf(const Shape& shape, const astro::IdaRoot& root) {
  const uint64_t state = LoadWord(root.state);
  const uint32_t blank = tiles::FindBlank(state);
  if (root.last_op == ASTRO_NO_OP) return Start{state, blank, 4};
  const Moves moves(shape);
  if (root.last_op >= 4u * static_cast<uint32_t>(shape.cells()) || !moves.IsOp(root.last_op) ||
      moves.Target(root.last_op) != blank) {
    return std::nullopt;
  }
  return Start{state, blank, Opposite(root.last_op & 3)};
}

// The roots one after the other: search(start, root). `found` is the one with a goal below it.
template <class F>
End SearchEach(const Shape& shape, const astro::IdaRoots& roots, uint32_t& found, F search) {
  for (uint32_t i = 0; i < roots.size(); ++i) {
    const std::optional<Start> start = StartOf(shape, roots[i]);
    const End end = search(*start, roots[i]);
    found = i;
    if (end != End::kNone) return end;
  }
  return End::kNone;
}

// True when every change is +1 or -1.
bool LoadTable(const astro_additive_table_v1& table, const Shape& shape, AdditiveRun& run) {
  const Moves moves(shape);
  const auto cells = static_cast<uint32_t>(shape.cells());
  bool ones = true;
  for (astro_op op = 0; op < 4 * cells; ++op) {
    if (!moves.IsOp(op)) continue;
    const uint32_t blank = Moves::BlankOf(op);
    const uint32_t from = moves.Target(op);
    for (uint32_t tile = 1; tile < cells; ++tile) {
      const int8_t delta = table.delta[(size_t{tile} * cells + from) * cells + blank];
      run.delta[blank][op & 3][tile] = delta;
      if (delta > 0) run.raises[blank][op & 3] |= static_cast<uint16_t>(1u << tile);
      ones = ones && (delta == 1 || delta == -1);
    }
  }
  return ones;
}

// nullopt: not on this board, or it is not worth the while.
template <int kRows, int kCols>
std::optional<End> RunBatched(const Shape& shape, const astro::IdaRoots& roots, int64_t bound, uint32_t depth,
                              BatchFramePool& frames, AdditiveRun& run, uint32_t& found) {
  if constexpr (kRows == 4 && kCols == 4) {
    std::vector<BatchRoot> starts;
    for (uint32_t i = 0; i < roots.size(); ++i) {
      const std::optional<Start> start = StartOf(shape, roots[i]);
      starts.push_back({start->state, start->blank, start->back, bound - roots[i].g - roots[i].h});
    }
    BatchOptions options = DefaultBatchOptions();
    options.frames = &frames;
    return RunBatchKernel(options, run, starts, depth, found);
  }
  return std::nullopt;
}

template <int kRows, int kCols>
std::optional<int32_t> RunAdditive(const Shape& shape, const sliding_tile_view_v1& view, BatchFramePool& frames,
                                   astro_ida_v1& call) {
  if (call.table == nullptr || !FitsShape(*call.table, shape)) return std::nullopt;
  const astro::IdaRoots roots(call);
  const auto slack = [&call](const astro::IdaRoot& root) { return call.bound - root.g - root.h; };
  int64_t depth = 0;  // of the longest path below a root
  for (uint32_t i = 0; i < roots.size(); ++i) {
    const std::optional<int64_t> fall = LargestFall(*call.table, shape, LoadWord(roots[i].state));
    if (!fall) return std::nullopt;
    depth = std::max(depth, slack(roots[i]) + *fall);
  }
  if (depth > std::min<int64_t>(kMaxDepth, call.path_cap)) return std::nullopt;
  AdditiveRun run;
  Begin(run, view, call);
  uint32_t found = 0;
  End end = End::kNone;
  int64_t next_bound = ASTRO_DEAD_END;
  if (LoadTable(*call.table, shape, run)) {
    std::optional<End> batched;
    if ((call.additive & ASTRO_IDA_ANY_ORDER) != 0)
      batched = RunBatched<kRows, kCols>(shape, roots, call.bound, static_cast<uint32_t>(depth), frames, run, found);
    end = batched ? *batched : SearchEach(shape, roots, found, [&](const Start& start, const astro::IdaRoot& root) {
      return RegisterKernel<kRows, kCols, MaskH>::SearchFrom(run, start.blank, start.back, start.state,
                                                             static_cast<MaskH::Node>(slack(root)));
    });
    // Each child considered was entered, and then expanded, or cut; the roots are none of them.
    const bool cut = run.generated + roots.size() > run.granted;
    if (cut) next_bound = call.bound + 2 - slack(roots[0]) % 2;
  } else {
    end = SearchEach(shape, roots, found, [&](const Start& start, const astro::IdaRoot& root) {
      return RegisterKernel<kRows, kCols, DeltaH>::SearchFrom(run, start.blank, start.back, start.state, slack(root));
    });
    if (run.min_excess != ASTRO_DEAD_END) next_bound = call.bound + run.min_excess;
  }
  if (end == End::kFound) roots.SetFound(found);
  return Finish(run, end, next_bound, true, roots[found].g, call);
}

template <int kRows, int kCols, uint32_t kMaxAux>
int32_t RunEval(const Shape& shape, const sliding_tile_view_v1& view, astro_ida_v1& call) {
  EvalRun run;
  Begin(run, view, call);
  run.eval_ops = call.heuristic->eval_ops;
  run.context = call.context;
  run.aux_size = call.aux_size;
  const astro::IdaRoots roots(call);
  uint32_t found = 0;
  const End end = SearchEach(shape, roots, found, [&](const Start& start, const astro::IdaRoot& root) {
    typename EvalH<kMaxAux>::Node node = {};
    node.h = root.h;
    node.remaining = call.bound - root.g;
    if constexpr (kMaxAux != 0) node.aux = static_cast<const std::byte*>(root.aux);
    return RegisterKernel<kRows, kCols, EvalH<kMaxAux>>::SearchFrom(run, start.blank, start.back, start.state, node);
  });
  if (end == End::kFound) roots.SetFound(found);
  // Dead ends, which never come back, leave an excess near the largest number.
  const bool cut = run.min_excess < ASTRO_DEAD_END / 2;
  const int64_t next_bound = cut ? call.bound + run.min_excess + 1 : ASTRO_DEAD_END;
  return Finish(run, end, next_bound, false, roots[found].g, call);
}

template <int kRows, int kCols>
std::optional<int32_t> RunShape(const Shape& shape, const sliding_tile_view_v1& view, BatchFramePool& frames,
                                astro_ida_v1& call) {
  if ((call.additive & ASTRO_IDA_TABLE) != 0) {
    if (const std::optional<int32_t> end = RunAdditive<kRows, kCols>(shape, view, frames, call)) return end;
  }
  if (call.heuristic->eval_ops == nullptr) return std::nullopt;
  if (call.bound > std::min<int64_t>(kMaxDepth, call.path_cap)) return std::nullopt;
  if (call.aux_size == 0) return RunEval<kRows, kCols, 0>(shape, view, call);
  return RunEval<kRows, kCols, ASTRO_MAX_AUX_SIZE>(shape, view, call);
}

}  // namespace

std::optional<int32_t> RunRegisterKernel(const Shape& shape, const sliding_tile_view_v1& view, BatchFramePool& frames,
                                         astro_ida_v1& call) {
  if (call.aux_size > ASTRO_MAX_AUX_SIZE) return std::nullopt;
  if (shape != Shape{3, 3} && shape != Shape{4, 4}) return std::nullopt;
  const astro::IdaRoots roots(call);
  for (uint32_t i = 0; i < roots.size(); ++i) {
    const astro::IdaRoot root = roots[i];
    if (root.g < 0 || root.h < 0 || root.h > call.bound - root.g || !StartOf(shape, root)) return std::nullopt;
  }
  if (shape == Shape{3, 3}) return RunShape<3, 3>(shape, view, frames, call);
  return RunShape<4, 4>(shape, view, frames, call);
}

}  // namespace sliding_tile
