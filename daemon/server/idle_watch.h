// Ends the daemon when nobody has needed it for a while.
#ifndef ASTROLABE_DAEMON_SERVER_IDLE_WATCH_H_
#define ASTROLABE_DAEMON_SERVER_IDLE_WATCH_H_

#include <chrono>
#include <condition_variable>
#include <functional>
#include <mutex>
#include <thread>

namespace astrolabe::server {

// Calls `on_idle` once, on its own thread, when for `timeout` no client was active and nothing was busy.
class IdleWatch {
 public:
  using Clock = std::chrono::steady_clock;
  struct Probe {
    std::function<Clock::time_point()> last_activity;
    // A stream is open, a job is queued, runs or is retained.
    std::function<bool()> busy;
  };

  IdleWatch(Probe probe, std::function<void()> on_idle);
  ~IdleWatch();

  // 0: never. May be called again; takes effect at once.
  void SetTimeout(std::chrono::milliseconds timeout);

 private:
  void Loop();

  const Probe probe_;
  const std::function<void()> on_idle_;
  std::mutex mutex_;
  std::condition_variable changed_;
  std::chrono::milliseconds timeout_{0};
  bool stopped_ = false;
  std::thread thread_;
};

}  // namespace astrolabe::server

#endif  // ASTROLABE_DAEMON_SERVER_IDLE_WATCH_H_
