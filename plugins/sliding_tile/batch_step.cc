#include "plugins/sliding_tile/batch_step.h"

#include <utility>

#include "plugins/sliding_tile/board_geometry.h"
#include "plugins/sliding_tile/moves.h"

#if defined(__x86_64__)
#include <immintrin.h>
#endif

namespace sliding_tile {
namespace {

using Board = BoardGeometry<4, 4>;

// One move of the blank, all of it known when this is compiled.
template <int kBlank, int kBack, int kDirection>
struct Way {
  static constexpr bool kIsMove = Board::IsMove(kBlank, kBack, kDirection);
  static constexpr int kTarget = kIsMove ? kBlank + Board::Step(kDirection) : kBlank;
  static constexpr int kBucket = kTarget * 4 + static_cast<int>(Opposite(kDirection));
  static constexpr uint64_t kBoth = uint64_t{15} << (4 * kTarget) | uint64_t{15} << (4 * kBlank);
};

// Where the children of each direction go.
struct Outputs {
  BatchNode* end[4] = {};
};

// A child's slack is its parent's less one step of two when the move raises h; below zero it is not there.
template <int kBlank, int kBack, int kDirection>
[[gnu::always_inline]] inline void PutChild(BatchNode node, const BatchRun& run, Outputs& out) {
  using W = Way<kBlank, kBack, kDirection>;
  if constexpr (W::kIsMove) {
    const uint64_t tile = node >> (4 * W::kTarget) & 15;
    const uint64_t slack = (node >> (4 * kBlank) & 15) - (run.raises[kBlank][kDirection] << tile >> 63);
    *out.end[kDirection] = (node & ~W::kBoth) | tile << (4 * kBlank) | slack << (4 * W::kTarget);
    out.end[kDirection] += 1 - (slack >> 63);
  }
}

struct Portable {
  template <int kBlank, int kBack>
  static void Expand(const BatchRun& run, const BatchNode* nodes, uint32_t count, Outputs& out) {
    Outputs ends = out;
    for (uint32_t i = 0; i < count; ++i) {
      PutChild<kBlank, kBack, 0>(nodes[i], run, ends);
      PutChild<kBlank, kBack, 1>(nodes[i], run, ends);
      PutChild<kBlank, kBack, 2>(nodes[i], run, ends);
      PutChild<kBlank, kBack, 3>(nodes[i], run, ends);
    }
    out = ends;
  }
};

#if defined(__x86_64__)
#define SLIDING_TILE_AVX2 [[gnu::target("avx2")]]

// By the mask of lanes that are cut: the others in order, in halves of 32 bits, and how many they are.
struct Kept {
  alignas(32) uint32_t order[16][8] = {};
  uint8_t count[16] = {};
};
constexpr Kept MakeKept() {
  Kept kept;
  for (uint32_t cut = 0; cut < 16; ++cut) {
    uint32_t n = 0;
    for (uint32_t lane = 0; lane < 4; ++lane) {
      if ((cut >> lane & 1) != 0) continue;
      kept.order[cut][2 * n] = 2 * lane;
      kept.order[cut][2 * n + 1] = 2 * lane + 1;
      ++n;
    }
    kept.count[cut] = static_cast<uint8_t>(n);
  }
  return kept;
}
constexpr Kept kKept = MakeKept();

template <int kBlank, int kBack, int kDirection>
SLIDING_TILE_AVX2 [[gnu::always_inline]] inline void PutChildren(__m256i nodes, __m256i slack, __m256i raises, int cut,
                                                                 BatchNode*& end) {
  using W = Way<kBlank, kBack, kDirection>;
  if constexpr (W::kIsMove) {
    const __m256i tile = _mm256_and_si256(_mm256_srli_epi64(nodes, 4 * W::kTarget), _mm256_set1_epi64x(15));
    const __m256i left = _mm256_sub_epi64(slack, _mm256_srli_epi64(_mm256_sllv_epi64(raises, tile), 63));
    cut |= _mm256_movemask_pd(_mm256_castsi256_pd(left));
    const __m256i rest = _mm256_andnot_si256(_mm256_set1_epi64x(static_cast<long long>(W::kBoth)), nodes);
    const __m256i moved = _mm256_or_si256(_mm256_slli_epi64(tile, 4 * kBlank), _mm256_slli_epi64(left, 4 * W::kTarget));
    const __m256i order = _mm256_load_si256(reinterpret_cast<const __m256i*>(kKept.order[cut]));
    const __m256i kept = _mm256_permutevar8x32_epi32(_mm256_or_si256(rest, moved), order);
    _mm256_storeu_si256(reinterpret_cast<__m256i*>(end), kept);
    end += kKept.count[cut];
  }
}

struct Vector {
  template <int kBlank, int kBack>
  SLIDING_TILE_AVX2 static void Expand(const BatchRun& run, const BatchNode* nodes, uint32_t count, Outputs& out) {
    const auto* raises = reinterpret_cast<const long long*>(run.raises[kBlank]);
    const __m256i up = _mm256_set1_epi64x(raises[0]), left = _mm256_set1_epi64x(raises[1]);
    const __m256i right = _mm256_set1_epi64x(raises[2]), down = _mm256_set1_epi64x(raises[3]);
    BatchNode *end0 = out.end[0], *end1 = out.end[1], *end2 = out.end[2], *end3 = out.end[3];
    for (uint32_t i = 0; i < count; i += 4) {
      const int beyond = i + 4 <= count ? 0 : (15 << (count - i)) & 15;
      const __m256i four = _mm256_loadu_si256(reinterpret_cast<const __m256i*>(nodes + i));
      const __m256i slack = _mm256_and_si256(_mm256_srli_epi64(four, 4 * kBlank), _mm256_set1_epi64x(15));
      PutChildren<kBlank, kBack, 0>(four, slack, up, beyond, end0);
      PutChildren<kBlank, kBack, 1>(four, slack, left, beyond, end1);
      PutChildren<kBlank, kBack, 2>(four, slack, right, beyond, end2);
      PutChildren<kBlank, kBack, 3>(four, slack, down, beyond, end3);
    }
    out = Outputs{{end0, end1, end2, end3}};
  }
};
#endif

bool HasGoal(const BatchRun& run, const BatchNode* nodes, uint32_t count) {
  const uint64_t board = ~(uint64_t{15} << (4 * run.goal_blank));
  bool found = false;
  for (uint32_t i = 0; i < count; ++i) found |= (nodes[i] & board) == run.goal;
  return found;
}

template <class Isa, int kBlank, int kBack>
bool Step(BatchRun& run, BatchFrame& from, BatchFrame& to, uint32_t count) {
  Outputs out;
  for (int direction = 0; direction < 4; ++direction) {
    if (!Board::IsMove(kBlank, kBack, direction)) continue;
    Bucket& children = to.buckets[static_cast<size_t>((kBlank + Board::Step(direction)) * 4 + (3 - direction))];
    if (!children.Reserve(count)) return false;
    out.end[direction] = children.end();
  }
  Bucket& parents = from.buckets[kBlank * 4 + kBack];
  const BatchNode* nodes = parents.Take(count);
  from.total -= count;
  if (parents.size() == 0) from.nonempty &= ~(uint64_t{1} << (kBlank * 4 + kBack));
  if (kBlank == run.goal_blank && HasGoal(run, nodes, count)) run.goal_seen = true;
  run.expanded += count;
  run.generated += uint64_t{count} * Board::CountBelow(kBlank, kBack, 4);
  Isa::template Expand<kBlank, kBack>(run, nodes, count, out);
  for (int direction = 0; direction < 4; ++direction) {
    if (!Board::IsMove(kBlank, kBack, direction)) continue;
    const auto way = static_cast<size_t>((kBlank + Board::Step(direction)) * 4 + (3 - direction));
    Bucket& children = to.buckets[way];
    const uint32_t before = children.size();
    children.SetEnd(out.end[direction]);
    to.total += children.size() - before;
    if (children.size() > 0) to.nonempty |= uint64_t{1} << way;
  }
  return true;
}

// The blank came from that side only if there is one.
template <class Isa, size_t kWay>
constexpr BatchStep StepOf() {
  constexpr int kBlank = static_cast<int>(kWay) / 4;
  constexpr int kBack = static_cast<int>(kWay) % 4;
  if constexpr (Board::IsMove(kBlank, Board::kAnywhere, kBack)) {
    return &Step<Isa, kBlank, kBack>;
  } else {
    return nullptr;
  }
}

template <class Isa, size_t... kWays>
constexpr BatchSteps MakeSteps(std::index_sequence<kWays...>) {
  return {StepOf<Isa, kWays>()...};
}
template <class Isa>
constexpr BatchSteps kSteps = MakeSteps<Isa>(std::make_index_sequence<BatchFrame::kWays>());

}  // namespace

const BatchSteps& PortableSteps() { return kSteps<Portable>; }

const BatchSteps* VectorSteps() {
#if defined(__x86_64__)
  if (__builtin_cpu_supports("avx2")) return &kSteps<Vector>;
#endif
  return nullptr;
}

}  // namespace sliding_tile
