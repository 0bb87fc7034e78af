// An iteration on several threads: it is cut into subtrees (Frontier), and threads take chunks of them in order.
//
// In depth-first order the counts are exact: a goal in one chunk ends those that come after, not those before; in the
// end the first chunk that has a goal counts as far as the goal, those before it in full, those after it not at all.
// In any order the subtrees of least h come first, and the first goal of any thread ends all.
#include <algorithm>
#include <atomic>
#include <limits>
#include <memory>
#include <utility>
#include <vector>

#include "daemon/engine/algorithms/frontier.h"
#include "daemon/engine/algorithms/iteration.h"
#include "daemon/engine/algorithms/search_threads.h"
#include "daemon/engine/algorithms/subtrees.h"
#include "daemon/engine/runner.h"

namespace astrolabe::engine {
namespace {

// Expansions of the iteration before; with fewer, starting threads takes longer than the iteration.
constexpr uint64_t kLeastExpanded = 20'000;
// Enough that the last ones to end do not matter.
constexpr size_t kChunks = 64;
constexpr size_t kNoChunk = std::numeric_limits<size_t>::max();

class SplitIteration final : public IterationEngine {
 public:
  SplitIteration(const Task& task, const IterationOptions& options, SubtreeTier tier,
                 std::unique_ptr<IterationEngine> whole)
      : options_(options),
        whole_(std::move(whole)),
        wanted_(Frontier::Wanted(task.space.info())),
        frontier_(task),
        threads_(task.thread_starter, static_cast<int>(task.thread_evaluators.size())) {
    for (int i = 0; i < threads_.count(); ++i) {
      const Evaluator& evaluator = *task.thread_evaluators[static_cast<size_t>(i)];
      searches_.push_back(MakeSubtrees(task, evaluator, tier, options.any_order));
    }
  }

  IterationResult Run(Runner& runner, const Root& root, Cost bound) override {
    const uint64_t before = runner.expanded();
    IterationResult result;
    split_ = last_expanded_ >= kLeastExpanded && !runner.counts_are_limited() && RunSplit(runner, root, bound, result);
    if (!split_) result = whole_->Run(runner, root, bound);
    last_expanded_ = runner.expanded() - before;
    return result;
  }

  void TakeSolution(Solution& solution) override {
    if (split_) {
      solution = std::move(solution_);
    } else {
      whole_->TakeSolution(solution);
    }
  }
  Cost best_h() const override {
    const Cost whole = whole_->best_h();
    return best_h_ < 0 || (whole >= 0 && whole < best_h_) ? whole : best_h_;
  }
  Tier tier() const override { return split_ ? searches_.front()->tier() : whole_->tier(); }
  bool any_order() const override { return options_.any_order; }

 private:
  // False: it is to be run whole; nothing was counted.
  bool RunSplit(Runner& runner, const Root& root, Cost bound, IterationResult& result) {
    result.end = frontier_.Cut(runner, root, bound, wanted_);
    if (result.end != SearchEnd::kExhausted) return true;
    if (options_.any_order) frontier_.SortByH();
    MakeChunks();
    next_chunk_ = 0;
    ended_ = kNoChunk;
    told_ = 0;
    const auto work = [this, bound](int thread) { Work(*searches_[static_cast<size_t>(thread)], bound); };
    const auto poll = [this, &runner] {
      TellFinished(runner);
      return runner.LookAround();
    };
    try {
      if (!chunks_.empty() && !threads_.Run(work, poll)) return false;
    } catch (...) {
      for (size_t i = told_; i < chunks_.size(); ++i) Count(runner, chunks_[i], chunks_[i].last);
      throw;
    }
    for (const auto& search : searches_) {
      const Cost h = search->best_h();
      if (h >= 0 && (best_h_ < 0 || h < best_h_)) best_h_ = h;
    }
    Conclude(runner, result);
    return true;
  }

  void MakeChunks() {
    const size_t size = std::max<size_t>(1, (frontier_.size() + kChunks - 1) / kChunks);
    chunks_.clear();
    for (size_t first = 0; first < frontier_.size(); first += size) {
      Chunk chunk;
      chunk.first = first;
      chunk.last = std::min(first + size, frontier_.size());
      chunks_.push_back(std::move(chunk));
    }
    finished_ = std::vector<std::atomic<bool>>(chunks_.size());
  }

  // A search thread.
  void Work(Subtrees& search, Cost bound) {
    for (;;) {
      const size_t i = next_chunk_.fetch_add(1, std::memory_order_relaxed);
      if (i >= chunks_.size()) return;
      const ChunkLease lease(threads_, ended_, i);
      if (!lease.GoOn()) return;
      Chunk& chunk = chunks_[i];
      search.Search(frontier_, bound, lease, chunk);
      if (chunk.end == SearchEnd::kSolved || chunk.end == SearchEnd::kBroken) EndAt(i);
      finished_[i].store(true, std::memory_order_release);
    }
  }

