// Neighbours of a state by the operators of an ordinary problem: its children. The objective is h.
#include <cstring>
#include <vector>

#include "daemon/engine/algorithms/expander.h"
#include "daemon/engine/local/neighbourhood.h"
#include "daemon/engine/structures/layout.h"
#include "daemon/engine/structures/memory_account.h"
#include "daemon/engine/structures/state_hash.h"

namespace astrolabe::engine {
namespace {

class OperatorNeighbourhood final : public Neighbourhood {
 public:
  OperatorNeighbourhood(const Task& task, Runner& runner)
      : Neighbourhood(runner),
        state_bytes_(task.space.info().state_size),
        expander_(task.space, &task.evaluator, task.memory),
        state_(task.memory, StateStride(task.space.info())),
        best_(task.memory, StateStride(task.space.info())),
        changes_(AccountedAllocator<Cost>(task.memory)) {
    changes_.reserve(task.space.info().max_ops);
  }

  bool Bind(const std::byte* state) override {
    std::memcpy(state_.data(), state, state_bytes_);
    expanded_ = false;
    objective_ = expander_.Evaluate(runner_, state_.data());
    return objective_ >= 0 || Fail(SearchEnd::kBroken);
  }
  const std::byte* State() override { return state_.data(); }
  bool state_is_at_hand() const override { return true; }

  uint64_t Moves() override { return Expand() ? changes_.size() : 0; }
  bool HasNeighbours() override { return Moves() > 0; }
  std::span<const Cost> Changes(uint64_t first) override {
    if (!Expand()) return {};
    return std::span<const Cost>(changes_).subspan(first);
  }
  bool Change(uint64_t move, Cost& change) override {
    if (!Expand()) return false;
    change = changes_[move];
    return true;
  }
  uint64_t AnyMove(Random& random) override { return random.Below(changes_.size()); }

  bool Take(const Step& step) override {
    if (!Expand()) return false;
    std::memcpy(state_.data(), expander_.children()[step.move].state, state_bytes_);
    objective_ += step.change;
    expanded_ = false;
    return true;
  }
  void Neighbour(uint64_t move, std::byte* out) override {
    std::memcpy(out, expander_.children()[move].state, state_bytes_);
  }
  Op OpOf(uint64_t move) const override { return expander_.children()[move].op; }

  uint64_t MarkOf(uint64_t move) override { return HashBytes(expander_.children()[move].state, state_bytes_); }
  uint64_t MarkHere(uint64_t) override { return HashBytes(state_.data(), state_bytes_); }

  void SaveBest() override { std::memcpy(best_.data(), state_.data(), state_bytes_); }
  void CopyBest(std::byte* out) const override { std::memcpy(out, best_.data(), state_bytes_); }

 private:
  bool Expand() {
    if (expanded_) return true;
    changes_.clear();
    // Heuristics are not asked for the children of a dead end.
    if (objective_ == kInfinity) return expanded_ = true;
    if (SearchEnd end = expander_.Expand(runner_, state_.data(), kNoOp, 0, objective_); end != SearchEnd::kExhausted) {
      return Fail(end);
    }
    for (const Child& child : expander_.children()) {
      changes_.push_back(child.h == kInfinity ? kNoStep : child.h - objective_);
    }
    return expanded_ = true;
  }

  const size_t state_bytes_;
  Expander expander_;
  Block state_;
  Block best_;
  bool expanded_ = false;
  std::vector<Cost, AccountedAllocator<Cost>> changes_;
};

}  // namespace

std::unique_ptr<Neighbourhood> MakeOperatorNeighbourhood(const Task& task, Runner& runner) {
  return std::make_unique<OperatorNeighbourhood>(task, runner);
}

}  // namespace astrolabe::engine
