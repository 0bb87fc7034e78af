// FactoredNeighbourhood: states that are a value for each variable. A move gives one variable another value; its number
// is variable * values + value.
#ifndef ASTROLABE_DAEMON_ENGINE_LOCAL_FACTORED_H_
#define ASTROLABE_DAEMON_ENGINE_LOCAL_FACTORED_H_

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "daemon/engine/local/neighbourhood.h"
#include "daemon/engine/structures/block.h"
#include "daemon/engine/structures/memory_account.h"

namespace astrolabe::engine {

class FactoredNeighbourhood : public Neighbourhood {
 public:
  uint32_t variables() const { return info_.variables; }
  uint32_t values() const { return info_.values; }
  uint32_t value_of(uint32_t variable) const { return values_[variable]; }
  uint64_t MoveTo(uint32_t variable, uint32_t value) const { return uint64_t{variable} * info_.values + value; }

  // The changes for every value of one variable; as Changes.
  virtual std::span<const Cost> Row(uint32_t variable) = 0;
  // False: another value for this variable is of no use.
  virtual bool InConflict(uint32_t variable) const = 0;
  // Goes to a neighbour to see what lies behind it, and is to be taken back by a Probe with the value before, for
  // -change. As Take.
  [[nodiscard]] bool Probe(uint32_t variable, uint32_t value, Cost change) { return Move(variable, value, change); }
  // Change of one move, by its parts.
  [[nodiscard]] virtual bool Delta(uint32_t variable, uint32_t value, Cost& change) = 0;
  // Changes for some values of one variable. As Change.
  [[nodiscard]] virtual bool Sample(uint32_t variable, std::span<const uint32_t> values, Cost* changes) {
    for (size_t i = 0; i < values.size(); ++i) {
      if (!Delta(variable, values[i], changes[i])) return false;
    }
    return true;
  }

  bool Bind(const std::byte* state) override;
  const std::byte* State() override;
  uint64_t Moves() override { return uint64_t{info_.variables} * info_.values; }
  uint64_t AnyMove(Random& random) override;
  bool HasNeighbours() override { return info_.values > 1; }
  bool Change(uint64_t move, Cost& change) override { return Delta(VariableOf(move), ValueOf(move), change); }
  bool Take(const Step& step) override;
  bool IsPresent(uint64_t move) override { return values_[VariableOf(move)] == ValueOf(move); }
  void Neighbour(uint64_t move, std::byte* out) override;
  Op OpOf(uint64_t move) const override { return numbered_ ? static_cast<Op>(move) : kNoOp; }
  std::optional<FactoredStep> StepOf(uint64_t move) const override {
    return FactoredStep{VariableOf(move), ValueOf(move)};
  }
  uint64_t MarkOf(uint64_t move) override { return move; }
  uint64_t MarkHere(uint64_t move) override;
  void SaveBest() override;
  void CopyBest(std::byte* out) const override;

 protected:
  FactoredNeighbourhood(const Task& task, Runner& runner, const FactoredInfo& info);

  template <typename T>
  using Vector = std::vector<T, AccountedAllocator<T>>;

  // What Bind and Move do besides: sets objective_, or fails.
  virtual bool Follow(const std::byte* state) = 0;
  virtual bool Advance(uint32_t variable, uint32_t value, Cost change) = 0;

  uint32_t VariableOf(uint64_t move) const { return static_cast<uint32_t>(move / info_.values); }
  uint32_t ValueOf(uint64_t move) const { return static_cast<uint32_t>(move % info_.values); }

  const Task& task_;
  const FactoredInfo info_;
  Vector<uint32_t> values_;

 private:
  bool Move(uint32_t variable, uint32_t value, Cost change);
  // The variable differs from the best state now.
  void Touch(uint32_t variable) {
    if (touched_.size() == touched_.capacity()) {
      all_touched_ = true;
    } else {
      touched_.push_back(variable);
    }
  }

  const bool numbered_;  // every move is an operator
  Block state_;
  bool state_is_present_ = false;
  Vector<uint32_t> best_;
  Vector<uint32_t> touched_;  // variables changed since best_ was taken, in a capacity that never grows
  bool all_touched_ = true;
};

std::unique_ptr<FactoredNeighbourhood> MakeTrailNeighbourhood(const Task& task, Runner& runner,
                                                              const FactoredInfo& info);
std::unique_ptr<FactoredNeighbourhood> MakeStatesNeighbourhood(const Task& task, Runner& runner,
                                                               const FactoredInfo& info);
// Of the task's space, which is factored.
std::unique_ptr<FactoredNeighbourhood> MakeFactoredNeighbourhood(const Task& task, Runner& runner);

}  // namespace astrolabe::engine

#endif  // ASTROLABE_DAEMON_ENGINE_LOCAL_FACTORED_H_
