// Daemon: serving, reloading, and the way down. The way up is daemon_start.cc.
#include "daemon/server/daemon.h"

#include <unistd.h>

#include <utility>

#include "daemon/base/counted.h"

namespace astrolabe::server {
namespace {

// After the jobs are done, watchers may take this long to read their Result.
constexpr std::chrono::milliseconds kLastWords{2000};
// Then calls in flight are cancelled. After a second stop signal this is all the watchers get, too.
constexpr std::chrono::milliseconds kGrace{200};
// What a second stop signal leaves for an orderly end.
constexpr std::chrono::seconds kHurry{3};

}  // namespace

Daemon::Daemon(Options options, std::function<ParsedOptions()> read_options, Log* log)
    : options_(std::move(options)), read_options_(std::move(read_options)), log_(log) {
  context_.settings.Set(DefaultLimits(options_), options_.drain_time);
}

Daemon::~Daemon() { TakeDown(); }

void Daemon::Run() {
  const std::string reason = stop_.Wait();
  log_->Write("info", "stopping: " + reason);
  Drain();
  TakeDown();
  log_->Write("info", "stopped");
}

void Daemon::Drain() {
  using Clock = std::chrono::steady_clock;
  SetServing(false);
  jobs_->Drain(stop_.now() ? std::chrono::milliseconds(0) : context_.settings.drain_time());
  context_.streams.WaitUntilEmpty(Clock::now() + (stop_.now() ? kGrace : kLastWords));
  context_.streams.AbortAll({grpc::StatusCode::UNAVAILABLE, "the server is stopping"});
}

// Also after a Start that failed half-way: whatever is there goes, from the top down.
void Daemon::TakeDown() {
  user_claim_.Remove();
  admin_claim_.Remove();
  if (plugin_thread_) plugin_thread_->Stop();
  if (drain_thread_) drain_thread_->Stop();
  if (cache_thread_) cache_thread_->Stop();
  if (verify_thread_) verify_thread_->Stop();
  const auto deadline = std::chrono::system_clock::now() + (stop_.now() ? std::chrono::milliseconds(0) : kGrace);
  if (user_server_) user_server_->Shutdown(deadline);
  if (admin_server_) admin_server_->Shutdown(deadline);
  metrics_.reset();
  cache_check_.reset();
  signals_.reset();  // its handlers use what follows
  idle_.reset();
  user_server_.reset();
  admin_server_.reset();
  refusing_server_.reset();
  context_.timers->Stop();
  {
    const std::lock_guard lock(down_mutex_);
    down_ = true;
  }
  down_changed_.notify_all();
  if (hurry_.joinable()) hurry_.join();
  jobs_.reset();
  registry_.reset();
  if (pool_) pool_->Shutdown();
  pool_.reset();
  state_lock_.Reset();
}

void Daemon::OnStopSignal(int count) {
  if (count == 1) return stop_.Request("a signal asked for it");
  stop_.RequestNow("a signal asked for it");
  log_->Write("warning", "stopping at once: a second signal asked for it");
  if (count == 2) hurry_ = std::thread([this] { EndSoon(); });
}

// Cuts the drain short, and ends the process if even that takes too long.
void Daemon::EndSoon() {
  std::thread interrupt([this] { jobs_->Drain(std::chrono::milliseconds(0)); });
  {
    std::unique_lock lock(down_mutex_);
    if (!down_changed_.wait_for(lock, kHurry, [&] { return down_; })) {
      user_claim_.Remove();
      admin_claim_.Remove();
      ::_exit(0);
    }
  }
  interrupt.join();
}

void Daemon::OnHangup() {
  const Status reopened = log_->Reopen();
  if (!reopened.ok()) log_->Write("error", reopened.error().message);
  const ParsedOptions read = read_options_();
  if (!read.options.has_value()) {
    log_->Write("error", "reload: nothing changed, the options are wrong: " + read.output);
  } else {
    const Options& now = *read.options;
    context_.settings.Set(DefaultLimits(now), now.drain_time);
    idle_->SetTimeout(now.idle_timeout);
    log_->SetLevel(now.log_level);
    log_->Write("info", "reload: log level, default limits, drain and idle time are as configured now");
  }
  plugin_thread_->Run([this](bool may_run) {
    if (!may_run) return;
    const std::vector<registry::PluginRecord> changed = registry_->Scan();
    CountLoads(changed);
    log_->Write("info", "reload: " + Counted(changed.size(), "plugin") + " changed");
  });
}

void Daemon::SetServing(bool serving) {
  if (user_server_) user_server_->SetServing(serving);
  // The admin listener goes on serving while the server drains.
  if (admin_server_) admin_server_->SetServing(true);
}

void Daemon::CountLoads(const std::vector<registry::PluginRecord>& records) {
  for (const registry::PluginRecord& record : records) {
    (record.error ? plugin_loads_.failed : plugin_loads_.loaded).fetch_add(1, std::memory_order_relaxed);
  }
}

bool Daemon::IsBusy() const {
  const jobs::JobsLoad load = jobs_->load();
  if (context_.streams.size() > 0 || load.running + load.queued > 0) return true;
  v1::ListJobsRequest any;
  any.set_page_size(1);
  const Result<v1::ListJobsResponse> retained = jobs_->ListJobs(any);
  return retained.ok() && retained->jobs_size() > 0;
}

MetricsSample Daemon::TakeSample() const {
  MetricsSample out;
  const jobs::JobsLoad load = jobs_->load();
  out.jobs_running = load.running;
  out.jobs_queued = load.queued;
  out.jobs_ended = outcomes_.values();
  const workers::PoolLoad workers = pool_->load();
  out.workers_idle = workers.idle;
  out.workers_leased = workers.leased;
  out.streams_open = static_cast<int64_t>(context_.streams.size());
  out.streams_total = context_.counters.streams.load(std::memory_order_relaxed);
  out.events_sent = context_.counters.events.load(std::memory_order_relaxed);
  out.bytes_sent = context_.counters.bytes.load(std::memory_order_relaxed);
  out.plugin_loads = plugin_loads_.loaded.load(std::memory_order_relaxed);
  out.plugin_load_failures = plugin_loads_.failed.load(std::memory_order_relaxed);
  out.plugins = {{"ready", 0}, {"failed", 0}, {"unloaded", 0}};
  for (const registry::PluginRecord& record : registry_->List()) {
    static constexpr const char* kNames[] = {"", "ready", "failed", "unloaded"};
    ++out.plugins[kNames[static_cast<int>(record.state)]];
  }
  return out;
}

void Daemon::JobLog(std::string_view level, std::string_view text) { log_->Write(level, text); }

}  // namespace astrolabe::server
