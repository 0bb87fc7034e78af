// Neighbours of a factored state by their own states: for objectives that judge states and know no steps.
#include <algorithm>
#include <string>

#include "daemon/engine/local/factored.h"
#include "daemon/engine/local/looks.h"
#include "daemon/engine/structures/layout.h"

namespace astrolabe::engine {
namespace {

constexpr uint64_t kStatesBytes = 64 << 10;

class StatesNeighbourhood final : public FactoredNeighbourhood {
 public:
  StatesNeighbourhood(const Task& task, Runner& runner, const FactoredInfo& info)
      : FactoredNeighbourhood(task, runner, info),
        calls_(task.evaluator.calls()),
        stride_(StateStride(task.space.info())),
        chunk_(std::clamp<uint64_t>(kStatesBytes / stride_, 1, std::min<uint64_t>(Moves(), 256))),
        states_(task.memory, chunk_ * stride_),
        h_(chunk_, AccountedAllocator<Cost>(task.memory)),
        changes_(chunk_, AccountedAllocator<Cost>(task.memory)),
        row_(AccountedAllocator<Cost>(task.memory)) {}

  bool state_is_at_hand() const override { return true; }

  std::span<const Cost> Changes(uint64_t first) override { return Valued(first, std::min(chunk_, Moves() - first)); }

  std::span<const Cost> Row(uint32_t variable) override {
    row_.clear();
    const uint64_t end = MoveTo(variable, 0) + info_.values;
    for (uint64_t move = MoveTo(variable, 0); move < end;) {
      const std::span<const Cost> some = Valued(move, std::min(chunk_, end - move));
      if (some.empty()) return {};
      row_.insert(row_.end(), some.begin(), some.end());
      move += some.size();
    }
    return row_;
  }

  bool Delta(uint32_t variable, uint32_t value, Cost& change) override {
    const std::span<const Cost> one = Valued(MoveTo(variable, value), 1);
    if (one.empty()) return false;
    change = one[0];
    return true;
  }

  bool InConflict(uint32_t) const override { return true; }

 private:
  std::span<const Cost> Valued(uint64_t first, uint64_t count) {
    uint64_t n = 0;
    for (uint64_t move = first; move < first + count; ++move) {
      if (values_[VariableOf(move)] != ValueOf(move)) Neighbour(move, states_.data() + n++ * stride_);
    }
    if (!looks_.Before(runner_, n * stride_)) {
      Fail(SearchEnd::kStopped);
      return {};
    }
    if (!Count(n)) return {};
    if (n > 0) calls_.eval_batch(calls_.context, n, states_.data(), stride_, h_.data());
    uint64_t next = 0;
    for (uint64_t i = 0; i < count; ++i) {
      const uint64_t move = first + i;
      changes_[i] = kNoStep;
      if (values_[VariableOf(move)] == ValueOf(move)) continue;
      const Cost h = h_[next++];
      if (h < 0) {
        Break("the heuristic gave a negative h: " + std::to_string(h));
        return {};
      }
      if (h != kInfinity) changes_[i] = h - objective_;
    }
    return {changes_.data(), count};
  }

  bool Follow(const std::byte* state) override {
    objective_ = calls_.eval(calls_.context, state);
    return objective_ >= 0 || Break("the heuristic gave a negative h: " + std::to_string(objective_));
  }

  bool Advance(uint32_t, uint32_t, Cost change) override {
    objective_ += change;
    return true;
  }

  const EvaluatorCalls calls_;
  const size_t stride_;
  const uint64_t chunk_;
  Looks looks_;
  Block states_;
  Vector<Cost> h_;
  Vector<Cost> changes_;
  Vector<Cost> row_;
};

}  // namespace

std::unique_ptr<FactoredNeighbourhood> MakeStatesNeighbourhood(const Task& task, Runner& runner,
                                                               const FactoredInfo& info) {
  return std::make_unique<StatesNeighbourhood>(task, runner, info);
}

}  // namespace astrolabe::engine
