// Neighbours of a state by the operators of an ordinary problem: its children, valued some at a time. Where the
// heuristic judges operators, children are built only to go there. The objective is h.
#include <algorithm>
#include <cstring>
#include <string>
#include <vector>

#include "daemon/engine/algorithms/child_heuristic.h"
#include "daemon/engine/local/looks.h"
#include "daemon/engine/local/neighbourhood.h"
#include "daemon/engine/structures/layout.h"
#include "daemon/engine/structures/memory_account.h"
#include "daemon/engine/structures/state_hash.h"

namespace astrolabe::engine {
namespace {

// Neighbours valued at once: by operators, so that the calls cost nothing; by states, so that these stay in the cache.
constexpr size_t kOpsAtOnce = 2048;
constexpr size_t kChunkBytes = 64 << 10;

class OperatorNeighbourhood final : public Neighbourhood {
 public:
  OperatorNeighbourhood(const Task& task, Runner& runner)
      : Neighbourhood(runner),
        info_(task.space.info()),
        problem_(task.space.calls()),
        stride_(StateStride(info_)),
        by_states_(task.evaluator.calls().eval_ops == nullptr),
        chunk_(std::min<size_t>(std::max<size_t>(info_.max_ops, 1),
                                by_states_ ? std::clamp<size_t>(kChunkBytes / stride_, 1, 256) : kOpsAtOnce)),
        heuristic_(task.evaluator.calls(), task.evaluator.info().aux_size, chunk_, task.memory),
        state_(task.memory, stride_),
        child_(task.memory, stride_),
        best_(task.memory, stride_),
        children_(task.memory, by_states_ ? chunk_ * stride_ : 0),
        ops_(info_.max_ops + kSpareOps, AccountedAllocator<Op>(task.memory)),
        costs_(info_.max_ops + kSpareOps, AccountedAllocator<Cost>(task.memory)),
        changes_(chunk_, AccountedAllocator<Cost>(task.memory)) {}

  bool Bind(const std::byte* state) override {
    std::memcpy(state_.data(), state, info_.state_size);
    MovedOn();
    objective_ = heuristic_.Of(state_.data());
    return objective_ >= 0 || BreakByNegative(objective_);
  }
  const std::byte* State() override { return state_.data(); }
  bool state_is_at_hand() const override { return true; }

  // Heuristics are not asked for the children of a dead end.
  uint64_t Moves() override { return objective_ != kInfinity && List() ? count_ : 0; }
  bool HasNeighbours() override { return Moves() > 0; }
  std::span<const Cost> Changes(uint64_t first) override {
    const uint64_t moves = Moves();
    if (first >= moves) return {};
    return Valued(first, std::min<uint64_t>(chunk_, moves - first));
  }
  bool Change(uint64_t move, Cost& change) override {
    const std::span<const Cost> one = Valued(move, 1);
    if (one.empty()) return false;
    change = one[0];
    return true;
  }
  uint64_t AnyMove(Random& random) override { return random.Below(count_); }

  bool Take(const Step& step) override {
    Neighbour(step.move, child_.data());
    std::swap(state_, child_);
    objective_ += step.change;
    MovedOn();
    return true;
  }
  void Neighbour(uint64_t move, std::byte* out) override {
    problem_.apply(problem_.problem, state_.data(), ops_[move], out);
  }
  Op OpOf(uint64_t move) const override { return ops_[move]; }

  uint64_t MarkOf(uint64_t move) override {
    Neighbour(move, child_.data());
    return HashBytes(child_.data(), info_.state_size);
  }
  uint64_t MarkHere(uint64_t) override { return HashBytes(state_.data(), info_.state_size); }

  void SaveBest() override { std::memcpy(best_.data(), state_.data(), info_.state_size); }
  void CopyBest(std::byte* out) const override { std::memcpy(out, best_.data(), info_.state_size); }

 private:
  void MovedOn() { listed_ = listed_ && info_.same_ops; }

  // The operators of the present state.
  bool List() {
    if (listed_) return true;
    count_ = problem_.ops(problem_.problem, state_.data(), kNoOp, ops_.data(), costs_.data());
    if (count_ > info_.max_ops) return Break("a state has more operators than the problem's max_ops");
    return listed_ = true;
  }

  std::span<const Cost> Valued(uint64_t first, uint64_t count) {
    const auto n = static_cast<uint32_t>(count);
    if (!looks_.Before(runner_, n * (by_states_ ? stride_ : sizeof(Cost)))) {
      Fail(SearchEnd::kStopped);
      return {};
    }
    if (!Count(n)) return {};
    for (uint32_t i = 0; by_states_ && i < n; ++i) Neighbour(first + i, children_.data() + i * stride_);
    heuristic_.Evaluate(state_.data(), objective_, ops_.data() + first, n, children_.data(), stride_, changes_.data());
    for (uint32_t i = 0; i < n; ++i) {
      Cost& change = changes_[i];
      if (change < 0) {
        BreakByNegative(change);
        return {};
      }
      change = change == kInfinity ? kNoStep : change - objective_;
    }
    return {changes_.data(), n};
  }
  bool BreakByNegative(Cost h) { return Break("the heuristic gave a negative h: " + std::to_string(h)); }

  const SpaceInfo info_;
  const SpaceCalls problem_;
  const size_t stride_;
  const bool by_states_;  // children are built to be valued
  const size_t chunk_;
  ChildHeuristic<> heuristic_;
  Looks looks_;
  Block state_;
  Block child_;
  Block best_;
  Block children_;
  std::vector<Op, AccountedAllocator<Op>> ops_;
  std::vector<Cost, AccountedAllocator<Cost>> costs_;
  std::vector<Cost, AccountedAllocator<Cost>> changes_;
  uint32_t count_ = 0;  // of the operators in ops_, where they are listed
  bool listed_ = false;
};

}  // namespace

std::unique_ptr<Neighbourhood> MakeOperatorNeighbourhood(const Task& task, Runner& runner) {
  return std::make_unique<OperatorNeighbourhood>(task, runner);
}

}  // namespace astrolabe::engine