  // The chunks after `chunk` are not wanted any more; in any order no other is.
  void EndAt(size_t chunk) {
    if (options_.any_order) return EndAllBut(chunk);
    size_t ended = ended_.load(std::memory_order_relaxed);
    while (chunk < ended && !ended_.compare_exchange_weak(ended, chunk, std::memory_order_relaxed)) {
    }
  }
  void EndAllBut(size_t chunk) {
    size_t none = kNoChunk;
    if (ended_by_.compare_exchange_strong(none, chunk, std::memory_order_relaxed)) {
      ended_.store(0, std::memory_order_relaxed);
    }
  }

  // What is certain while threads are at work: the chunks from the first on that are exhausted.
  void TellFinished(Runner& runner) {
    if (options_.any_order) return;
    for (; told_ < chunks_.size() && finished_[told_].load(std::memory_order_acquire); ++told_) {
      if (chunks_[told_].end != SearchEnd::kExhausted) return;
      Count(runner, chunks_[told_], chunks_[told_].last);
    }
  }

  // The chunk, and what is above the cut before each of its roots up to `last`.
  void Count(Runner& runner, const Chunk& chunk, size_t last) const {
    runner.Count(chunk.expanded, chunk.generated);
    for (size_t i = chunk.first; i < last; ++i) {
      const Frontier::Counts before = frontier_.Before(i);
      runner.Count(before.expanded, before.generated);
    }
  }

  void Conclude(Runner& runner, IterationResult& result) {
    const size_t by = options_.any_order ? ended_by_.exchange(kNoChunk) : ended_.load();
    result.next_bound = frontier_.next_bound();
    // All that was done counts, but in order: what comes after the end does not.
    const bool in_order = !options_.any_order && by != kNoChunk;
    bool complete = true;
    for (size_t i = told_; i < chunks_.size() && !(in_order && i > by); ++i) {
      const Chunk& chunk = chunks_[i];
      Count(runner, chunk, i == by && in_order ? chunk.root + 1 : chunk.last);
      complete = complete && (i == by || chunk.end == SearchEnd::kExhausted);
      result.next_bound = std::min(result.next_bound, chunk.next_bound);
    }
    for (size_t i = 0; i < told_; ++i) result.next_bound = std::min(result.next_bound, chunks_[i].next_bound);
    if (!in_order) {
      const Frontier::Counts tail = frontier_.Before(frontier_.size());
      runner.Count(tail.expanded, tail.generated);
    }
    if (by == kNoChunk || (in_order && !complete)) {
      result.end = complete ? SearchEnd::kExhausted : SearchEnd::kStopped;
      return;
    }
    Chunk& chunk = chunks_[by];
    result.end = chunk.end;
    if (chunk.end == SearchEnd::kBroken) {
      runner.Break(std::move(chunk.broken));
      return;
    }
    solution_ = Solution{};
    frontier_.AppendPath(chunk.root, solution_.path);
    solution_.path.insert(solution_.path.end(), chunk.below.path.begin(), chunk.below.path.end());
    solution_.cost = chunk.below.cost;
  }

  const IterationOptions options_;
  std::unique_ptr<IterationEngine> whole_;
  const size_t wanted_;
  Frontier frontier_;
  SearchThreads threads_;
  std::vector<std::unique_ptr<Subtrees>> searches_;  // one a thread
  uint64_t last_expanded_ = 0;
  bool split_ = false;
  Solution solution_;
  Cost best_h_ = -1;

  std::vector<Chunk> chunks_;
  std::vector<std::atomic<bool>> finished_;
  std::atomic<size_t> next_chunk_{0};
  std::atomic<size_t> ended_{kNoChunk};     // chunks from here on are not wanted
  std::atomic<size_t> ended_by_{kNoChunk};  // in any order: the chunk with the goal
  size_t told_ = 0;                         // chunks the runner knows of
};

}  // namespace

bool SplitFits(const Task& task, const IterationOptions& options, SubtreeTier tier) {
  if (task.sink != nullptr || options.table_bytes > 0 || !options.parent_pruning) return false;
  if (ChecksDuplicates(task)) return false;
  if (Frontier::Wanted(task.space.info()) == 0) return false;
  const bool several = task.thread_evaluators.size() > 1;
  if (tier == SubtreeTier::kGeneric) return several;
  return task.space.KernelTakesRoots() && (several || options.any_order);
}

std::unique_ptr<IterationEngine> MakeSplitIteration(const Task& task, const IterationOptions& options, SubtreeTier tier,
                                                    std::unique_ptr<IterationEngine> whole) {
  return std::make_unique<SplitIteration>(task, options, tier, std::move(whole));
}

}  // namespace astrolabe::engine
