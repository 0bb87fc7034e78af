#include "tests/daemon/server/fake_jobs.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <thread>

namespace astrolabe::server {

void FakeLog::Push(jobs::EncodedEvent event) {
  {
    const std::lock_guard lock(mutex_);
    events_.push_back(std::move(event));
  }
  Notify();
}

void FakeLog::Push(const v1::Event& event, bool last) { Push({event.SerializeAsString(), nullptr, last}); }

void FakeLog::PushResult(const std::string& job, v1::Outcome outcome) {
  v1::Event event;
  event.set_job(job);
  event.mutable_result()->set_outcome(outcome);
  Push(event, true);
}

void FakeLog::Fail(Error error) {
  {
    const std::lock_guard lock(mutex_);
    error_ = std::move(error);
  }
  Notify();
}

void FakeLog::SetEndless(jobs::EncodedEvent event) {
  {
    const std::lock_guard lock(mutex_);
    endless_ = std::move(event);
  }
  Notify();
}

int FakeLog::taken() const {
  const std::lock_guard lock(mutex_);
  return taken_;
}

bool FakeLog::WaitUntilTaken(int count, std::chrono::seconds timeout) {
  std::unique_lock lock(mutex_);
  return changed_.wait_for(lock, timeout, [&] { return taken_ >= count; });
}

bool FakeLog::WaitUntilClosed(std::chrono::seconds timeout) {
  std::unique_lock lock(mutex_);
  return changed_.wait_for(lock, timeout, [&] { return closed_; });
}

void FakeLog::Notify() {
  const std::lock_guard running(notify_mutex_);
  const std::function<void()> ready = ready_;
  if (ready) ready();
}

FakeWatch::Next FakeWatch::Poll(jobs::EncodedEvent* out, Error* error) {
  const std::lock_guard lock(log_->mutex_);
  if (log_->error_) {
    *error = *log_->error_;
    return Next::kError;
  }
  if (log_->events_.empty() && !log_->endless_) return Next::kWait;
  if (log_->events_.empty()) {
    *out = *log_->endless_;
  } else {
    *out = std::move(log_->events_.front());
    log_->events_.pop_front();
  }
  ++log_->taken_;
  log_->changed_.notify_all();
  return Next::kEvent;
}

void FakeWatch::SetNotify(std::function<void()> ready) {
  const std::lock_guard running(log_->notify_mutex_);
  log_->ready_ = std::move(ready);
}

void FakeWatch::Close() {
  {
    const std::lock_guard running(log_->notify_mutex_);
    log_->ready_ = nullptr;
  }
  const std::lock_guard lock(log_->mutex_);
  log_->closed_ = true;
  log_->changed_.notify_all();
}

FakeJobs::Seen FakeJobs::seen() const {
  const std::lock_guard lock(mutex_);
  return seen_;
}

std::shared_ptr<FakeLog> FakeJobs::log(int job) const {
  const std::lock_guard lock(mutex_);
  const auto found = logs_.find("jobs/" + std::to_string(job));
  return found == logs_.end() ? nullptr : found->second;
}

bool FakeJobs::WaitForCancel(const std::string& name, std::chrono::seconds timeout) {
  std::unique_lock lock(mutex_);
  return changed_.wait_for(lock, timeout, [&] {
    return std::find(seen_.cancelled.begin(), seen_.cancelled.end(), name) != seen_.cancelled.end();
  });
}

bool FakeJobs::WaitForJobs(size_t count, std::chrono::seconds timeout) {
  std::unique_lock lock(mutex_);
  return changed_.wait_for(lock, timeout, [&] { return logs_.size() >= count; });
}

bool FakeJobs::WaitForDroppedValidation(std::chrono::seconds timeout) {
  std::unique_lock lock(mutex_);
  return changed_.wait_for(lock, timeout, [&] { return seen_.validations_dropped > 0; });
}

void FakeJobs::Called(const std::string& what) const {
  const std::lock_guard lock(mutex_);
  seen_.calls.push_back(what);
}

Result<v1::JobSpec> FakeJobs::CheckSpec(const v1::JobSpec& spec) const {
  if (refuse) return *refuse;
  v1::JobSpec checked = spec;
  checked.mutable_algorithm()->set_id("filled_in");
  return checked;
}

Result<std::string> FakeJobs::Admit(const v1::JobSpec& spec, const jobs::CreateOptions& options,
                                    std::shared_ptr<FakeLog>* log) {
  if (refuse) return *refuse;
  *log = std::make_shared<FakeLog>();
  const std::lock_guard lock(mutex_);
  if (draining_) {
    Error error = MakeError(ErrorCode::kUnavailable, "DRAINING", "the server is draining");
    error.retry_after = std::chrono::milliseconds(1500);
    return error;
  }
  seen_.specs.push_back(spec);
  seen_.options.push_back(options);
  const std::string name = "jobs/" + std::to_string(logs_.size() + 1);
  logs_[name] = *log;
  changed_.notify_all();
  return name;
}

Result<std::string> FakeJobs::CreateJob(const v1::JobSpec& spec, const jobs::CreateOptions& options) {
  std::shared_ptr<FakeLog> log;
  return Admit(spec, options, &log);
}

Result<jobs::JobService::Solving> FakeJobs::Solve(const v1::JobSpec& spec, const jobs::CreateOptions& options,
                                                  const v1::WatchOptions& watch) {
  std::shared_ptr<FakeLog> log;
  Result<std::string> name = Admit(spec, options, &log);
  if (!name.ok()) return name.error();
  {
    const std::lock_guard lock(mutex_);
    seen_.watches.push_back(watch);
  }
  if (on_solve) on_solve(log.get(), std::stoi(name->substr(5)));
  Solving out;
  out.name = *name;
  out.watch = std::make_unique<FakeWatch>(log);
  return out;
}

Result<std::unique_ptr<jobs::Watch>> FakeJobs::WatchJob(std::string_view name, int64_t from, const v1::WatchOptions&) {
  Called("WatchJob " + std::string(name) + " from " + std::to_string(from));
  const std::lock_guard lock(mutex_);
  const auto found = logs_.find(name);
  if (found == logs_.end()) return MakeError(ErrorCode::kNotFound, "UNKNOWN_JOB", "no such job");
  return std::unique_ptr<jobs::Watch>(std::make_unique<FakeWatch>(found->second));
}

Result<v1::Job> FakeJobs::GetJob(std::string_view name) const {
  const std::lock_guard lock(mutex_);
  if (logs_.find(name) == logs_.end()) return MakeError(ErrorCode::kNotFound, "UNKNOWN_JOB", "no such job");
  v1::Job job;
  job.set_name(std::string(name));
  return job;
}

Result<v1::ListJobsResponse> FakeJobs::ListJobs(const v1::ListJobsRequest& request) const {
  Called("ListJobs " + std::to_string(request.page_size()));
  const std::lock_guard lock(mutex_);
  v1::ListJobsResponse out;
  for (const auto& [name, log] : logs_) out.add_jobs()->set_name(name);
  return out;
}

Result<v1::Job> FakeJobs::CancelJob(std::string_view name) {
  std::shared_ptr<FakeLog> log;
  {
    const std::lock_guard lock(mutex_);
    seen_.cancelled.emplace_back(name);
    const auto found = logs_.find(name);
    if (found != logs_.end()) log = found->second;
    changed_.notify_all();
  }
  if (!log) return MakeError(ErrorCode::kNotFound, "UNKNOWN_JOB", "no such job");
  log->PushResult(std::string(name), v1::OUTCOME_CANCELLED);
  v1::Job job;
  job.set_name(std::string(name));
  job.set_cancel_requested(true);
  return job;
}

Status FakeJobs::DeleteJob(std::string_view name) {
  Called("DeleteJob " + std::string(name));
  return {};
}

Result<v1::Job> FakeJobs::UpdateJob(const v1::UpdateJobRequest& request) {
  v1::Job job;
  job.set_name(request.name());
  job.mutable_spec()->set_priority(request.priority());
  return job;
}

Result<v1::ListPathStepsResponse> FakeJobs::ListPathSteps(const v1::ListPathStepsRequest& request) const {
  v1::ListPathStepsResponse out;
  out.set_total(request.page_size());
  return out;
}

Result<std::shared_ptr<const std::string>> FakeJobs::ReadContent(std::string_view, v1::ContentPart) const {
  return std::make_shared<const std::string>(content);
}

std::shared_ptr<void> FakeJobs::Handle() {
  return {new int(0), [this](void* number) {
            delete static_cast<int*>(number);
            const std::lock_guard lock(mutex_);
            ++seen_.validations_dropped;
            changed_.notify_all();
          }};
}

// Asks for pieces on a thread of its own, as a worker's reader thread does.
class FakeJobs::FakePathFeed final : public jobs::PathFeed {
 public:
  FakePathFeed(std::shared_ptr<void> handle, int moves_wanted, std::function<void()> wanted,
               std::function<void(Result<v1::ValidatePathResponse>)> done)
      : handle_(std::move(handle)),
        thread_([pieces = pieces_, moves_wanted, wanted = std::move(wanted), done = std::move(done)] {
          Run(*pieces, moves_wanted, wanted, done);
        }) {}
  ~FakePathFeed() override {
    {
      const std::lock_guard lock(pieces_->mutex);
      pieces_->gone = true;
      pieces_->changed.notify_all();
    }
    // Dropped by its own thread from inside `wanted` or `done`.
    if (thread_.get_id() == std::this_thread::get_id()) {
      thread_.detach();
    } else {
      thread_.join();
    }
  }

