// Neighbours of a factored state by an objective that follows it.
#include <algorithm>
#include <new>
#include <string>

#include "daemon/engine/local/factored.h"

namespace astrolabe::engine {
namespace {

// Neighbours valued at once: so many that the calls cost nothing, so few that they stay in the first cache.
constexpr uint64_t kChunk = 2048;

class TrailNeighbourhood final : public FactoredNeighbourhood {
 public:
  TrailNeighbourhood(const Task& task, Runner& runner, const FactoredInfo& info)
      : FactoredNeighbourhood(task, runner, info),
        trail_(task.evaluator.OpenTrail()),
        chunk_variables_(static_cast<uint32_t>(std::clamp<uint64_t>(kChunk / info.values, 1, info.variables))),
        changes_(AccountedAllocator<Cost>(task.memory)) {
    if (trail_ == nullptr) throw std::bad_alloc();
    calls_ = trail_->calls();
  }

  bool state_is_at_hand() const override { return false; }

  std::span<const Cost> Changes(uint64_t first) override {
    const uint32_t variable = VariableOf(first);
    return Valued(variable, std::min(chunk_variables_, info_.variables - variable));
  }
  std::span<const Cost> Row(uint32_t variable) override { return Valued(variable, 1); }

  bool Delta(uint32_t variable, uint32_t value, Cost& change) override {
    if (!Count(1)) return false;
    change = calls_.delta(calls_.trail, variable, value);
    return true;
  }

  bool Sample(uint32_t variable, std::span<const uint32_t> values, Cost* changes) override {
    if (calls_.sample == nullptr) return FactoredNeighbourhood::Sample(variable, values, changes);
    if (!Count(values.size())) return false;
    calls_.sample(calls_.trail, variable, static_cast<uint32_t>(values.size()), values.data(), changes);
    return true;
  }

  bool InConflict(uint32_t variable) const override {
    return calls_.in_conflict == nullptr || calls_.in_conflict(calls_.trail, variable) != 0;
  }

 private:
  std::span<const Cost> Valued(uint32_t first, uint32_t count) {
    if (!Count(uint64_t{count} * (info_.values - 1))) return {};
    const size_t n = size_t{count} * info_.values;
    if (changes_.size() < n) changes_.resize(size_t{chunk_variables_} * info_.values);
    calls_.deltas(calls_.trail, first, count, changes_.data());
    Cost* row = changes_.data();
    for (uint32_t i = 0; i < count; ++i, row += info_.values) row[values_[first + i]] = kNoStep;
    return {changes_.data(), n};
  }

  bool Follow(const std::byte*) override {
    calls_.bind(calls_.trail, values_.data());
    objective_ = calls_.objective(calls_.trail);
    return objective_ >= 0 || Break("the objective is negative: " + std::to_string(objective_));
  }

  bool Advance(uint32_t variable, uint32_t value, Cost change) override {
    calls_.commit(calls_.trail, variable, value);
    const Cost promised = objective_ + change;
    objective_ = calls_.objective(calls_.trail);
    if (objective_ == promised && objective_ >= 0) return true;
    return Break("the objective is " + std::to_string(objective_) + " after a step that was to make it " +
                 std::to_string(promised));
  }

  const std::unique_ptr<Trail> trail_;
  TrailCalls calls_;
  const uint32_t chunk_variables_;
  Vector<Cost> changes_;
};

}  // namespace

std::unique_ptr<FactoredNeighbourhood> MakeTrailNeighbourhood(const Task& task, Runner& runner,
                                                              const FactoredInfo& info) {
  return std::make_unique<TrailNeighbourhood>(task, runner, info);
}

}  // namespace astrolabe::engine
