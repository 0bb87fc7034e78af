#include "daemon/worker/problem_check.h"

#include <algorithm>
#include <cstring>
#include <vector>

#include "daemon/worker/finding.h"
#include "daemon/worker/instance_loader.h"
#include "daemon/worker/local_check.h"
#include "daemon/worker/memory_budget.h"
#include "daemon/worker/plugin_call.h"
#include "daemon/worker/state_buffer.h"

namespace astrolabe::worker {
namespace {

constexpr int kSteps = 32;
// Larger examples are parsed, not walked: the probe has seconds.
constexpr uint64_t kMaxWalkBytes = 64 << 20;

class Walk {
 public:
  explicit Walk(const AbiProblem& problem)
      : problem_(problem),
        vtable_(*problem.vtable()),
        object_(problem.object()),
        size_(problem.info().state_size),
        max_ops_(problem.info().max_ops),
        state_(size_, problem.info().state_align),
        child_(size_, problem.info().state_align),
        // One more than allowed, as a trap for plugins that write beyond it.
        children_(size_, problem.info().state_align, size_t{max_ops_} + 1),
        ops_(size_t{max_ops_} + 1),
        more_ops_(size_t{max_ops_} + 1),
        costs_(size_t{max_ops_} + 1),
        more_costs_(size_t{max_ops_} + 1) {}

  std::optional<Finding> Run() {
    problem_.InitialState(state_.data());
    std::memset(child_.data(), 0xFF, size_);
    problem_.InitialState(child_.data());
    if (!Same(child_.data(), state_.data())) return Finding{"initial_state", "bytes differ from call to call"};
    astro_op last = ASTRO_NO_OP;
    for (int step = 0; step < kSteps; ++step) {
      uint32_t count = 0;
      if (auto finding = CheckState(last, &count)) return finding;
      if (count == 0) return std::nullopt;
      const uint32_t pick = static_cast<uint32_t>(step) % count;
      last = ops_[pick];
      std::memcpy(state_.data(), children_.at(pick), size_);
    }
    return std::nullopt;
  }

 private:
  bool Same(const void* a, const void* b) const { return std::memcmp(a, b, size_) == 0; }

  std::optional<Finding> CheckState(astro_op last, uint32_t* out_count) {
    const uint32_t count =
        CallPlugin("ops", [&] { return vtable_.ops(object_, state_.data(), last, ops_.data(), costs_.data()); });
    if (count > max_ops_) {
      return Finding{"ops <= max_ops",
                     std::to_string(count) + " operators, but max_ops is " + std::to_string(max_ops_)};
    }
    const uint32_t expanded = CallPlugin("expand", [&] {
      return vtable_.expand(object_, state_.data(), last, more_ops_.data(), more_costs_.data(), children_.data(),
                            children_.stride());
    });
    if (expanded != count || !std::equal(ops_.begin(), ops_.begin() + count, more_ops_.begin())) {
      return Finding{"expand equals ops", "other operators, or another order"};
    }
    for (uint32_t i = 0; i < count; ++i) {
      if (auto finding = CheckOp(i)) return finding;
    }
    *out_count = count;
    return std::nullopt;
  }