  void Send(v1::ValidatePathRequest piece, bool last) override {
    const std::lock_guard lock(pieces_->mutex);
    EXPECT_FALSE(pieces_->next.has_value()) << "one piece at a time";
    pieces_->next = std::move(piece);
    pieces_->last = last;
    pieces_->changed.notify_all();
  }

 private:
  // What the thread uses: it may go on for a moment when the feed is gone.
  struct Pieces {
    std::mutex mutex;
    std::condition_variable changed;
    std::optional<v1::ValidatePathRequest> next;
    bool last = false;
    bool gone = false;
  };

  static void Run(Pieces& pieces, int moves_wanted, const std::function<void()>& wanted,
                  const std::function<void(Result<v1::ValidatePathResponse>)>& done) {
    v1::ValidatePathResponse response;
    response.set_valid(true);
    for (bool last = false; !last;) {
      wanted();
      std::unique_lock lock(pieces.mutex);
      pieces.changed.wait(lock, [&pieces] { return pieces.gone || pieces.next.has_value(); });
      if (pieces.gone) return;
      for (const uint32_t op : pieces.next->ops()) response.set_cost(response.cost() + op);
      response.set_length(response.length() + pieces.next->ops_size() + pieces.next->op_names_size());
      last = pieces.last || (moves_wanted > 0 && response.length() >= moves_wanted);
      pieces.next.reset();
    }
    done(response);
  }

