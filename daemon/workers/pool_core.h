// The worker pool's state and its keeper thread.
//
// Lock order: PoolCore::mu_ before a worker's locks. Workers call back with none held.
// A slot's state: starting -> idle <-> leased, and from each of them -> ending; an ending slot leaves
// the table when its process is reaped, and its thread is joined by the keeper (or by Shutdown).
#ifndef ASTROLABE_DAEMON_WORKERS_POOL_CORE_H_
#define ASTROLABE_DAEMON_WORKERS_POOL_CORE_H_

#include <chrono>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <thread>
#include <vector>

#include "daemon/base/fd.h"
#include "daemon/workers/mutex.h"
#include "daemon/workers/worker.h"
#include "daemon/workers/worker_pool.h"

namespace astrolabe::workers {

// A worker that loads plugins for longer gets no job, and loses the one that waits behind that: a new one is ready
// sooner.
inline constexpr std::chrono::seconds kLoadPatience{1};

class PoolCore : public WorkerOwner {
 public:
  PoolCore(PoolOptions options, Fd binary, Fd stop);
  ~PoolCore() override;

  // Spawns the first worker and the keeper thread.
  Status Start();
  // A worker that delivers to `events`.
  Result<std::shared_ptr<Worker>> Acquire(std::span<const PluginFile> plugins, WorkerEvents* events);
  // An idle one; null: there is none.
  std::shared_ptr<Worker> TryAcquire(std::span<const PluginFile> plugins, WorkerEvents* events);
  // Ends a lease whose listener is detached.
  void GiveBack(const std::shared_ptr<Worker>& worker, bool reusable);
  ProbeOutcome Probe(const PluginFile& plugin, std::string_view manifest);
  void DropIdle(const std::function<bool(const std::string&, int64_t)>& retired);
  void Warm(std::vector<PluginFile> plugins);
  PoolLoad load() const;
  const internal::v1::Hello& hello() const { return hello_; }
  void Shutdown();

  // WorkerOwner
  void OnWorkerGone(Worker* worker, const WorkerExit& exit) override;
  void OnPreloaded(Worker* worker, const std::string& failure) override;
  void OnWorkerDone(Worker* worker) override;
  void Log(std::string_view level, std::string_view text) override;

 private:
  using Clock = std::chrono::steady_clock;
  enum class State { kStarting, kIdle, kLeased, kEnding };
  struct Slot {
    std::shared_ptr<Worker> worker;
    State state = State::kStarting;
    Clock::time_point since;
    int64_t warmed = 0;  // the warm set it was told to load
    Clock::time_point warming_since;
  };

  // Spawns a worker and waits until it is ready; its slot is then in state `next`. The caller has
  // counted it in spawning_; this takes it out again.
  Result<std::shared_ptr<Worker>> Spawn(State next) ASTROLABE_EXCLUDES(mu_);
  Result<std::shared_ptr<Worker>> SpawnProcess() ASTROLABE_EXCLUDES(mu_);
  // Gives a leased worker its listener; false: it died while idle.
  bool Hand(const std::shared_ptr<Worker>& worker, WorkerEvents* events) ASTROLABE_EXCLUDES(mu_);
  Slot* Find(const Worker* worker) ASTROLABE_REQUIRES(mu_);
  Slot* BestIdle(std::span<const PluginFile> plugins) ASTROLABE_REQUIRES(mu_);
  Slot* OldestIdle() ASTROLABE_REQUIRES(mu_);
  int Count(State state) const ASTROLABE_REQUIRES(mu_);
  int Live() const ASTROLABE_REQUIRES(mu_);
  void End(Slot* slot, std::string_view why) ASTROLABE_REQUIRES(mu_);
  bool Conflicts(const Worker& worker) const ASTROLABE_REQUIRES(mu_);

  // Of anything that some thread may wait for. What is done to each job wakes the keeper only when it has to do.
  void Changed() ASTROLABE_REQUIRES(mu_);
  bool KeeperIsNeeded(const Slot& idle) const ASTROLABE_REQUIRES(mu_);

  // The keeper thread.
  void Keep();
  bool KeepOnce(Clock::time_point* wake_at) ASTROLABE_REQUIRES(mu_);
  void WarmIdle() ASTROLABE_REQUIRES(mu_);
  void EndStuck(Clock::time_point now, Clock::time_point* wake_at) ASTROLABE_REQUIRES(mu_);
  void TrimIdle(Clock::time_point now, Clock::time_point* wake_at) ASTROLABE_REQUIRES(mu_);

  const PoolOptions options_;
  const Fd binary_;
  const Fd stop_;  // readable from Shutdown on
  const std::vector<std::string> environment_;
  internal::v1::Hello hello_;  // set by Start, constant after
  std::thread keeper_;

  mutable Mutex mu_;
  CondVar changed_;      // for all but the keeper
  CondVar keeper_wake_;  // for the keeper
  bool stopping_ ASTROLABE_GUARDED_BY(mu_) = false;
  bool stopped_ ASTROLABE_GUARDED_BY(mu_) = false;
  std::vector<Slot> slots_ ASTROLABE_GUARDED_BY(mu_);
  std::vector<std::shared_ptr<Worker>> finished_ ASTROLABE_GUARDED_BY(mu_);
  int spawning_ ASTROLABE_GUARDED_BY(mu_) = 0;
  int probing_ ASTROLABE_GUARDED_BY(mu_) = 0;
  // Workers that ended by themselves while they had no job, in a row: the keeper slows down.
  int failures_ ASTROLABE_GUARDED_BY(mu_) = 0;
  Clock::time_point next_spawn_ ASTROLABE_GUARDED_BY(mu_);
  std::vector<PluginFile> warm_ ASTROLABE_GUARDED_BY(mu_);
  int64_t warm_version_ ASTROLABE_GUARDED_BY(mu_) = 0;
  Clock::time_point keeper_wakes_at_ ASTROLABE_GUARDED_BY(mu_);  // by itself, when it sleeps
  int warm_failures_ ASTROLABE_GUARDED_BY(mu_) = 0;
};

}  // namespace astrolabe::workers

#endif  // ASTROLABE_DAEMON_WORKERS_POOL_CORE_H_
