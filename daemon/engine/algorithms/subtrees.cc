#include "daemon/engine/algorithms/subtrees.h"

#include <algorithm>
#include <utility>

#include "daemon/engine/algorithms/generic_search.h"

namespace astrolabe::engine {
namespace {

// For GenericSearch: counts for the chunk and asks its lease.
class ChunkMeter {
 public:
  ChunkMeter(const ChunkLease& lease, Chunk& chunk) : lease_(lease), chunk_(chunk) {}

  bool MayExpand() const { return lease_.GoOn(); }
  bool MayGenerate() const { return true; }
  void CountExpanded() { ++chunk_.expanded; }
  void CountGenerated() { ++chunk_.generated; }
  SearchEnd Break(std::string what) {
    chunk_.broken = std::move(what);
    return SearchEnd::kBroken;
  }

 private:
  const ChunkLease& lease_;
  Chunk& chunk_;
};

template <bool kByF>
class GenericSubtrees final : public Subtrees {
 public:
  GenericSubtrees(const Task& task, const Evaluator& evaluator) : search_(task, evaluator, {}) {}

  void Search(const Frontier& frontier, Cost bound, const ChunkLease& lease, Chunk& chunk) override {
    ChunkMeter meter(lease, chunk);
    chunk.end = SearchEnd::kExhausted;
    for (chunk.root = chunk.first; chunk.root < chunk.last; ++chunk.root) {
      const IterationResult result = search_.Run(meter, nullptr, frontier.At(chunk.root), bound);
      chunk.next_bound = std::min(chunk.next_bound, result.next_bound);
      chunk.end = result.end;
      if (result.end == SearchEnd::kSolved) search_.TakeSolution(chunk.below);
      if (result.end != SearchEnd::kExhausted) return;
    }
  }
  Cost best_h() const override { return search_.best_h(); }
  Tier tier() const override { return Tier::kGeneric; }

 private:
  GenericSearch<ChunkMeter, false, false, kByF> search_;
};

class KernelSubtrees final : public Subtrees {
 public:
  KernelSubtrees(const Task& task, const Evaluator& evaluator, bool additive)
      : space_(task.space),
        evaluator_(evaluator),
        mode_(additive ? KernelMode::kTableAnyOrder : KernelMode::kEvaluate) {}

  void Search(const Frontier& frontier, Cost bound, const ChunkLease& lease, Chunk& chunk) override {
    const KernelRoots roots = frontier.Range(chunk.first, chunk.last);
    KernelIteration kernel;
    do {
      Poller poller(lease);
      depth_ = std::max(depth_, FirstKernelDepth(bound));
      KernelControl limits{kAsk, UINT64_MAX};
      kernel = space_.RunKernel(evaluator_, mode_, roots, bound, depth_, limits, poller);
    } while (kernel.end == KernelIteration::End::kTooDeep && depth_ < kDeepestKernel && (depth_ *= 2) > 0);
    used_additive_ = kernel.used_additive;
    chunk.expanded = kernel.expanded;
    chunk.generated = kernel.generated;
    Conclude(lease, std::move(kernel), chunk);
  }
  Tier tier() const override { return used_additive_ ? Tier::kAdditive : Tier::kKernel; }

 private:
  // Expansions between two looks at the lease: well below a millisecond, but for the slowest heuristics.
  static constexpr uint64_t kAsk = 512;

  class Poller final : public KernelPoll {
   public:
    explicit Poller(const ChunkLease& lease) : lease_(lease) {}
    bool Poll(KernelControl& control, uint64_t expanded, uint64_t) override {
      control.expand_limit = expanded + kAsk;
      return lease_.GoOn();
    }

   private:
    const ChunkLease& lease_;
  };

  void Conclude(const ChunkLease& lease, KernelIteration kernel, Chunk& chunk) const {
    chunk.root = chunk.last;
    switch (kernel.end) {
      case KernelIteration::End::kExhausted:
        chunk.end = SearchEnd::kExhausted;
        chunk.next_bound = kernel.next_bound;
        return;
      case KernelIteration::End::kFound:
        chunk.root = chunk.first + kernel.found_root;
        if (chunk.root >= chunk.last) return Break(chunk, "the depth-first kernel found a goal below no root");
        chunk.end = SearchEnd::kSolved;
        chunk.below = {.path = std::move(kernel.path), .cost = kernel.path_cost};
        return;
      case KernelIteration::End::kStopped:
        chunk.end = SearchEnd::kStopped;
        if (lease.GoOn()) Break(chunk, "the depth-first kernel stopped without being told to");
        return;
      case KernelIteration::End::kTooDeep:
        return Break(chunk, "the depth-first kernel found no room for any path");
    }
    Break(chunk, "the depth-first kernel ended in an unknown way");
  }

  static void Break(Chunk& chunk, const char* what) {
    chunk.end = SearchEnd::kBroken;
    chunk.broken = what;
    chunk.root = chunk.first;
  }

  const StateSpace& space_;
  const Evaluator& evaluator_;
  const KernelMode mode_;
  uint32_t depth_ = 1;
  bool used_additive_ = false;
};

}  // namespace

std::unique_ptr<Subtrees> MakeSubtrees(const Task& task, const Evaluator& evaluator, SubtreeTier tier, bool any_order) {
  if (tier != SubtreeTier::kGeneric) {
    return std::make_unique<KernelSubtrees>(task, evaluator, tier == SubtreeTier::kAdditive);
  }
  if (any_order) return std::make_unique<GenericSubtrees<true>>(task, evaluator);
  return std::make_unique<GenericSubtrees<false>>(task, evaluator);
}

}  // namespace astrolabe::engine
