// A WorkerPool whose workers say what the test tells them to.
//
// The test's thread is the reader thread: Say, Nodes and Die deliver to the lease's listener and return when it has
// returned. Only after a Kill a thread of the pool delivers OnGone, as the real one does.
#ifndef ASTROLABE_TESTS_DAEMON_JOBS_FAKE_POOL_H_
#define ASTROLABE_TESTS_DAEMON_JOBS_FAKE_POOL_H_

#include <chrono>
#include <condition_variable>
#include <deque>
#include <functional>
#include <memory>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

#include "daemon/workers/worker_pool.h"

namespace astrolabe::jobs {

class FakePool;

class FakeWorker {
 public:
  FakeWorker(FakePool* pool, int pid, std::vector<workers::PluginFile> plugins, workers::WorkerEvents* events)
      : pid(pid), plugins(std::move(plugins)), pool_(pool), events_(events) {}

  // What comes from the worker. Nothing happens when the lease is over.
  void Say(const internal::v1::ToDaemon& message);
  void SayStage(const std::string& plugin, const std::string& stage);
  void SayState(v1::JobState state);
  void SayProgress(int64_t expanded);
  void SayResult(const v1::Result& result, const std::string& recycle = "");
  void SaySolved();
  void Nodes(int64_t first_ordinal, int64_t count, const std::string& batch);
  void Die(const workers::WorkerExit& exit);

  // Frames the daemon sent, newest last.
  std::vector<internal::v1::ToWorker> sent() const;
  bool sent_stop() const;
  int64_t credit() const;  // returned so far
  bool killed() const;
  bool released() const;
  bool reusable() const;
  // Until that is so; fails the test after 10 s.
  void WaitFor(const std::function<bool(const FakeWorker&)>& condition) const;

  const int pid;
  const std::vector<workers::PluginFile> plugins;

 private:
  friend class FakePool;
  friend class FakeLease;

  Status Send(const internal::v1::ToWorker& message);
  void Kill();
  void Release(bool reusable);
  void Deliver(const std::function<void(workers::WorkerEvents*)>& call, bool last);

  FakePool* const pool_;
  mutable std::mutex mu_;
  mutable std::condition_variable changed_;
  workers::WorkerEvents* events_;  // null when the lease is over
  std::thread::id delivering_;
  std::vector<internal::v1::ToWorker> sent_;
  bool killed_ = false;
  bool released_ = false;
  bool reusable_ = false;
};

using FakeWorkerPtr = std::shared_ptr<FakeWorker>;

class FakePool : public workers::WorkerPool {
 public:
  FakePool();
  ~FakePool() override;

  // The n-th worker that was leased, from 0, once it has been given its first frame.
  FakeWorkerPtr WaitWorker(size_t n) const;
  // The n-th worker, as soon as it is leased.
  FakeWorkerPtr WaitLease(size_t n) const;
  size_t leases() const;
  // Waits for the n-th lease, at most this long by the real clock: for tests that move a fake one meanwhile.
  bool HasLease(size_t n, std::chrono::milliseconds at_most) const;
  // Instead of a worker the next `count` Acquires get this.
  void FailAcquire(Error error, int count);
  // Acquire blocks until it is opened again.
  void HoldAcquire(bool hold);
  // Called, on a work thread, with every frame; may call Say of that worker from another thread.
  std::function<void(const FakeWorkerPtr&, const internal::v1::ToWorker&)> on_frame;
  // Frames are refused, as by a worker that is gone.
  bool refuse_frames = false;

  Result<std::unique_ptr<workers::Lease>> Acquire(std::span<const workers::PluginFile> plugins,
                                                  workers::WorkerEvents* events) override;
  workers::ProbeOutcome Probe(const workers::PluginFile&, std::string_view) override { return {}; }
  void DropIdle(const std::function<bool(const std::string&, int64_t)>&) override {}
  void Warm(std::vector<workers::PluginFile>) override {}
  const internal::v1::Hello& hello() const override { return hello_; }
  workers::PoolLoad load() const override { return {}; }
  void Shutdown() override {}

 private:
  friend class FakeWorker;
  void Reap(std::function<void()> gone);

  internal::v1::Hello hello_;
  mutable std::mutex mu_;
  mutable std::condition_variable changed_;
  std::vector<FakeWorkerPtr> workers_;
  std::optional<Error> acquire_error_;
  int acquire_failures_ = 0;
  bool held_ = false;
  std::deque<std::function<void()>> reaped_;
  bool stopped_ = false;
  std::thread reaper_;
};

// A solved result, as a worker sends it.
v1::Result Solved(int64_t cost, std::vector<uint32_t> ops);

}  // namespace astrolabe::jobs

#endif  // ASTROLABE_TESTS_DAEMON_JOBS_FAKE_POOL_H_
