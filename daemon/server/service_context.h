// What all service adapters share: who is connected, what was sent, and the settings that a reload changes.
#ifndef ASTROLABE_DAEMON_SERVER_SERVICE_CONTEXT_H_
#define ASTROLABE_DAEMON_SERVER_SERVICE_CONTEXT_H_

#include <atomic>
#include <chrono>
#include <cstdint>
#include <memory>
#include <mutex>

#include "astrolabe/v1/spec.pb.h"
#include "daemon/jobs/timer_queue.h"
#include "daemon/server/live_streams.h"
#include "daemon/server/request_budget.h"

namespace astrolabe::server {

// When a client last did something. Thread-safe.
class Activity {
 public:
  void Touch() { last_.store(Now(), std::memory_order_relaxed); }
  std::chrono::steady_clock::time_point last() const {
    return std::chrono::steady_clock::time_point(
        std::chrono::steady_clock::duration(last_.load(std::memory_order_relaxed)));
  }

 private:
  static int64_t Now() { return std::chrono::steady_clock::now().time_since_epoch().count(); }
  std::atomic<int64_t> last_{Now()};
};

struct StreamCounters {
  std::atomic<int64_t> events{0};
  std::atomic<int64_t> bytes{0};
  std::atomic<int64_t> streams{0};
};

// What SIGHUP changes under running adapters. Thread-safe.
class LiveSettings {
 public:
  void Set(const v1::Limits& default_limits, std::chrono::milliseconds drain_time) {
    const std::lock_guard lock(mutex_);
    default_limits_ = default_limits;
    drain_time_ = drain_time;
  }
  v1::Limits default_limits() const {
    const std::lock_guard lock(mutex_);
    return default_limits_;
  }
  std::chrono::milliseconds drain_time() const {
    const std::lock_guard lock(mutex_);
    return drain_time_;
  }

 private:
  mutable std::mutex mutex_;
  v1::Limits default_limits_;
  std::chrono::milliseconds drain_time_{5000};
};

// Outlives the servers.
struct ServiceContext {
  LiveStreams streams;
  Activity activity;
  StreamCounters counters;
  LiveSettings settings;
  RequestBudget requests;
  // Of calls that wait for their client. The daemon starts it; tests move its time.
  std::shared_ptr<jobs::TimerQueue> timers = std::make_shared<jobs::TimerQueue>();
};

}  // namespace astrolabe::server

#endif  // ASTROLABE_DAEMON_SERVER_SERVICE_CONTEXT_H_
