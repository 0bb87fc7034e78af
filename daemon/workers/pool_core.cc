#include "daemon/workers/pool_core.h"

#include <unistd.h>

#include <algorithm>
#include <cassert>

#include "daemon/workers/probe.h"

namespace astrolabe::workers {
namespace {

Error ShutDown() { return MakeError(ErrorCode::kUnavailable, "SHUTTING_DOWN", "the worker pool is shut down"); }

}  // namespace

PoolCore::PoolCore(PoolOptions options, Fd binary, Fd stop)
    : options_(std::move(options)),
      binary_(std::move(binary)),
      stop_(std::move(stop)),
      environment_(WorkerEnvironment(options_.cache_dir)) {}

PoolCore::~PoolCore() { Shutdown(); }

void PoolCore::Log(std::string_view level, std::string_view text) {
  if (options_.log) options_.log(level, text);
}

void PoolCore::Changed() {
  changed_.NotifyAll();
  keeper_wake_.NotifyAll();
}

Status PoolCore::Start() {
  {
    MutexLock lock(&mu_);
    ++spawning_;
  }
  Result<std::shared_ptr<Worker>> first = Spawn(State::kIdle);
  if (!first.ok()) {
    Error error = first.error();
    error.message = "the worker program " + options_.worker_path + " does not work: " + error.message +
                    "; it must come from the same build as the daemon: install Astrolabe again";
    return error;
  }
  hello_ = (*first)->hello();
  keeper_ = std::thread([this] { Keep(); });
  return {};
}

Result<std::shared_ptr<Worker>> PoolCore::SpawnProcess() {
  Result<WorkerProcess> process = WorkerProcess::Start(binary_.get(), environment_);
  if (!process.ok()) return process.error();
  auto worker = std::make_shared<Worker>(*std::move(process), this);
  MutexLock lock(&mu_);
  if (stopping_) return ShutDown();
  // Under the lock, so that Shutdown finds either no slot or one with a thread.
  if (Status started = worker->Start(); !started.ok()) return started.error();
  slots_.push_back({worker, State::kStarting, Clock::now(), 0});
  return worker;
}

Result<std::shared_ptr<Worker>> PoolCore::Spawn(State next) {
  Result<std::shared_ptr<Worker>> worker = SpawnProcess();
  const Status ready = worker.ok() ? (*worker)->WaitReady(Clock::now() + options_.spawn_timeout) : worker.error();
  MutexLock lock(&mu_);
  --spawning_;
  Changed();
  if (!worker.ok()) return worker.error();
  Slot* slot = Find(worker->get());
  if (ready.ok() && !stopping_ && slot != nullptr && slot->state == State::kStarting) {
    slot->state = next;
    slot->since = Clock::now();
    return worker;
  }
  if (slot != nullptr) End(slot, "it did not become ready");
  if (stopping_) return ShutDown();
  return ready.ok() ? MakeError(ErrorCode::kUnavailable, "WORKER_NOT_READY",
                                "the worker process ended as soon as it was ready")
                    : ready.error();
}

Result<std::shared_ptr<Worker>> PoolCore::Acquire(std::span<const PluginFile> plugins, WorkerEvents* events) {
  const auto deadline = Clock::now() + options_.spawn_timeout;
  for (;;) {
    std::shared_ptr<Worker> worker;
    {
      MutexLock lock(&mu_);
      if (stopping_) return ShutDown();
      if (Slot* best = BestIdle(plugins)) {
        best->state = State::kLeased;
        worker = best->worker;
      } else {
        if (Live() >= options_.max_workers) {
          if (Slot* oldest = OldestIdle()) End(oldest, "its place is needed for other plugins");
        }
        if (Live() < options_.max_workers) {
          ++spawning_;
        } else if (Count(State::kLeased) >= options_.max_workers) {
          return MakeError(ErrorCode::kResourceExhausted, "NO_WORKER",
                           "all " + std::to_string(options_.max_workers) + " workers are busy");
        } else {
          // The keeper (or another Acquire) is just starting one; see what becomes of it.
          if (!changed_.WaitUntil(&mu_, deadline)) {
            return MakeError(ErrorCode::kUnavailable, "WORKER_NOT_READY", "no worker process became ready in time");
          }
          continue;
        }
      }
    }
    if (worker == nullptr) {
      Result<std::shared_ptr<Worker>> spawned = Spawn(State::kLeased);
      if (!spawned.ok()) return spawned;
      worker = *std::move(spawned);
    }
    if (Hand(worker, events)) return worker;
  }
}

std::shared_ptr<Worker> PoolCore::TryAcquire(std::span<const PluginFile> plugins, WorkerEvents* events) {
  for (;;) {
    std::shared_ptr<Worker> worker;
    {
      MutexLock lock(&mu_);
      Slot* best = stopping_ ? nullptr : BestIdle(plugins);
      if (best == nullptr) return nullptr;
      best->state = State::kLeased;
      worker = best->worker;
    }
    if (Hand(worker, events)) return worker;
  }
}

bool PoolCore::Hand(const std::shared_ptr<Worker>& worker, WorkerEvents* events) {
  const bool alive = worker->Attach(events);
  MutexLock lock(&mu_);
  if (alive) {
    failures_ = 0;
    // The keeper replaces what was taken.
    if (Count(State::kIdle) + spawning_ < options_.warm_workers) keeper_wake_.NotifyAll();
  } else if (Slot* slot = Find(worker.get())) {
    // Its reader thread is about to notice; nobody may get it again.
    End(slot, "it died while idle");
  }
  return alive;
}

void PoolCore::GiveBack(const std::shared_ptr<Worker>& worker, bool reusable) {
  MutexLock lock(&mu_);
  Slot* slot = Find(worker.get());
  if (slot == nullptr || slot->state != State::kLeased) return;
  if (!reusable) {
    End(slot, "its lease ended without reuse");
  } else if (!worker->Reusable()) {
    End(slot, "it is not fit for another job");
  } else if (Conflicts(*worker)) {
    End(slot, "it holds a retired plugin");
  } else {
    slot->state = State::kIdle;
    slot->since = Clock::now();
    changed_.NotifyAll();
    if (KeeperIsNeeded(*slot)) keeper_wake_.NotifyAll();
    return;
  }
  Changed();
}

ProbeOutcome PoolCore::Probe(const PluginFile& plugin, std::string_view manifest) {
  ProbeSetup setup;
  setup.binary_fd = binary_.get();
  setup.stop_fd = stop_.get();
  setup.environment = environment_;
  setup.timeout = options_.probe_timeout;
  {
    MutexLock lock(&mu_);
    // stop_ is readable by then: the probe gives up by itself, but must not outlive Shutdown.
    if (!stopping_) ++probing_;
    if (stopping_) {
      ProbeOutcome outcome;
      outcome.code = "PROBE_TIMEOUT";
      outcome.message = "the daemon is shutting down";
      return outcome;
    }
  }
  ProbeOutcome outcome = RunProbe(setup, plugin, manifest);
  MutexLock lock(&mu_);
  --probing_;
  Changed();
  return outcome;
}

void PoolCore::DropIdle(const std::function<bool(const std::string&, int64_t)>& retired) {
  std::vector<std::shared_ptr<Worker>> idle;
  {
    MutexLock lock(&mu_);
    for (const Slot& slot : slots_) {
      if (slot.state == State::kIdle) idle.push_back(slot.worker);
    }
  }
  for (const auto& worker : idle) {
    bool drop = false;
    for (const auto& [id, generation] : worker->held()) drop = drop || retired(id, generation);
    if (!drop) continue;
    MutexLock lock(&mu_);
    Slot* slot = Find(worker.get());
    if (slot != nullptr && slot->state == State::kIdle) End(slot, "it holds a retired plugin");
  }
}

void PoolCore::Warm(std::vector<PluginFile> plugins) {
  MutexLock lock(&mu_);
  warm_ = std::move(plugins);
  ++warm_version_;
  warm_failures_ = 0;
  Changed();
}

PoolLoad PoolCore::load() const {
  MutexLock lock(&mu_);
  return {Count(State::kIdle), Count(State::kLeased)};
}

void PoolCore::OnWorkerGone(Worker* worker, const WorkerExit& exit) {
  State before = State::kEnding;
  {
    MutexLock lock(&mu_);
    if (Slot* slot = Find(worker)) {
      before = slot->state;
      slot->state = State::kEnding;
    }
    if (before == State::kIdle) {
      ++failures_;
      if (worker->held().empty()) {
        next_spawn_ = Clock::now() + std::min(std::chrono::milliseconds(100 << std::min(failures_, 6)),
                                              std::chrono::milliseconds(5000));
      } else {
        ++warm_failures_;
      }
    }
    Changed();
  }
  const std::string text = "worker " + std::to_string(worker->pid()) + " is gone: " + DescribeExit(exit);
  Log(before == State::kIdle ? "warning" : exit.killed_by_us ? "debug" : "info", text);
}

void PoolCore::OnPreloaded(Worker* worker, const std::string& failure) {
  if (failure.empty()) return;
  {
    MutexLock lock(&mu_);
    ++warm_failures_;
    Slot* slot = Find(worker);
    if (slot != nullptr && slot->state == State::kIdle) End(slot, "a plugin could not be loaded in it");
  }
  Log("warning", "worker " + std::to_string(worker->pid()) + " could not load a plugin: " + failure);
}

void PoolCore::OnWorkerDone(Worker* worker) {
  MutexLock lock(&mu_);
  for (auto slot = slots_.begin(); slot != slots_.end(); ++slot) {
    if (slot->worker.get() != worker) continue;
    finished_.push_back(std::move(slot->worker));
    slots_.erase(slot);
    break;
  }
  Changed();
}

void PoolCore::Shutdown() {
  {
    MutexLock lock(&mu_);
    if (stopping_) {
      while (!stopped_) changed_.Wait(&mu_);
      return;
    }
    stopping_ = true;
    const uint64_t one = 1;
    [[maybe_unused]] const ssize_t n = ::write(stop_.get(), &one, sizeof one);
    for (Slot& slot : slots_) slot.worker->Kill("the pool is shut down");
    Changed();
  }
  if (keeper_.joinable()) keeper_.join();
  std::vector<std::shared_ptr<Worker>> finished;
  {
    MutexLock lock(&mu_);
    while (spawning_ > 0 || probing_ > 0 || !slots_.empty()) changed_.Wait(&mu_);
    finished.swap(finished_);
  }
  for (const auto& worker : finished) worker->Join();
  MutexLock lock(&mu_);
  stopped_ = true;
  Changed();
}

}  // namespace astrolabe::workers
