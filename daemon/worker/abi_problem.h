// AbiProblem: a parsed instance of a plugin's problem, as the engine sees it.
#ifndef ASTROLABE_DAEMON_WORKER_ABI_PROBLEM_H_
#define ASTROLABE_DAEMON_WORKER_ABI_PROBLEM_H_

#include <array>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "astrolabe/abi/construct.h"
#include "astrolabe/abi/distance.h"
#include "astrolabe/abi/factored.h"
#include "astrolabe/abi/facts.h"
#include "astrolabe/abi/ida.h"
#include "astrolabe/abi/problem.h"
#include "astrolabe/abi/random_state.h"
#include "astrolabe/abi/reversed.h"
#include "astrolabe/v1/solver.pb.h"
#include "daemon/engine/domain.h"
#include "daemon/worker/diagnostics.h"
#include "daemon/worker/plugin_checks.h"

namespace astrolabe::worker {

class AbiProblem : public engine::StateSpace {
 public:
  static constexpr uint32_t kMaxStateSize = 16u << 20;

  // Takes `problem`, which parse of `ref` made, and destroys it in the end. `plugin` is blamed for
  // broken contracts.
  AbiProblem(const ProblemRef& ref, std::string plugin, void* problem);
  ~AbiProblem() override;
  AbiProblem(const AbiProblem&) = delete;
  AbiProblem& operator=(const AbiProblem&) = delete;

  // Empty, or what in the plugin's info or in an extension breaks the contract. Nothing else may be called then.
  const std::string& defect() const { return defect_; }

  const astro_problem_v1* vtable() const { return vtable_; }
  const void* object() const { return object_; }
  const std::string& plugin() const { return plugin_; }
  const std::string& state_layout() const { return state_layout_; }
  // What makes the reversed problem of this one (ABI extension astro.problem.reversed/1). Null: nothing does.
  const astro_problem_reversed_v1* reversed_calls() const { return reversed_; }

  void InitialState(void* out) const override;
  bool GoalState(void* out) const override;
  // False of a problem without a goal test.
  bool IsGoal(const void* state) const;
  // Asks the plugin once.
  engine::SolvableAnswer IsSolvable() const override;
  std::optional<engine::Cost> ApplyInPlace(void* state, engine::Op op) const override;
  std::string RenderState(const void* state) const override;
  bool HasKernel(const engine::Evaluator& evaluator) const override;
  bool HasAdditiveKernel(const engine::Evaluator& evaluator) const override;
  bool KernelTakesRoots() const override;
  engine::KernelIteration RunKernel(const engine::Evaluator& evaluator, engine::KernelMode mode,
                                    const engine::KernelRoots& roots, engine::Cost bound, uint32_t max_depth,
                                    const engine::KernelControl& limits, engine::KernelPoll& poll) const override;

  bool HasConstruct() const override { return construct_ != nullptr; }
  engine::Construction Construct(engine::OpSink& sink) const override;
  std::unique_ptr<engine::Distance> OpenDistance() const override;

  std::optional<engine::FactoredInfo> Factored() const override { return factored_info_; }
  void ValuesOf(const void* state, uint32_t* out_values) const override;
  void StateOf(const uint32_t* values, void* out_state) const override;
  std::string RenderStep(uint32_t variable, uint32_t value) const override;
  bool HasRandomState() const override { return random_state_ != nullptr; }
  void RandomState(uint64_t seed, void* out_state) const override;

  // A state in the problem's own text. Unless ASTRO_OK, *out is unspecified.
  astro_status ParseState(std::string_view text, const DiagnosticCollector& diagnostics, void* out) const;

  // At most max_bytes; nullopt when it would be longer.
  std::optional<std::string> RenderStateBounded(const void* state, size_t max_bytes) const;
  std::string RenderOp(engine::Op op) const;
  // For people: the step of a factored problem that the operator is, else RenderOp.
  std::string OpWords(engine::Op op) const;
  // What the problem knows of a state (ABI extension astro.problem.facts/1), at most max_bytes in all. Sets *left_out
  // when some were too large.
  std::vector<v1::Fact> Facts(const void* state, size_t max_bytes, bool* left_out) const;
  std::optional<std::string> CanonicalText(size_t max_bytes) const;
  std::string Describe() const;
  std::array<uint8_t, 32> Fingerprint() const;
  std::string FingerprintHex() const;

 private:
  // Each: empty, or what breaks the contract.
  std::string ReadInfo();
  std::string ReadExtensions();
  std::string ReadDistance(const void* extension);
  std::string ReadLocalExtensions();

  const astro_problem_v1* const vtable_;
  const std::string plugin_;
  const std::string state_layout_;
  void* const object_;
  const astro_problem_ida_v1* kernel_ = nullptr;
  const astro_problem_reversed_v1* reversed_ = nullptr;
  const astro_problem_construct_v1* construct_ = nullptr;
  const astro_problem_distance_v1* distance_ = nullptr;
  const astro_problem_facts_v1* facts_ = nullptr;
  const astro_problem_factored_v1* factored_ = nullptr;
  const astro_problem_random_state_v1* random_state_ = nullptr;
  std::optional<engine::FactoredInfo> factored_info_;
  std::string defect_;
  mutable std::mutex mutex_;
  mutable std::optional<engine::SolvableAnswer> solvable_;
};

}  // namespace astrolabe::worker

#endif  // ASTROLABE_DAEMON_WORKER_ABI_PROBLEM_H_
