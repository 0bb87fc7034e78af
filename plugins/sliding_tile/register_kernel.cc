#include "plugins/sliding_tile/register_kernel.h"

#include <algorithm>
#include <cstring>

#include "plugins/sliding_tile/additive.h"
#include "plugins/sliding_tile/batch_kernel.h"
#include "plugins/sliding_tile/register_run.h"
#include "plugins/sliding_tile/spaces.h"

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

int32_t Finish(const RegisterRun& run, End end, int64_t next_bound, bool additive, astro_ida_v1& call) {
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
  call.path_cost = run.path_len;
  return ASTRO_IDA_FOUND;
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

template <int kRows, int kCols>
std::optional<int32_t> RunAdditive(const Shape& shape, const sliding_tile_view_v1& view, astro_ida_v1& call) {
  if (call.table == nullptr || !FitsShape(*call.table, shape)) return std::nullopt;
  const uint64_t state = LoadWord(call.root);
  const std::optional<int64_t> fall = LargestFall(*call.table, shape, state);
  if (!fall || call.bound - call.root_h + *fall > std::min<int64_t>(kMaxDepth, call.path_cap)) return std::nullopt;
  AdditiveRun run;
  Begin(run, view, call);
  const uint32_t blank = PackedSpace::FindBlank(state);
  const int64_t slack = call.bound - call.root_h;
  if (LoadTable(*call.table, shape, run)) {
    std::optional<End> batched;
    if constexpr (kRows == 4 && kCols == 4) {
      const auto depth = static_cast<uint32_t>(slack + *fall);
      if ((call.additive & ASTRO_IDA_ANY_ORDER) != 0)
        batched = RunBatchKernel(DefaultBatchOptions(), run, state, slack, depth);
    }
    const End end =
        batched ? *batched
                : RegisterKernel<kRows, kCols, MaskH>::Search(run, blank, state, static_cast<MaskH::Node>(slack));
    // Each child considered was entered, and then expanded, or cut; the root is none of them.
    const bool cut = run.generated + 1 > run.granted;
    return Finish(run, end, cut ? call.bound + 2 - slack % 2 : ASTRO_DEAD_END, true, call);
  }
  const End end = RegisterKernel<kRows, kCols, DeltaH>::Search(run, blank, state, slack);
  return Finish(run, end, run.min_excess == ASTRO_DEAD_END ? ASTRO_DEAD_END : call.bound + run.min_excess, true, call);
}

template <int kRows, int kCols, uint32_t kMaxAux>
int32_t RunEval(const sliding_tile_view_v1& view, astro_ida_v1& call) {
  EvalRun run;
  Begin(run, view, call);
  run.eval_ops = call.heuristic->eval_ops;
  run.context = call.context;
  run.aux_size = call.aux_size;
  typename EvalH<kMaxAux>::Node root = {};
  root.h = call.root_h;
  root.remaining = call.bound;
  if constexpr (kMaxAux != 0) root.aux = static_cast<const std::byte*>(call.root_aux);
  const uint64_t state = LoadWord(call.root);
  const End end = RegisterKernel<kRows, kCols, EvalH<kMaxAux>>::Search(run, PackedSpace::FindBlank(state), state, root);
  // Dead ends, which never come back, leave an excess near the largest number.
  const bool cut = run.min_excess < ASTRO_DEAD_END / 2;
  return Finish(run, end, cut ? call.bound + run.min_excess + 1 : ASTRO_DEAD_END, false, call);
}

template <int kRows, int kCols>
std::optional<int32_t> RunShape(const Shape& shape, const sliding_tile_view_v1& view, astro_ida_v1& call) {
  if ((call.additive & ASTRO_IDA_TABLE) != 0) {
    if (const std::optional<int32_t> end = RunAdditive<kRows, kCols>(shape, view, call)) return end;
  }
  if (call.heuristic->eval_ops == nullptr) return std::nullopt;
  if (call.bound > std::min<int64_t>(kMaxDepth, call.path_cap)) return std::nullopt;
  if (call.aux_size == 0) return RunEval<kRows, kCols, 0>(view, call);
  return RunEval<kRows, kCols, ASTRO_MAX_AUX_SIZE>(view, call);
}

}  // namespace

std::optional<int32_t> RunRegisterKernel(const Shape& shape, const sliding_tile_view_v1& view, astro_ida_v1& call) {
  if (call.root_h > call.bound || call.root_h < 0 || call.aux_size > ASTRO_MAX_AUX_SIZE) return std::nullopt;
  if (shape == Shape{3, 3}) return RunShape<3, 3>(shape, view, call);
  if (shape == Shape{4, 4}) return RunShape<4, 4>(shape, view, call);
  return std::nullopt;
}

}  // namespace sliding_tile
