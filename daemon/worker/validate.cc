#include "daemon/worker/validate.h"

#include "daemon/worker/instance_work.h"
#include "daemon/worker/result_builder.h"
#include "daemon/worker/state_buffer.h"

namespace astrolabe::worker {
namespace {

constexpr size_t kMaxCanonical = 256 << 10;

v1::Solvable ToProto(engine::Solvable solvable) {
  switch (solvable) {
    case engine::Solvable::kYes:
      return v1::SOLVABLE_YES;
    case engine::Solvable::kNo:
      return v1::SOLVABLE_NO;
    case engine::Solvable::kUnknown:
      break;
  }
  return v1::SOLVABLE_UNKNOWN;
}

void Describe(const WorkerContext& worker, const AbiProblem& problem, v1::ValidateInstanceResponse& out) {
  if (auto text = problem.CanonicalText(kMaxCanonical)) {
    out.set_canonical_text(*std::move(text));
  } else {
    out.add_notes("the canonical text is left out: it is above 256 KiB");
  }
  out.set_size(problem.Describe());
  out.set_state_bytes(static_cast<int64_t>(problem.info().state_size));
  out.set_fingerprint(problem.FingerprintHex());
  StateBuffer state(problem.info().state_size, problem.info().state_align);
  if (!problem.info().no_start) {
    problem.InitialState(state.data());
    bool left_out = false;
    for (v1::Fact& fact : problem.Facts(state.data(), kMaxInlineFacts, &left_out)) *out.add_facts() = std::move(fact);
    if (left_out) out.add_notes(kFactsLeftOut);
    out.set_initial_is_goal(problem.IsGoal(state.data()));
    if (auto text = problem.RenderStateBounded(state.data(), kMaxInlineState)) out.set_initial_state(*std::move(text));
  }
  if (!problem.info().no_goal_test && problem.GoalState(state.data())) {
    if (auto text = problem.RenderStateBounded(state.data(), kMaxInlineState)) out.set_goal_state(*std::move(text));
  }
  worker.stage->Enter(problem.plugin(), "solvable");
  const engine::SolvableAnswer answer = problem.IsSolvable();
  out.set_solvable(ToProto(answer.solvable));
  out.set_reason(answer.reason);
}

}  // namespace

void RunValidate(const WorkerContext& worker, const internal::v1::Validate& request) {
  internal::v1::ToDaemon message;
  internal::v1::ValidateDone& done = *message.mutable_validated();
  done.set_request(request.request());
  RunAndSend(worker, message, [&] {
    InstanceWork work(worker);
    const bool loaded = work.Load(request.instance(), request.plugins());
    for (const std::string& note : work.notes()) done.mutable_response()->add_notes(note);
    if (loaded) Describe(worker, work.problem(), *done.mutable_response());
    PutFault(work.fault(), done);
    return work.RecycleReason();
  });
}

}  // namespace astrolabe::worker
