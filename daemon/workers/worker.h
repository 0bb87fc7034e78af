// One worker of the pool: its process, the thread that reads it, and who listens.
//
// Invariants: (1) only the reader thread reads the descriptors, delivers events and reaps; (2) nothing
// here blocks but Detach (until a running delivery returns), WaitReady and Join; (3) `gone` is final:
// after it nothing is delivered but the one OnGone; (4) callbacks run with no lock held.
#ifndef ASTROLABE_DAEMON_WORKERS_WORKER_H_
#define ASTROLABE_DAEMON_WORKERS_WORKER_H_

#include <chrono>
#include <functional>
#include <map>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

#include "daemon/workers/frame_parser.h"
#include "daemon/workers/mutex.h"
#include "daemon/workers/printed_lines.h"
#include "daemon/workers/worker_pool.h"
#include "daemon/workers/worker_process.h"

namespace astrolabe::workers {

class Worker;

// The pool, as its workers see it. Called on reader threads.
class WorkerOwner {
 public:
  virtual ~WorkerOwner() = default;
  // The worker is unusable from now on. Before its listener hears of it.
  virtual void OnWorkerGone(Worker* worker, const WorkerExit& exit) = 0;
  // A Preload was answered; `failure` is empty when it went well.
  virtual void OnPreloaded(Worker* worker, const std::string& failure) = 0;
  // The process is reaped and the reader thread is about to end: Join may be called.
  virtual void OnWorkerDone(Worker* worker) = 0;
  virtual void Log(std::string_view level, std::string_view text) = 0;
};

class Worker {
 public:
  // `owner` outlives the reader thread.
  Worker(WorkerProcess process, WorkerOwner* owner);
  ~Worker();
  Worker(const Worker&) = delete;
  Worker& operator=(const Worker&) = delete;

  // Starts the reader thread; call once, before anything else.
  Status Start();
  // Until Hello has come and was found right. The error tells how it ended instead.
  Status WaitReady(std::chrono::steady_clock::time_point deadline);
  // Valid after WaitReady.
  internal::v1::Hello hello() const;
  int pid() const { return pid_; }

  // From here on frames go to `events`. False when the worker is gone.
  bool Attach(WorkerEvents* events);
  // No call of the listener runs or comes after this. At once when called from such a call.
  void Detach();

  // Never blocks: what the socket does not take now, the reader thread sends later.
  Status Send(const internal::v1::ToWorker& message);
  // Ends the process; the reader thread does the rest.
  void Kill(std::string_view why);
  // True when nothing is running in it and it may serve another job.
  bool Reusable();

  // How many of `plugins` it holds, or -1 when it holds one of them in another generation.
  int Score(std::span<const PluginFile> plugins) const;
  bool preloading() const;
  // Plugin ids and generations it holds or was told to load.
  std::map<std::string, int64_t> held() const;
  void Join();

 private:
  enum class Phase { kStarting, kReady, kGone };

  // Reader thread.
  void Run();
  bool ReadUnlessOutOfMemory();
  bool ReadRound();  // false: the end; exit_ tells
  bool ReadSocket(bool drain);
  void DrainPrinted();
  void FlushPrinted();
  void DeliverPrinted(const char* source, std::vector<std::string> lines);
  bool Dispatch(Frame frame);
  bool OnMessageFrame(const Frame& frame);
  bool OnHello(const internal::v1::Hello& hello);
  bool OnNodeFrame(Frame frame);
  bool OnCrashFrame(const Frame& frame);
  void OnIdleMessage(const internal::v1::ToDaemon& message);
  bool Note(const internal::v1::ToDaemon& message, bool* preloading);
  bool Fail(std::string protocol_error);
  bool BeingKilled();
  bool WaitExit(std::chrono::milliseconds limit);
  void KillProcess();
  void BecomeGone();
  void ReapProcess();
  void FlushOutbox();

  WorkerEvents* BeginDelivery();
  void EndDelivery();
  Status CheckAndNote(const internal::v1::ToWorker& message);

  const int pid_;
  WorkerOwner* const owner_;
  std::thread reader_;

  // Reader thread only.
  FrameParser parser_;
  PrintedLines out_lines_;
  PrintedLines err_lines_;
  WorkerExit exit_;
  std::vector<char> scratch_;

  // Descriptors are closed by the reader thread under io_mu_; others use them only under it.
  mutable Mutex io_mu_;
  WorkerProcess process_;
  Fd wake_;
  std::string outbox_ ASTROLABE_GUARDED_BY(io_mu_);
  bool writable_ ASTROLABE_GUARDED_BY(io_mu_) = true;

  mutable Mutex mu_;
  CondVar changed_;
  std::thread::id reader_id_ ASTROLABE_GUARDED_BY(mu_);
  Phase phase_ ASTROLABE_GUARDED_BY(mu_) = Phase::kStarting;
  internal::v1::Hello hello_ ASTROLABE_GUARDED_BY(mu_);
  std::string end_text_ ASTROLABE_GUARDED_BY(mu_);
  std::string last_line_ ASTROLABE_GUARDED_BY(mu_);
  WorkerEvents* events_ ASTROLABE_GUARDED_BY(mu_) = nullptr;
  bool delivering_ ASTROLABE_GUARDED_BY(mu_) = false;
  bool killed_ ASTROLABE_GUARDED_BY(mu_) = false;
  bool recycle_ ASTROLABE_GUARDED_BY(mu_) = false;
  int running_ ASTROLABE_GUARDED_BY(mu_) = 0;
  int preloading_ ASTROLABE_GUARDED_BY(mu_) = 0;
  std::map<std::string, int64_t> held_ ASTROLABE_GUARDED_BY(mu_);
  std::string plugin_ ASTROLABE_GUARDED_BY(mu_);
  std::string stage_ ASTROLABE_GUARDED_BY(mu_);
};

// "it was ended by signal 11 (Segmentation fault)", "it exited with code 3", ...
std::string DescribeExit(const WorkerExit& exit);

}  // namespace astrolabe::workers

#endif  // ASTROLABE_DAEMON_WORKERS_WORKER_H_
