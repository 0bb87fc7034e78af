// Looking at jobs.
#include <algorithm>
#include <set>
#include <utility>

#include "daemon/jobs/convert.h"
#include "daemon/jobs/fault_list.h"
#include "daemon/jobs/job_service_impl.h"
#include "daemon/jobs/limit_check.h"
#include "daemon/jobs/page.h"
#include "daemon/jobs/path_steps.h"
#include "daemon/jobs/text.h"

namespace astrolabe::jobs {
namespace {

constexpr size_t kMaxListBytes = 900 << 10;

Error NotDone(const Job& job) {
  return MakeError(ErrorCode::kFailedPrecondition, "JOB_NOT_DONE",
                   job.name + " is " + std::string(StateName(job.state.state())) + ": wait for its result");
}

bool Matches(const Job& job, const std::set<int>& states, const v1::ListJobsRequest& request) {
  if (!states.empty() && states.count(ToProto(job.state.state())) == 0) return false;
  return std::all_of(request.labels().begin(), request.labels().end(), [&](const auto& label) {
    const auto found = job.spec->labels().find(label.first);
    return found != job.spec->labels().end() && found->second == label.second;
  });
}

class WorkerPathFeed final : public PathFeed {
 public:
  explicit WorkerPathFeed(std::shared_ptr<ShortRunHandle> run) : run_(std::move(run)) {}

  void Send(v1::ValidatePathRequest piece, bool last) override {
    internal::v1::ToWorker frame;
    internal::v1::PathPiece& moves = *frame.mutable_path_piece();
    moves.mutable_ops()->Swap(piece.mutable_ops());
    moves.mutable_op_names()->Swap(piece.mutable_op_names());
    moves.set_last(last);
    run_->Send(frame);
  }

