// n queens for the engine's tests: the complete-state formulation, with an objective that follows a state, and the
// incremental one, for counting.
#ifndef ASTROLABE_TESTS_DAEMON_ENGINE_QUEENS_DOMAIN_H_
#define ASTROLABE_TESTS_DAEMON_ENGINE_QUEENS_DOMAIN_H_

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "daemon/engine/domain.h"

namespace astrolabe::engine::testing {

// A space with neither operators nor kernel: the part that all factored spaces of the tests have in common.
class FactoredSpace : public StateSpace {
 public:
  bool GoalState(void*) const override { return false; }
  SolvableAnswer IsSolvable() const override { return {}; }
  std::optional<Cost> ApplyInPlace(void*, Op) const override { return std::nullopt; }
  std::string RenderState(const void*) const override { return ""; }
  bool HasKernel(const Evaluator&) const override { return false; }
  bool HasAdditiveKernel(const Evaluator&) const override { return false; }
  KernelIteration RunKernel(const Evaluator&, KernelMode, const KernelRoots&, Cost, uint32_t, const KernelControl&,
                            KernelPoll&) const override {
    return {};
  }
  std::optional<FactoredInfo> Factored() const override { return factored_; }
  void ValuesOf(const void* state, uint32_t* out) const override;
  void StateOf(const uint32_t* values, void* out) const override;
  bool HasRandomState() const override { return random_; }
  void RandomState(uint64_t seed, void* out) const override;

  // Tests spoil them.
  SpaceInfo& mutable_info() { return info_; }
  SpaceCalls& mutable_calls() { return calls_; }
  void set_random(bool random) { random_ = random; }

 protected:
  FactoredSpace(uint32_t variables, uint32_t values);

 private:
  FactoredInfo factored_;
  bool random_ = true;
};

// The state is the row of each column's queen, counted from 0, in 32-bit words.
class QueensSpace final : public FactoredSpace {
 public:
  // rows empty: no start.
  explicit QueensSpace(uint32_t n, std::vector<uint32_t> rows = {});

  void InitialState(void* out) const override { StateOf(rows_.data(), out); }
  SolvableAnswer IsSolvable() const override;
  uint32_t n() const { return n_; }

 private:
  uint32_t n_;
  std::vector<uint32_t> rows_;
};

// Pairs of queens that attack each other, counted from scratch.
Cost AttackingPairs(const uint32_t* rows, uint32_t n, uint32_t row_weight = 1);

// With `trail`, it follows states; else it judges them one by one.
class QueensObjective final : public Evaluator {
 public:
  // A pair in a row counts row_weight times.
  explicit QueensObjective(const QueensSpace& space, bool trail = true, uint32_t row_weight = 1);
  bool HasTrail() const override { return trail_; }
  std::unique_ptr<Trail> OpenTrail() const override;

 private:
  static const QueensObjective& Of(const void* context) { return *static_cast<const QueensObjective*>(context); }
  Cost Value(const void* state) const { return AttackingPairs(static_cast<const uint32_t*>(state), n_, row_weight_); }

  uint32_t n_;
  uint32_t row_weight_;
  bool trail_;
};

// Queens placed column by column: operators are rows, goals have all of them.
// says_tree false: the space does not tell that no two ways lead to one state.
class PlacingSpace final : public StateSpace {
 public:
  explicit PlacingSpace(uint32_t n, bool says_tree = true);

  void InitialState(void* out) const override;
  bool GoalState(void*) const override { return false; }
  SolvableAnswer IsSolvable() const override { return {}; }
  std::optional<Cost> ApplyInPlace(void* state, Op op) const override;
  std::string RenderState(const void*) const override { return ""; }
  bool HasKernel(const Evaluator&) const override { return false; }
  bool HasAdditiveKernel(const Evaluator&) const override { return false; }
  KernelIteration RunKernel(const Evaluator&, KernelMode, const KernelRoots&, Cost, uint32_t, const KernelControl&,
                            KernelPoll&) const override {
    return {};
  }
};

}  // namespace astrolabe::engine::testing

#endif  // ASTROLABE_TESTS_DAEMON_ENGINE_QUEENS_DOMAIN_H_
