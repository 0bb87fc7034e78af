// What the control thread may do to a job while the work thread runs it.
#ifndef ASTROLABE_DAEMON_WORKER_JOB_CONTROL_H_
#define ASTROLABE_DAEMON_WORKER_JOB_CONTROL_H_

#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <mutex>
#include <optional>
#include <string>

#include "daemon/engine/search.h"

namespace astrolabe::worker {

using Deadline = std::optional<std::chrono::steady_clock::time_point>;

// Node bytes that may still be sent. Thread-safe.
class CreditGate {
 public:
  // initial 0: no bound.
  explicit CreditGate(int64_t initial) : bounded_(initial > 0), credit_(initial) {}

  void Add(int64_t bytes);
  // Opens for good: the job is to stop.
  void Open();

  // Takes `bytes`, going below zero if need be, once any credit is left. Waits for Add or Open, at most
  // until `deadline`; false when it passed (nothing taken).
  bool Take(int64_t bytes, const Deadline& deadline);
  // The same without waiting: false when there is no credit.
  bool TryTake(int64_t bytes);
  // Takes unconditionally: the last batch of a job.
  void Overdraw(int64_t bytes);

 private:
  bool HasCredit() const { return !bounded_ || open_ || credit_ > 0; }

  const bool bounded_;
  std::mutex mutex_;
  std::condition_variable changed_;
  int64_t credit_;
  bool open_ = false;
};

class JobControl {
 public:
  JobControl(std::string job, int64_t initial_credit, Deadline deadline)
      : job_(std::move(job)), deadline_(deadline), credit_(initial_credit) {}

  const std::string& job() const { return job_; }
  const Deadline& deadline() const { return deadline_; }
  const engine::StopToken& token() const { return token_; }
  CreditGate& credit() { return credit_; }

  // Any thread.
  void Stop(engine::StopCause cause) {
    token_.Request(cause);
    credit_.Open();
  }

  // True when the job should stop; a passed deadline counts as a stop of its own. Any thread.
  bool ShouldStop() {
    if (token_.cause() != engine::StopCause::kNone) return true;
    if (!deadline_ || std::chrono::steady_clock::now() < *deadline_) return false;
    Stop(engine::StopCause::kWallTime);
    return true;
  }

 private:
  const std::string job_;
  const Deadline deadline_;
  engine::StopToken token_;
  CreditGate credit_;
};

}  // namespace astrolabe::worker

#endif  // ASTROLABE_DAEMON_WORKER_JOB_CONTROL_H_