 private:
  const std::shared_ptr<ShortRunHandle> run_;
};

Error Draining() { return MakeError(ErrorCode::kUnavailable, "DRAINING", "the server shuts down"); }

}  // namespace

Result<JobPtr> JobServiceImpl::FindLocked(std::string_view name) const {
  if (JobPtr job = table_.Find(name)) return job;
  return MakeError(ErrorCode::kNotFound, "UNKNOWN_JOB",
                   "there is no job '" + CleanText(name, 80) + "' (finished ones are kept for a while only)");
}

JobView JobServiceImpl::ViewLocked(const Job& job) const { return JobView(job, queue_.Position(job)); }

Result<v1::Job> JobServiceImpl::GetJob(std::string_view name) const {
  std::optional<JobView> view;
  {
    std::lock_guard lock(mu_);
    Result<JobPtr> job = FindLocked(name);
    if (!job.ok()) return std::move(job).error();
    view = ViewLocked(**job);
  }
  return view->Full();
}

Result<v1::ListJobsResponse> JobServiceImpl::ListJobs(const v1::ListJobsRequest& request) const {
  Result<Page> page = ParsePage(request.page_size(), request.page_token(), {.unset = 50, .most = 1000});
  if (!page.ok()) return std::move(page).error();
  std::set<int> states;
  FaultList faults;
  for (int i = 0; i < request.states_size(); ++i) {
    if (!FromProto(request.states(i))) faults.Invalid("states[" + std::to_string(i) + "]", "is no known state");
    states.insert(request.states(i));
  }
  if (!faults.empty()) return faults.ToError();
  std::vector<std::pair<int64_t, JobView>> views;
  bool more = false;
  {
    std::lock_guard lock(mu_);
    table_.Newest(page->start, [&](const JobPtr& job) {
      if (!Matches(*job, states, request)) return true;
      more = static_cast<int64_t>(views.size()) == page->size;
      if (!more) views.emplace_back(job->order, ViewLocked(*job));
      return !more;
    });
  }
  v1::ListJobsResponse response;
  size_t bytes = 0;
  int64_t last = 0;
  for (const auto& [order, view] : views) {
    v1::Job job = view.Brief();
    bytes += job.ByteSizeLong() + 8;
    if (response.jobs_size() > 0 && bytes > kMaxListBytes) {
      more = true;
      break;
    }
    *response.add_jobs() = std::move(job);
    last = order;
  }
  // The next page holds what is older than the last one here.
  if (more) response.set_next_page_token(std::to_string(last));
  return response;
}

Result<std::unique_ptr<Watch>> JobServiceImpl::WatchJob(std::string_view name, int64_t from_sequence,
                                                        const v1::WatchOptions& options) {
  FaultList faults;
  if (from_sequence < 0) faults.Invalid("from_sequence", "expected a number of at least 0");
  CheckWatch(options, &faults);
  if (!faults.empty()) return faults.ToError();
  std::shared_ptr<EventLog> log;
  {
    std::lock_guard lock(mu_);
    Result<JobPtr> job = FindLocked(name);
    if (!job.ok()) return std::move(job).error();
    log = (*job)->log;
  }
  return log->Attach(from_sequence, options, v1::OVERFLOW_DROP);
}

Result<v1::ListPathStepsResponse> JobServiceImpl::ListPathSteps(const v1::ListPathStepsRequest& request) const {
  std::shared_ptr<const v1::Result> result;
  Content content;
  {
    std::lock_guard lock(mu_);
    Result<JobPtr> job = FindLocked(request.name());
    if (!job.ok()) return std::move(job).error();
    if (!(*job)->state.done()) return NotDone(**job);
    result = (*job)->result;
    content = (*job)->content;
  }
  return PathSteps(request, *result, content.get());
}

Result<std::shared_ptr<const std::string>> JobServiceImpl::ReadContent(std::string_view name,
                                                                       v1::ContentPart part) const {
  std::shared_ptr<const v1::Result> result;
  Content content;
  {
    std::lock_guard lock(mu_);
    Result<JobPtr> job = FindLocked(name);
    if (!job.ok()) return std::move(job).error();
    if (!(*job)->state.done()) return NotDone(**job);
    result = (*job)->result;
    content = (*job)->content;
  }
  return ContentPart(part, *result, content);
}

std::shared_ptr<void> JobServiceImpl::ValidateInstance(const v1::InstanceRef& instance,
                                                       std::function<void(Result<v1::ValidateInstanceResponse>)> done) {
  const std::shared_ptr<const registry::Catalog> catalog = registry_->catalog();
  Result<v1::InstanceRef> checked =
      draining() ? Result<v1::InstanceRef>(Draining()) : CheckInstance(instance, Context(*catalog));
  if (!checked.ok()) return short_runs_.Refuse(std::move(checked).error(), ValidateRequest({}, std::move(done)));
  PluginPins pins = PinPlugins(*catalog, checked->problem(), {});
  return short_runs_.Start(ValidateRequest(*std::move(checked), std::move(done)), std::move(pins));
}

std::shared_ptr<void> JobServiceImpl::EvaluateStates(const v1::EvaluateStatesRequest& request,
                                                     std::function<void(Result<v1::EvaluateStatesResponse>)> done) {
  const std::shared_ptr<const registry::Catalog> catalog = registry_->catalog();
  Result<v1::EvaluateStatesRequest> checked =
      draining() ? Result<v1::EvaluateStatesRequest>(Draining()) : CheckEvaluate(request, Context(*catalog));
  if (!checked.ok()) return short_runs_.Refuse(std::move(checked).error(), EvaluateRequest({}, std::move(done)));
  std::vector<std::string> heuristics;
  for (const v1::HeuristicUse& use : checked->heuristics()) heuristics.push_back(use.id());
  PluginPins pins = PinPlugins(*catalog, checked->instance().problem(), heuristics);
  return short_runs_.Start(EvaluateRequest(*std::move(checked), std::move(done)), std::move(pins));
}

std::shared_ptr<PathFeed> JobServiceImpl::ValidatePath(const v1::InstanceRef& instance, std::function<void()> wanted,
                                                       std::function<void(Result<v1::ValidatePathResponse>)> done) {
  const std::shared_ptr<const registry::Catalog> catalog = registry_->catalog();
  Result<v1::InstanceRef> checked =
      draining() ? Result<v1::InstanceRef>(Draining()) : CheckInstance(instance, Context(*catalog));
  if (!checked.ok()) {
    return std::make_shared<WorkerPathFeed>(
        path_runs_.Refuse(std::move(checked).error(), PathRequest({}, std::move(wanted), std::move(done))));
  }
  PluginPins pins = PinPlugins(*catalog, checked->problem(), {});
  return std::make_shared<WorkerPathFeed>(
      path_runs_.Start(PathRequest(*std::move(checked), std::move(wanted), std::move(done)), std::move(pins)));
}

}  // namespace astrolabe::jobs
