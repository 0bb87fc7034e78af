// A JobService whose jobs do what the test says: events are pushed by hand, calls are recorded.
#ifndef ASTROLABE_TESTS_DAEMON_SERVER_FAKE_JOBS_H_
#define ASTROLABE_TESTS_DAEMON_SERVER_FAKE_JOBS_H_

#include <condition_variable>
#include <deque>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "daemon/jobs/job_service.h"

namespace astrolabe::server {

// The events of one job, read by one watch. Thread-safe.
class FakeLog {
 public:
  void Push(jobs::EncodedEvent event);
  void Push(const v1::Event& event, bool last = false);
  void PushResult(const std::string& job, v1::Outcome outcome);
  void Fail(Error error);  // the next Poll says so
  // How many events the watch has taken.
  int taken() const;
  bool WaitUntilTaken(int count, std::chrono::seconds timeout = std::chrono::seconds(20));
  bool WaitUntilClosed(std::chrono::seconds timeout = std::chrono::seconds(20));
  // Pushes this for ever, whenever the watch asks.
  void SetEndless(jobs::EncodedEvent event);

 private:
  friend class FakeWatch;
  void Notify();

  mutable std::mutex mutex_;
  std::condition_variable changed_;
  std::deque<jobs::EncodedEvent> events_;
  std::optional<jobs::EncodedEvent> endless_;
  std::optional<Error> error_;
  int taken_ = 0;
  bool closed_ = false;
  std::recursive_mutex notify_mutex_;  // held while ready_ runs, so that Close can wait for it
  std::function<void()> ready_;
};

class FakeWatch final : public jobs::Watch {
 public:
  explicit FakeWatch(std::shared_ptr<FakeLog> log) : log_(std::move(log)) {}
  ~FakeWatch() override { Close(); }
  Next Poll(jobs::EncodedEvent* out, Error* error) override;
  void SetNotify(std::function<void()> ready) override;
  void Close() override;

 private:
  const std::shared_ptr<FakeLog> log_;
};

class FakeJobs final : public jobs::JobService {
 public:
  // --- what the test sets (before the calls) and reads
  std::optional<Error> refuse;                      // CreateJob, Solve, CheckSpec
  std::function<void(FakeLog*, int job)> on_solve;  // fills the log of job n (from 1)
  std::string content;
  std::vector<v1::AlgorithmInfo> algorithms;
  bool validate_waits = false;  // also EvaluateStates; ValidatePath wants no piece
  // ValidatePath ends as soon as it has so many moves; 0: at the last piece.
  int path_moves_wanted = 0;

  struct Seen {
    std::vector<v1::JobSpec> specs;
    std::vector<jobs::CreateOptions> options;
    std::vector<v1::WatchOptions> watches;
    std::vector<std::string> cancelled;
    std::vector<std::string> calls;
    std::vector<std::chrono::milliseconds> drains;
    int validations_dropped = 0;  // and evaluations, and paths
    int paths = 0;                // calls of ValidatePath
  };
  Seen seen() const;
  std::shared_ptr<FakeLog> log(int job) const;
  bool WaitForCancel(const std::string& name, std::chrono::seconds timeout = std::chrono::seconds(20));
  bool WaitForJobs(size_t count, std::chrono::seconds timeout = std::chrono::seconds(20));
  bool WaitForDroppedValidation(std::chrono::seconds timeout = std::chrono::seconds(20));

  // --- JobService
  Result<v1::JobSpec> CheckSpec(const v1::JobSpec& spec) const override;
  Result<std::string> CreateJob(const v1::JobSpec& spec, const jobs::CreateOptions& options) override;
  Result<Solving> Solve(const v1::JobSpec& spec, const jobs::CreateOptions& options,
                        const v1::WatchOptions& watch) override;
  Result<std::unique_ptr<jobs::Watch>> WatchJob(std::string_view name, int64_t from,
                                                const v1::WatchOptions& options) override;
  Result<v1::Job> GetJob(std::string_view name) const override;
  Result<v1::ListJobsResponse> ListJobs(const v1::ListJobsRequest& request) const override;
  Result<v1::Job> CancelJob(std::string_view name) override;
  Status DeleteJob(std::string_view name) override;
  Result<v1::Job> UpdateJob(const v1::UpdateJobRequest& request) override;
  Result<v1::ListPathStepsResponse> ListPathSteps(const v1::ListPathStepsRequest& request) const override;
  Result<std::shared_ptr<const std::string>> ReadContent(std::string_view name, v1::ContentPart part) const override;
  std::shared_ptr<void> ValidateInstance(const v1::InstanceRef& instance,
                                         std::function<void(Result<v1::ValidateInstanceResponse>)> done) override;
  std::shared_ptr<void> EvaluateStates(const v1::EvaluateStatesRequest& request,
                                       std::function<void(Result<v1::EvaluateStatesResponse>)> done) override;
  std::shared_ptr<jobs::PathFeed> ValidatePath(const v1::InstanceRef& instance, std::function<void()> wanted,
                                               std::function<void(Result<v1::ValidatePathResponse>)> done) override;
  std::vector<v1::AlgorithmInfo> Algorithms() const override { return algorithms; }
  jobs::JobsLoad load() const override { return {3, 4}; }
  void Drain(std::chrono::milliseconds timeout) override;
  bool draining() const override;

 private:
  // Counts its destruction in validations_dropped.
  std::shared_ptr<void> Handle();
  class FakePathFeed;
  Result<std::string> Admit(const v1::JobSpec& spec, const jobs::CreateOptions& options, std::shared_ptr<FakeLog>* log);
  void Called(const std::string& what) const;

  mutable std::mutex mutex_;
  mutable std::condition_variable changed_;
  mutable Seen seen_;
  std::map<std::string, std::shared_ptr<FakeLog>, std::less<>> logs_;
  bool draining_ = false;
};

}  // namespace astrolabe::server

#endif  // ASTROLABE_TESTS_DAEMON_SERVER_FAKE_JOBS_H_
