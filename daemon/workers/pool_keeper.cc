// The keeper thread: joins what ended and clears up after it, keeps warm workers ready, ends those that nobody needs.
#include <algorithm>

#include "daemon/base/cache_folder.h"
#include "daemon/workers/pool_core.h"

namespace astrolabe::workers {
namespace {

// Idle workers beyond the warm ones go after this time.
constexpr std::chrono::seconds kIdleTime{60};
// Preloading stops after so many workers that it cost in a row, until the next Warm.
constexpr int kMaxWarmFailures = 2;

internal::v1::ToWorker PreloadMessage(const std::vector<PluginFile>& plugins) {
  internal::v1::ToWorker message;
  message.mutable_preload();
  for (const PluginFile& plugin : plugins) {
    internal::v1::PluginFile* file = message.mutable_preload()->add_plugins();
    file->set_id(plugin.id);
    file->set_path(plugin.path);
    file->set_version(plugin.version);
    file->set_sha256(plugin.sha256);
    file->set_generation(plugin.generation);
  }
  return message;
}

}  // namespace

void PoolCore::Keep() {
  MutexLock lock(&mu_);
  while (!stopping_) {
    if (!finished_.empty()) {
      std::vector<std::shared_ptr<Worker>> finished;
      finished.swap(finished_);
      mu_.Unlock();
      for (const auto& worker : finished) worker->Join();
      finished.clear();
      // A worker that was killed while it made a table has left half of it.
      if (!options_.cache_dir.empty()) SweepCacheFolder(options_.cache_dir);
      mu_.Lock();
      continue;
    }
    Clock::time_point wake_at = Clock::time_point::max();
    if (KeepOnce(&wake_at)) {
      mu_.Unlock();
      const Result<std::shared_ptr<Worker>> spawned = Spawn(State::kIdle);
      if (!spawned.ok() && spawned.error().reason != "SHUTTING_DOWN") {
        Log("error", "no worker could be kept ready: " + spawned.error().message);
      }
      mu_.Lock();
      if (!spawned.ok()) {
        ++failures_;
        next_spawn_ = Clock::now() + std::min(std::chrono::milliseconds(100 << std::min(failures_, 6)),
                                              std::chrono::milliseconds(5000));
      }
      continue;
    }
    keeper_wakes_at_ = wake_at;
    if (wake_at == Clock::time_point::max()) {
      keeper_wake_.Wait(&mu_);
    } else {
      keeper_wake_.WaitUntil(&mu_, wake_at);
    }
  }
}

// Of a worker that has become idle: there is something for it to load, or it is one too many and the keeper would not
// look in time to end it.
bool PoolCore::KeeperIsNeeded(const Slot& idle) const {
  if (idle.warmed != warm_version_ && !warm_.empty() && warm_failures_ < kMaxWarmFailures) return true;
  return Count(State::kIdle) > options_.warm_workers && keeper_wakes_at_ > idle.since + kIdleTime;
}

// True: a worker should be spawned; it is counted in spawning_.
bool PoolCore::KeepOnce(Clock::time_point* wake_at) {
  const Clock::time_point now = Clock::now();
  WarmIdle();
  EndStuck(now, wake_at);
  TrimIdle(now, wake_at);
  if (Count(State::kIdle) + spawning_ >= options_.warm_workers || Live() >= options_.max_workers) return false;
  if (now < next_spawn_) {
    *wake_at = std::min(*wake_at, next_spawn_);
    return false;
  }
  ++spawning_;
  return true;
}

void PoolCore::WarmIdle() {
  if (warm_.empty() || warm_failures_ >= kMaxWarmFailures) return;
  for (Slot& slot : slots_) {
    if (slot.state != State::kIdle || slot.warmed == warm_version_) continue;
    slot.warmed = warm_version_;
    const std::map<std::string, int64_t> held = slot.worker->held();
    std::vector<PluginFile> missing;
    bool conflict = false;
    for (const PluginFile& plugin : warm_) {
      const auto found = held.find(plugin.id);
      if (found == held.end()) missing.push_back(plugin);
      conflict = conflict || (found != held.end() && found->second != plugin.generation);
    }
    if (conflict) {
      End(&slot, "it holds a retired plugin");
    } else if (!missing.empty() && !slot.worker->Send(PreloadMessage(missing)).ok()) {
      End(&slot, "it takes no messages");
    }
    slot.warming_since = Clock::now();
  }
}

// A plugin that loads in the probe may block or loop when it is loaded again. A job that waits behind it gets another
// worker (JobRun::OnUnexpectedEnd).
void PoolCore::EndStuck(Clock::time_point now, Clock::time_point* wake_at) {
  for (Slot& slot : slots_) {
    if ((slot.state != State::kIdle && slot.state != State::kLeased) || !slot.worker->preloading()) continue;
    const Clock::time_point patience_ends = slot.warming_since + kLoadPatience;
    const bool job_waits = slot.state == State::kLeased && now >= patience_ends;
    const Clock::time_point ends = slot.warming_since + options_.probe_timeout;
    if (now < ends && !job_waits) {
      *wake_at = std::min(*wake_at, now < patience_ends ? patience_ends : ends);
    } else {
      ++warm_failures_;
      Log("warning", "worker " + std::to_string(slot.worker->pid()) + " does not come to an end of loading plugins");
      End(&slot, "it does not come to an end of loading plugins");
    }
  }
}

void PoolCore::TrimIdle(Clock::time_point now, Clock::time_point* wake_at) {
  while (Count(State::kIdle) > options_.warm_workers) {
    Slot* oldest = OldestIdle();
    if (now - oldest->since < kIdleTime) {
      *wake_at = std::min(*wake_at, oldest->since + kIdleTime);
      return;
    }
    End(oldest, "idle for long");
  }
}

}  // namespace astrolabe::workers
