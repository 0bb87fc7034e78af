// AbiProblem's depth-first kernel: astro.problem.ida/1 behind the engine's interface.
#include <memory>

#include "daemon/worker/abi_heuristic.h"
#include "daemon/worker/abi_problem.h"
#include "daemon/worker/crash_reporter.h"

namespace astrolabe::worker {
namespace {

struct PollBridge {
  astro_control_v1 control{};
  engine::KernelPoll* poll = nullptr;

  static int32_t Poll(astro_control_v1* control, uint64_t expanded, uint64_t generated) noexcept {
    auto& bridge = *static_cast<PollBridge*>(control->ctx);
    engine::KernelControl limits{control->expand_limit, control->generate_limit};
    const bool go_on = bridge.poll->Poll(limits, expanded, generated);
    control->expand_limit = limits.expand_limit;
    control->generate_limit = limits.generate_limit;
    return go_on ? 1 : 0;
  }
};

engine::KernelIteration::End EndOf(int32_t end, const std::string& plugin) {
  using End = engine::KernelIteration::End;
  switch (end) {
    case ASTRO_IDA_EXHAUSTED:
      return End::kExhausted;
    case ASTRO_IDA_FOUND:
      return End::kFound;
    case ASTRO_IDA_STOPPED:
      return End::kStopped;
    case ASTRO_IDA_TOO_DEEP:
      return End::kTooDeep;
    default:
      FailProcess("CONTRACT_VIOLATION", plugin, "ida.run", "the kernel returned " + std::to_string(end));
  }
}

// The initial state in the way that every kernel knows.
void SetRoots(const engine::KernelRoots& roots, astro_ida_v1& call) {
  if (roots.is_initial()) {
    call.root = roots.states;
    call.root_h = roots.h[0];
    call.root_aux = roots.aux;
    return;
  }
  call.n_roots = roots.count;
  call.roots = roots.states;
  call.root_stride = roots.stride;
  call.root_hs = roots.h;
  call.root_gs = roots.g;
  call.root_last_ops = roots.last_op;
  call.root_auxs = roots.aux;
}

const AbiEvaluator* Ours(const engine::Evaluator& evaluator) { return dynamic_cast<const AbiEvaluator*>(&evaluator); }

}  // namespace

bool AbiProblem::HasKernel(const engine::Evaluator& evaluator) const {
  const AbiEvaluator* ours = Ours(evaluator);
  return kernel_ != nullptr && ours != nullptr && (ours->calls().eval_ops != nullptr || ours->table() != nullptr);
}

bool AbiProblem::HasAdditiveKernel(const engine::Evaluator& evaluator) const {
  const AbiEvaluator* ours = Ours(evaluator);
  return kernel_ != nullptr && ours != nullptr && ours->table() != nullptr;
}

bool AbiProblem::KernelTakesRoots() const {
  return kernel_ != nullptr && (kernel_->flags & ASTRO_IDA_TAKES_ROOTS) != 0;
}

engine::KernelIteration AbiProblem::RunKernel(const engine::Evaluator& evaluator, engine::KernelMode mode,
                                              const engine::KernelRoots& roots, engine::Cost bound, uint32_t max_depth,
                                              const engine::KernelControl& limits, engine::KernelPoll& poll) const {
  const AbiEvaluator& ours = *Ours(evaluator);
  const auto path = std::make_unique_for_overwrite<astro_op[]>(max_depth);
  PollBridge bridge;
  bridge.poll = &poll;
  bridge.control.struct_size = sizeof bridge.control;
  bridge.control.ctx = &bridge;
  bridge.control.expand_limit = limits.expand_limit;
  bridge.control.generate_limit = limits.generate_limit;
  bridge.control.poll = &PollBridge::Poll;

  astro_ida_v1 call{};
  call.struct_size = sizeof call;
  if (mode != engine::KernelMode::kEvaluate && ours.table() != nullptr) call.additive |= ASTRO_IDA_TABLE;
  if (call.additive != 0 && mode == engine::KernelMode::kTableAnyOrder) call.additive |= ASTRO_IDA_ANY_ORDER;
  call.heuristic = ours.vtable();
  call.context = ours.calls().context;
  call.aux_size = static_cast<uint32_t>(ours.info().aux_size);
  call.path_cap = max_depth;
  call.table = call.additive != 0 ? ours.table() : nullptr;
  SetRoots(roots, call);
  call.bound = bound;
  call.control = &bridge.control;
  call.path = path.get();

  engine::KernelIteration iteration;
  iteration.end = EndOf(kernel_->run(object_, &call), plugin_);
  iteration.expanded = call.expanded;
  iteration.generated = call.generated;
  iteration.next_bound = call.next_bound;
  iteration.used_additive = call.used_additive != 0;
  if (iteration.end == engine::KernelIteration::End::kFound) {
    if (call.path_len > max_depth) {
      FailProcess("CONTRACT_VIOLATION", plugin_, "ida.run", "the kernel's path is longer than its room");
    }
    if (call.n_roots > 0 && call.found_root >= call.n_roots) {
      FailProcess("CONTRACT_VIOLATION", plugin_, "ida.run", "the kernel's path begins at no root");
    }
    iteration.found_root = call.found_root;
    iteration.path.assign(path.get(), path.get() + call.path_len);
    iteration.path_cost = call.path_cost;
  }
  return iteration;
}

}  // namespace astrolabe::worker
