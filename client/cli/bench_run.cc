#include "client/cli/bench_run.h"

#include <utility>

#include "astrolabe/client/errors.h"

namespace astrolabe::cli {
namespace {

// No further run can succeed either.
bool IsFatal(const absl::Status& status) {
  const std::string reason = client::Reason(status);
  return reason == client::kReasonConnectionLost || reason == client::kReasonCannotConnect || reason == "DRAINING" ||
         status.code() == absl::StatusCode::kUnauthenticated || status.code() == absl::StatusCode::kPermissionDenied;
}

}  // namespace

BenchRun::BenchRun(BenchPlan plan, client::Client* client, ProgressLine* progress)
    : plan_(std::move(plan)), client_(client), progress_(progress) {}

absl::Status BenchRun::Run(const OnRow& on_row, const OnInstance& on_instance) {
  bool checked = false;
  for (const BenchInstance& instance : plan_.instances) {
    if (stopped()) return absl::OkStatus();
    const absl::StatusOr<LoadedInstance> loaded = Load(instance);
    if (loaded.ok() && !std::exchange(checked, true)) {
      if (const absl::Status status = CheckSearches(*loaded); !status.ok()) return status;
    }
    std::vector<BenchRow> rows;
    absl::Status fatal;
    for (size_t config = 0; config < plan_.searches.size() && !stopped() && fatal.ok(); ++config) {
      rows.push_back(RunOne(instance, loaded, config));
      const BenchRow& row = rows.back();
      if (first_error_.ok()) first_error_ = row.error;
      if (IsFatal(row.error)) fatal = row.error;
      progress_->Clear();
      on_row(row);
    }
    if (!rows.empty()) on_instance(rows);
    if (!fatal.ok()) return fatal;
  }
  return absl::OkStatus();
}

absl::StatusOr<LoadedInstance> BenchRun::Load(const BenchInstance& instance) {
  absl::StatusOr<LoadedInstance> loaded = LoadBenchInstance(instance, plan_.instance);
  if (!loaded.ok()) return loaded;
  const std::string& problem = loaded->ref.problem;
  auto known = params_.find(problem);
  if (known == params_.end()) {
    auto params = ProblemParams(*loaded, client_);
    if (!params.ok()) return params.status();
    known = params_.emplace(problem, *std::move(params)).first;
  }
  loaded->ref.params = known->second;
  return loaded;
}

client::SolveRequest BenchRun::Request(const LoadedInstance& instance, size_t config) const {
  client::SolveRequest request = plan_.searches[config];
  request.spec.problem = instance.ref.problem;
  request.spec.instance = instance.ref.instance;
  request.spec.params = instance.ref.params;
  return request;
}

// A wrong id or parameter of a configuration is the user's slip, not the outcome of a run.
absl::Status BenchRun::CheckSearches(const LoadedInstance& instance) {
  absl::Status first;
  std::string faults;
  for (size_t config = 0; config < plan_.searches.size(); ++config) {
    const auto job = client_->CreateJob({Request(instance, config).spec, "", true});
    if (job.ok()) continue;
    if (first.ok()) first = job.status();
    faults += (faults.empty() ? "" : "\n") + plan_.labels[config] + ": " + std::string(job.status().message());
  }
  return first.ok() ? first : client::MakeStatus(first.code(), client::Reason(first), faults);
}

BenchRow BenchRun::RunOne(const BenchInstance& instance, const absl::StatusOr<LoadedInstance>& loaded, size_t config) {
  const size_t total = plan_.instances.size() * plan_.searches.size();
  progress_->SetPrefix(std::to_string(++runs_done_) + "/" + std::to_string(total) + "  " + instance.name + "  " +
                       plan_.labels[config] + "  ");
  BenchRow row;
  row.error = loaded.status();
  if (loaded.ok()) {
    const client::SolveRequest request = Request(*loaded, config);
    std::vector<client::Result> runs;
    // Times of runs that ended otherwise are not those of this search.
    do {
      absl::StatusOr<client::Result> result = SolveOnce(request);
      row.error = result.status();
      if (result.ok()) runs.push_back(*std::move(result));
    } while (row.error.ok() && runs.back().outcome == client::Outcome::kSolved && !stopped() &&
             runs.size() < static_cast<size_t>(plan_.repeats));
    if (row.error.ok() && runs.back().outcome != client::Outcome::kSolved) runs.erase(runs.begin(), runs.end() - 1);
    if (row.error.ok()) row = MakeBenchRow(runs);
  }
  row.instance = instance.name;
  row.config = config;
  return row;
}

// A server that is busy with the jobs of others says when to come back: the run is made then.
absl::StatusOr<client::EventStream> BenchRun::StartWhenThereIsRoom(const client::SolveRequest& request) {
  for (;;) {
    absl::StatusOr<client::EventStream> stream = client_->Solve(request);
    if (stream.ok() || IsFatal(stream.status())) return stream;
    const auto delay = client::RetryDelay(stream.status());
    if (!delay) return stream;
    std::unique_lock lock(mutex_);
    if (stopped_.wait_for(lock, *delay, [this] { return stop_; })) return stream;
  }
}

absl::StatusOr<client::Result> BenchRun::SolveOnce(const client::SolveRequest& request) {
  absl::StatusOr<client::EventStream> stream = StartWhenThereIsRoom(request);
  if (!stream.ok()) return stream.status();
  SetCurrent(&*stream);
  client::Event event;
  std::optional<client::Result> result;
  while (stream->Next(&event)) {
    if (const auto* last = event.As<client::Result>()) result = *last;
    progress_->Update(event);
  }
  SetCurrent(nullptr);
  if (!result) return stream->status();
  return *std::move(result);
}

void BenchRun::SetCurrent(client::EventStream* stream) {
  const std::lock_guard lock(mutex_);
  current_ = stream;
  if (stop_ && current_ != nullptr) current_->Cancel().IgnoreError();
}

void BenchRun::Stop() {
  const std::lock_guard lock(mutex_);
  stop_ = true;
  stopped_.notify_all();
  // If the server does not hear this, the stream ends with the reason.
  if (current_ != nullptr) current_->Cancel().IgnoreError();
}

bool BenchRun::stopped() const {
  const std::lock_guard lock(mutex_);
  return stop_;
}

}  // namespace astrolabe::cli
