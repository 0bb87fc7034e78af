#include "daemon/worker/check_path.h"

#include <algorithm>

#include "daemon/worker/instance_work.h"
#include "daemon/worker/path_replay.h"
#include "daemon/worker/result_builder.h"

namespace astrolabe::worker {
namespace {

internal::v1::PathPiece AskForPiece(const WorkerContext& worker, int64_t request, const NextPathPiece& next) {
  internal::v1::ToDaemon message;
  message.mutable_path_wanted()->set_request(request);
  worker.frames->Send(message);
  return next();
}

// False at the first violation.
bool MakeMoves(const internal::v1::PathPiece& piece, PathReplay& replay) {
  const auto make = [&replay](const auto& move) { return replay.Move(move); };
  return std::ranges::all_of(piece.ops(), make) && std::ranges::all_of(piece.op_names(), make);
}

void Check(const WorkerContext& worker, const AbiProblem& problem, int64_t request, const NextPathPiece& next,
           v1::ValidatePathResponse& out) {
  PathReplay replay(problem);
  bool valid = true;
  for (bool last = false; valid && !last;) {
    worker.stage->Enter("", "wait for moves");  // whoever is late, it is no plugin
    const internal::v1::PathPiece piece = AskForPiece(worker, request, next);
    last = piece.last();
    worker.stage->Enter(problem.plugin(), "replay");
    valid = MakeMoves(piece, replay);
  }
  out.set_valid(valid);
  out.set_reaches_goal(valid && replay.AtGoal());
  out.set_cost(replay.cost());
  out.set_cost_scale(problem.info().cost_scale);
  out.set_length(replay.length());
  out.set_first_violation(valid ? -1 : replay.length());
  if (!valid) out.set_violation(replay.violation());
  if (auto text = problem.RenderStateBounded(replay.state(), kMaxInlineState)) {
    out.set_final_state(*std::move(text));
  } else {
    out.add_notes("the final state is left out: its text is above 64 KiB");
  }
}

}  // namespace

void RunCheckPath(const WorkerContext& worker, const internal::v1::CheckPath& request, const NextPathPiece& next) {
  internal::v1::ToDaemon message;
  internal::v1::CheckPathDone& done = *message.mutable_path_checked();
  done.set_request(request.request());
  RunAndSend(worker, message, [&] {
    InstanceWork work(worker);
    const bool loaded = work.Load(request.instance(), request.plugins());
    if (loaded) Check(worker, work.problem(), request.request(), next, *done.mutable_response());
    for (const std::string& note : work.notes()) done.mutable_response()->add_notes(note);
    PutFault(work.fault(), done);
    return work.RecycleReason();
  });
}

}  // namespace astrolabe::worker