  const std::shared_ptr<void> handle_;
  const std::shared_ptr<Pieces> pieces_ = std::make_shared<Pieces>();
  std::thread thread_;
};

std::shared_ptr<jobs::PathFeed> FakeJobs::ValidatePath(const v1::InstanceRef&, std::function<void()> wanted,
                                                       std::function<void(Result<v1::ValidatePathResponse>)> done) {
  struct SilentFeed final : jobs::PathFeed {
    explicit SilentFeed(std::shared_ptr<void> handle) : handle(std::move(handle)) {}
    void Send(v1::ValidatePathRequest, bool) override { ADD_FAILURE() << "no piece was wanted"; }
    const std::shared_ptr<void> handle;
  };
  {
    const std::lock_guard lock(mutex_);
    ++seen_.paths;
  }
  if (refuse) done(*refuse);
  if (refuse || validate_waits) return std::make_shared<SilentFeed>(Handle());
  return std::make_shared<FakePathFeed>(Handle(), path_moves_wanted, std::move(wanted), std::move(done));
}

std::shared_ptr<void> FakeJobs::EvaluateStates(const v1::EvaluateStatesRequest& request,
                                               std::function<void(Result<v1::EvaluateStatesResponse>)> done) {
  const std::shared_ptr<void> handle = Handle();
  if (validate_waits) return handle;
  if (refuse) {
    done(*refuse);
  } else {
    v1::EvaluateStatesResponse response;
    for (const std::string& state : request.states()) response.add_evaluations()->set_state("state " + state);
    done(response);
  }
  return handle;
}

std::shared_ptr<void> FakeJobs::ValidateInstance(const v1::InstanceRef& instance,
                                                 std::function<void(Result<v1::ValidateInstanceResponse>)> done) {
  const std::shared_ptr<void> handle = Handle();
  if (validate_waits) return handle;
  if (refuse) {
    done(*refuse);
  } else {
    v1::ValidateInstanceResponse response;
    response.set_canonical_text("canonical " + instance.text());
    done(response);
  }
  return handle;
}

void FakeJobs::Drain(std::chrono::milliseconds timeout) {
  std::map<std::string, std::shared_ptr<FakeLog>, std::less<>> logs;
  {
    const std::lock_guard lock(mutex_);
    draining_ = true;
    seen_.drains.push_back(timeout);
    logs = logs_;
    changed_.notify_all();
  }
  for (const auto& [name, log] : logs) log->PushResult(name, v1::OUTCOME_INTERRUPTED);
}

bool FakeJobs::draining() const {
  const std::lock_guard lock(mutex_);
  return draining_;
}

}  // namespace astrolabe::server
