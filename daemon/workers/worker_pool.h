// Worker processes: spawned, warmed, leased to one job at a time, killed when they must be.
//
// Nouns: a *worker* is one astrolabe-worker process on a socketpair; a *lease* is the exclusive use of
// one by one job; *WorkerEvents* is who listens during a lease.
// Invariants: (1) a worker never holds two generations of one plugin id; (2) between Acquire and the
// return of Release or OnGone, every frame of the worker goes to that lease's listener and to nobody
// else; (3) after OnGone no call is made for the lease; (4) no worker outlives the pool.
#ifndef ASTROLABE_DAEMON_WORKERS_WORKER_POOL_H_
#define ASTROLABE_DAEMON_WORKERS_WORKER_POOL_H_

#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "astrolabe/internal/v1/frames.pb.h"
#include "daemon/base/crash_record.h"
#include "daemon/base/result.h"

namespace astrolabe::workers {

// A private copy of a plugin file that never changes (registry/ makes it).
struct PluginFile {
  std::string id;
  std::string path;
  std::string version;
  std::string sha256;
  int64_t generation = 0;
};

// How a worker came to its end.
struct WorkerExit {
  // From its signal handler or its own report; the process may still be tearing down.
  std::optional<CrashRecord> crash;
  // From waitid, when known: the signal that ended it, or its exit code.
  int signal = 0;
  int exit_code = 0;
  // True when Lease::Kill asked for it.
  bool killed_by_us = false;
  // Where it was: the last Stage frame.
  std::string plugin;
  std::string stage;
  // Set when it sent bytes that are no frame.
  std::string protocol_error;
};

// Called on the worker's reader thread, one call at a time, without any lock of the pool held.
// Must not block for long: blocking is back-pressure on the worker.
class WorkerEvents {
 public:
  virtual ~WorkerEvents() = default;
  virtual void OnMessage(internal::v1::ToDaemon message) = 0;
  // `batch` is an encoded astrolabe.v1.NodeBatch; the pool has not parsed it.
  virtual void OnNodeBatch(int64_t first_ordinal, int64_t count, std::string batch) = 0;
  // The worker is gone or unusable. Last call; may come within a call of Acquire's thread or later.
  virtual void OnGone(const WorkerExit& exit) = 0;
};

// Exclusive use of one worker. Thread-safe. Destroying it without Release kills the worker.
class Lease {
 public:
  virtual ~Lease() = default;
  // Writes one frame. kUnavailable when the worker is gone (OnGone tells why, or has told).
  virtual Status Send(const internal::v1::ToWorker& message) = 0;
  // SIGKILL, at once. OnGone follows, with killed_by_us.
  virtual void Kill(std::string_view why) = 0;
  // Gives the worker back. reusable = false: it is ended and replaced. No event is delivered after it
  // returns, so it must not be called from inside a WorkerEvents call of another lease's thread
  // while that thread waits for this one. May be called from this lease's own events.
  virtual void Release(bool reusable) = 0;
  virtual int pid() const = 0;
};

struct PoolOptions {
  std::string worker_path;  // opened once, at Create
  int max_workers = 4;      // slots + warm spares
  int warm_workers = 1;     // kept ready and idle
  std::string cache_dir;    // plugin cache for workers; passed by environment
  std::chrono::milliseconds spawn_timeout{10000};
  std::chrono::milliseconds probe_timeout{5000};
  // Lines of the pool itself and what idle workers print. Called from any thread, no lock held; may be empty.
  std::function<void(std::string_view level, std::string_view text)> log;
};

struct ProbeOutcome {
  // Empty: the plugin is fine. Else a load code ("INIT_FAILED", "PROBE_CRASHED", ...).
  std::string code;
  std::string message;
  std::string expected;
  std::string found;
  std::string hint;
  std::vector<std::string> warnings;
};

struct PoolLoad {
  int idle = 0;
  int leased = 0;
};

class WorkerPool {
 public:
  virtual ~WorkerPool() = default;

  // Opens the worker binary, spawns the first worker and reads its Hello. Fails with a clear error when
  // the binary is missing or of another build.
  static Result<std::unique_ptr<WorkerPool>> Create(const PoolOptions& options);

  // The best idle worker (most of `plugins` loaded, none in another generation), else a new one.
  // Never waits for another lease to end. Thread-safe.
  virtual Result<std::unique_ptr<Lease>> Acquire(std::span<const PluginFile> plugins, WorkerEvents* events) = 0;

  // The same without blocking: null when no worker is idle, or all that are have another generation. Thread-safe; also
  // from inside a delivery.
  virtual std::unique_ptr<Lease> TryAcquire(std::span<const PluginFile>, WorkerEvents*) { return nullptr; }

  // Loads `plugin` in a throw-away worker and checks it. Blocks, at most probe_timeout. Thread-safe.
  virtual ProbeOutcome Probe(const PluginFile& plugin, std::string_view manifest) = 0;

  // Ends idle workers that hold a generation for which `retired` is true.
  virtual void DropIdle(const std::function<bool(const std::string& plugin, int64_t generation)>& retired) = 0;

  // Loads these plugins in the idle workers, so that the next job finds them warm. Returns at once.
  virtual void Warm(std::vector<PluginFile> plugins) = 0;

  // From the first worker's Hello.
  virtual const internal::v1::Hello& hello() const = 0;

  virtual PoolLoad load() const = 0;

  // Kills every worker; leases get OnGone. Returns when all are reaped and no thread is left.
  virtual void Shutdown() = 0;
};

}  // namespace astrolabe::workers

#endif  // ASTROLABE_DAEMON_WORKERS_WORKER_POOL_H_
