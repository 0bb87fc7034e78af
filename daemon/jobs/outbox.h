// Calls that must be made without locks: collected while a lock is held, made when the Outbox dies.
//
//   Outbox out;                        // first, so that it dies last
//   std::lock_guard lock(mu_);
//   log.Append(..., &out);             // notes whom to wake
//                                      // ~lock, then ~out: the calls are made
#ifndef ASTROLABE_DAEMON_JOBS_OUTBOX_H_
#define ASTROLABE_DAEMON_JOBS_OUTBOX_H_

#include <condition_variable>
#include <functional>
#include <memory>
#include <mutex>
#include <thread>
#include <utility>
#include <vector>

namespace astrolabe::jobs {

class Outbox {
 public:
  Outbox() = default;
  ~Outbox() { Flush(); }
  Outbox(const Outbox&) = delete;
  Outbox& operator=(const Outbox&) = delete;

  void Add(std::function<void()> call) { calls_.push_back(std::move(call)); }
  // Makes the calls noted so far, in order. Only with no lock held.
  void Flush() {
    while (!calls_.empty()) {
      std::vector<std::function<void()>> calls = std::exchange(calls_, {});
      for (auto& call : calls) call();
    }
  }

 private:
  std::vector<std::function<void()>> calls_;
};

// A callback that can be taken away for good. Thread-safe.
class Notifier {
 public:
  void Set(std::function<void()> ready) {
    std::lock_guard lock(mu_);
    ready_ = std::make_shared<const std::function<void()>>(std::move(ready));
  }

  void Call() {
    std::shared_ptr<const std::function<void()>> ready;
    {
      std::lock_guard lock(mu_);
      if (closed_ || ready_ == nullptr) return;
      ready = ready_;
      running_.push_back(std::this_thread::get_id());
    }
    (*ready)();
    ready.reset();
    {
      std::lock_guard lock(mu_);
      std::erase_if(running_, [me = std::this_thread::get_id(), done = false](std::thread::id id) mutable {
        return !done && id == me ? (done = true) : false;
      });
    }
    idle_.notify_all();
  }

  // No call runs or starts after it returns, but for one that this very thread is inside of.
  void Close() {
    std::unique_lock lock(mu_);
    closed_ = true;
    idle_.wait(lock, [this] {
      for (std::thread::id id : running_) {
        if (id != std::this_thread::get_id()) return false;
      }
      return true;
    });
    ready_.reset();
  }

 private:
  std::mutex mu_;
  std::condition_variable idle_;
  std::shared_ptr<const std::function<void()>> ready_;  // guarded by mu_
  std::vector<std::thread::id> running_;                // guarded by mu_
  bool closed_ = false;                                 // guarded by mu_
};

}  // namespace astrolabe::jobs

#endif  // ASTROLABE_DAEMON_JOBS_OUTBOX_H_
