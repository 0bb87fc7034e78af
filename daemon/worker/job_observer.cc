#include "daemon/worker/job_observer.h"

#include "daemon/worker/result_builder.h"

namespace astrolabe::worker {

namespace {

internal::v1::ToDaemon StateFrame(v1::JobState state) {
  internal::v1::ToDaemon message;
  message.mutable_state()->set_state(state);
  return message;
}

}  // namespace

void SendJobState(FrameWriter& frames, v1::JobState state) { frames.Send(StateFrame(state)); }
void HoldJobState(FrameWriter& frames, v1::JobState state) { frames.Hold(StateFrame(state)); }

JobObserver::JobObserver(FrameWriter* frames, StageTracker* stage, NodeStream* nodes, std::string plugin,
                         int64_t plugin_memory)
    : frames_(frames), stage_(stage), nodes_(nodes), plugin_(std::move(plugin)), plugin_memory_(plugin_memory) {}

void JobObserver::SendInOrder(const internal::v1::ToDaemon& message) {
  if (nodes_ != nullptr) nodes_->Flush();
  frames_->Send(message);
}

void JobObserver::OnProgress(const engine::Progress& progress) {
  internal::v1::ToDaemon message;
  v1::Progress& out = *message.mutable_progress();
  out.set_expanded(progress.expanded);
  out.set_generated(progress.generated);
  out.set_expanded_per_second(progress.expanded_per_second);
  out.set_generated_per_second(progress.generated_per_second);
  out.set_open(progress.open);
  out.set_stored(progress.stored);
  out.set_f_bound(progress.f_bound);
  out.set_best_h(progress.best_h);
  if (progress.incumbent) out.set_incumbent(*progress.incumbent);
  out.set_memory_bytes(progress.memory_bytes + plugin_memory_);
  out.set_state(v1::JOB_STATE_SEARCHING);
  frames_->Send(message);
}

void JobObserver::OnIteration(const engine::IterationStats& iteration) {
  internal::v1::ToDaemon message;
  FillIteration(iteration, *message.mutable_iteration());
  SendInOrder(message);
}

void JobObserver::OnImprovement(const engine::Improvement& improvement) {
  internal::v1::ToDaemon message;
  v1::Improvement& out = *message.mutable_improvement();
  out.set_cost(improvement.cost);
  if (improvement.lower_bound) out.set_lower_bound(*improvement.lower_bound);
  out.set_bound_factor(improvement.bound_factor);
  out.set_length(improvement.length);
  SendInOrder(message);
}

void JobObserver::OnFinishing() {
  if (nodes_ != nullptr) nodes_->Flush();
  HoldJobState(*frames_, v1::JOB_STATE_FINISHING);
  stage_->Enter(plugin_, "replay");
}

}  // namespace astrolabe::worker
