// Why and when the daemon is to end. Set by signals and by idleness, waited for by main.
#ifndef ASTROLABE_DAEMON_SERVER_STOP_EVENT_H_
#define ASTROLABE_DAEMON_SERVER_STOP_EVENT_H_

#include <chrono>
#include <condition_variable>
#include <mutex>
#include <string>
#include <utility>

namespace astrolabe::server {

// Thread-safe.
class StopEvent {
 public:
  // The first reason is kept.
  void Request(std::string reason) {
    {
      const std::lock_guard lock(mutex_);
      if (requested_) return;
      requested_ = true;
      reason_ = std::move(reason);
    }
    changed_.notify_all();
  }
  // No more patience: the drain is cut short.
  void RequestNow(std::string reason) {
    Request(std::move(reason));
    const std::lock_guard lock(mutex_);
    now_ = true;
    changed_.notify_all();
  }
  std::string Wait() {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [&] { return requested_; });
    return reason_;
  }
  bool requested() const {
    const std::lock_guard lock(mutex_);
    return requested_;
  }
  bool now() const {
    const std::lock_guard lock(mutex_);
    return now_;
  }

 private:
  mutable std::mutex mutex_;
  std::condition_variable changed_;
  bool requested_ = false;
  bool now_ = false;
  std::string reason_;
};

}  // namespace astrolabe::server

#endif  // ASTROLABE_DAEMON_SERVER_STOP_EVENT_H_
