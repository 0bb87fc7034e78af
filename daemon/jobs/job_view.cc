#include "daemon/jobs/job_view.h"

#include "daemon/jobs/convert.h"
#include "daemon/jobs/copy_without.h"
#include "daemon/jobs/text.h"

namespace astrolabe::jobs {
namespace {

constexpr size_t kMaxJobBytes = 1000 << 10;
constexpr size_t kMaxBriefState = 1 << 10;

}  // namespace

v1::JobSpec WithoutInstance(const v1::JobSpec& spec) {
  return CopyWithout(spec, {v1::JobSpec::kTextFieldNumber, v1::JobSpec::kDataFieldNumber});
}

v1::Result WithoutPath(const v1::Result& result) {
  v1::Result out = CopyWithout(
      result, {v1::Result::kPathFieldNumber, v1::Result::kInitialStateFieldNumber, v1::Result::kFinalStateFieldNumber});
  if (result.initial_state().size() <= kMaxBriefState) out.set_initial_state(result.initial_state());
  if (result.final_state().size() <= kMaxBriefState) out.set_final_state(result.final_state());
  return out;
}

JobView::JobView(const Job& job, int queue_position)
    : spec_(job.spec), result_(job.result), limits_(job.limits), priority_(job.priority) {
  facts_.set_name(job.name);
  facts_.set_state(ToProto(job.state.state()));
  *facts_.mutable_create_time() = ToProto(job.create_time);
  if (job.start_time) *facts_.mutable_start_time() = ToProto(*job.start_time);
  if (job.end_time) *facts_.mutable_end_time() = ToProto(*job.end_time);
  *facts_.mutable_progress() = job.progress;
  facts_.set_queue_position(queue_position);
  const EventLog::Facts log = job.log->facts();
  facts_.set_first_sequence(log.first_sequence);
  facts_.set_last_sequence(log.last_sequence);
  facts_.set_cancel_requested(job.cancel_requested);
  facts_.set_request_id(job.request_id);
}

v1::Job JobView::Common() const {
  v1::Job out = facts_;
  *out.mutable_spec() = WithoutInstance(*spec_);
  *out.mutable_spec()->mutable_limits() = limits_;
  out.mutable_spec()->set_priority(priority_);
  return out;
}

v1::Job JobView::Full() const {
  v1::Job out = Common();
  if (spec_->text().size() + spec_->data().size() <= kMaxInlineBytes) {
    if (spec_->has_text()) out.mutable_spec()->set_text(spec_->text());
    if (spec_->has_data()) out.mutable_spec()->set_data(spec_->data());
  }
  if (result_) *out.mutable_result() = *result_;
  if (out.ByteSizeLong() > kMaxJobBytes) out.mutable_spec()->clear_instance();
  if (out.ByteSizeLong() > kMaxJobBytes && out.result().has_path()) {
    const int64_t length = out.result().path().length();
    out.mutable_result()->clear_path();
    out.mutable_result()->mutable_path()->set_length(length);
    out.mutable_result()->mutable_path()->set_truncated(true);
  }
  return out;
}

v1::Job JobView::Brief() const {
  v1::Job out = Common();
  if (result_) *out.mutable_result() = WithoutPath(*result_);
  return out;
}

}  // namespace astrolabe::jobs
