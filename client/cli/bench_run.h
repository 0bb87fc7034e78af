// The loop of `bench`: each instance with each configuration, one job after another.
#ifndef ASTROLABE_CLIENT_CLI_BENCH_RUN_H_
#define ASTROLABE_CLIENT_CLI_BENCH_RUN_H_

#include <condition_variable>
#include <functional>
#include <map>
#include <mutex>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "astrolabe/client/client.h"
#include "client/cli/bench_instances.h"
#include "client/cli/bench_row.h"
#include "client/cli/progress_line.h"
#include "client/cli/solve_options.h"

namespace astrolabe::cli {

struct BenchPlan {
  InstanceOptions instance;  // problem, goal and parameters; its file is not looked at
  std::vector<BenchInstance> instances;
  std::vector<std::string> labels;             // of the searches
  std::vector<client::SolveRequest> searches;  // without problem and instance; one a configuration
  int repeats = 1;
};

class BenchRun {
 public:
  using OnInstance = std::function<void(const std::vector<BenchRow>& rows)>;
  using OnRow = std::function<void(const BenchRow& row)>;

  BenchRun(BenchPlan plan, client::Client* client, ProgressLine* progress);

  // A server without room for a job is asked again as often as it says so.
  // Calls on_row after each run (its repeats together) and on_instance after those of one instance, also when they
  // could not all be made. What happens to one run is its row's business; this fails before the first row when the
  // server refuses a configuration, and later only when no further run is possible (the server is gone or leaving).
  absl::Status Run(const OnRow& on_row, const OnInstance& on_instance);

  // Cancels the running job, whose row says so, and makes no further run. From any thread.
  void Stop();
  bool stopped() const;
  // Of the first run that was not made or lost; OK: every row has an outcome.
  const absl::Status& first_error() const { return first_error_; }

 private:
  absl::StatusOr<LoadedInstance> Load(const BenchInstance& instance);
  absl::Status CheckSearches(const LoadedInstance& instance);
  BenchRow RunOne(const BenchInstance& instance, const absl::StatusOr<LoadedInstance>& loaded, size_t config);
  absl::StatusOr<client::EventStream> StartWhenThereIsRoom(const client::SolveRequest& request);
  absl::StatusOr<client::Result> SolveOnce(const client::SolveRequest& request);
  client::SolveRequest Request(const LoadedInstance& instance, size_t config) const;
  void SetCurrent(client::EventStream* stream);

  const BenchPlan plan_;
  client::Client* const client_;
  ProgressLine* const progress_;
  std::map<std::string, client::Params> params_;  // typed, by problem
  size_t runs_done_ = 0;
  absl::Status first_error_;

  mutable std::mutex mutex_;  // for what Stop touches
  client::EventStream* current_ = nullptr;
  bool stop_ = false;
  std::condition_variable stopped_;
};

}  // namespace astrolabe::cli

#endif  // ASTROLABE_CLIENT_CLI_BENCH_RUN_H_