  std::optional<Finding> CheckOp(uint32_t i) {
    const astro_op op = ops_[i];
    const std::string name = "operator " + std::to_string(op);
    if (op == ASTRO_NO_OP) return Finding{"operators are not ASTRO_NO_OP", name};
    if (costs_[i] < 0 || costs_[i] > problem_.info().max_op_cost || costs_[i] != more_costs_[i]) {
      return Finding{"costs are 0 to max_op_cost, the same in ops and expand",
                     name + " costs " + std::to_string(costs_[i])};
    }
    if (problem_.info().unit_cost && costs_[i] != 1) {
      return Finding{"unit costs", name + " costs " + std::to_string(costs_[i])};
    }
    // What is left of an earlier state must not show in the new one.
    std::memset(child_.data(), 0xA5, size_);
    CallPlugin("apply", [&] { vtable_.apply(object_, state_.data(), op, child_.data()); });
    if (!Same(child_.data(), children_.at(i))) {
      return Finding{"canonical bytes: apply equals expand", "the states after " + name + " differ"};
    }
    std::memcpy(child_.data(), state_.data(), size_);
    const std::optional<engine::Cost> cost = problem_.ApplyInPlace(child_.data(), op);
    if (!cost) return Finding{"apply_in_place accepts what ops gives", name + " was refused"};
    if (*cost != costs_[i] || !Same(child_.data(), children_.at(i))) {
      return Finding{"apply_in_place equals apply", name + " gives another state or cost"};
    }
    const astro_op inverse = CallPlugin("inverse_op", [&] { return vtable_.inverse_op(object_, op); });
    if (inverse == ASTRO_NO_OP) {
      if (!problem_.info().undirected) return std::nullopt;
      return Finding{"undirected: every operator has an inverse", name + " has none"};
    }
    const std::optional<engine::Cost> back = problem_.ApplyInPlace(child_.data(), inverse);
    if (!back || !Same(child_.data(), state_.data())) {
      return Finding{"inverse_op undoes", name + " and its inverse do not lead back"};
    }
    if (problem_.info().undirected && *back != *cost) return Finding{"undirected: inverses cost the same", name};
    return std::nullopt;
  }

  const AbiProblem& problem_;
  const astro_problem_v1& vtable_;
  const void* const object_;
  const size_t size_;
  const uint32_t max_ops_;
  StateBuffer state_;
  StateBuffer child_;
  StateBuffer children_;
  std::vector<astro_op> ops_;
  std::vector<astro_op> more_ops_;
  std::vector<int64_t> costs_;
  std::vector<int64_t> more_costs_;
};

LoadFault Violation(const std::string& test, const std::string& found) {
  LoadFault fault;
  fault.code = "CONTRACT_VIOLATION";
  fault.stage = "parse";
  fault.message = "the plugin breaks its contract, seen on the first example of its manifest";
  fault.expected = test;
  fault.found = found;
  fault.hint = "see the comments of the headers astrolabe/abi/";
  return fault;
}

}  // namespace

MaybeFault CheckProblem(const WorkerContext& worker, const std::string& plugin, const ProblemRef& problem,
                        const ManifestProblem& manifest) {
  worker.stage->Enter(plugin, "parse");
  MemoryBudget budget(0);
  JobServices services;
  services.frames = worker.frames;
  services.log = worker.log;
  services.cache = worker.cache;
  services.budget = &budget;
  const HostServices host(services, plugin, "");
  const ParamList params(ProtoParams(), manifest.defaults);
  DiagnosticCollector diagnostics("instance");
  auto parsed = ParseInstance({&problem, plugin, *manifest.first_example, &params, &host}, diagnostics, nullptr);
  if (const auto* refusal = std::get_if<Refusal>(&parsed)) {
    const std::string why =
        refusal->kind == Refusal::Kind::kPluginFailed ? refusal->failure.message() : diagnostics.Summary();
    return Violation("parse accepts the manifest's first example of \"" + problem.id + "\"", why);
  }
  const AbiProblem& instance = *std::get<std::unique_ptr<AbiProblem>>(parsed);
  worker.stage->Enter(plugin, "search");
  const uint64_t walk_bytes = (uint64_t{instance.info().max_ops} + 1) * (instance.info().state_size + 24);
  if (instance.info().max_ops > 0 && walk_bytes <= kMaxWalkBytes) {
    if (const auto finding = Walk(instance).Run()) return Violation(finding->test, finding->found);
  }
  if (instance.info().state_size <= kMaxWalkBytes) {
    if (const auto finding = CheckLocalProblem(instance)) return Violation(finding->test, finding->found);
  }
  const auto canonical = instance.CanonicalText(1 << 20);
  if (!canonical) return std::nullopt;
  DiagnosticCollector again("instance");
  auto reparsed = ParseInstance({&problem, plugin, *canonical, &params, &host}, again, nullptr);
  const auto* same = std::get_if<std::unique_ptr<AbiProblem>>(&reparsed);
  if (same == nullptr || (*same)->Fingerprint() != instance.Fingerprint()) {
    return Violation("parse of canonical_text gives an equal problem", again.Summary());
  }
  return std::nullopt;
}

}  // namespace astrolabe::worker
