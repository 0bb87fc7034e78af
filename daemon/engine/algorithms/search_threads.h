// SearchThreads: the threads of one search, and the thread that was called, which alone may touch the Runner: it waits,
// and every few milliseconds asks whether to go on.
#ifndef ASTROLABE_DAEMON_ENGINE_ALGORITHMS_SEARCH_THREADS_H_
#define ASTROLABE_DAEMON_ENGINE_ALGORITHMS_SEARCH_THREADS_H_

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <exception>
#include <functional>
#include <mutex>

#include "daemon/engine/search.h"

namespace astrolabe::engine {

class SearchThreads {
 public:
  // starter null, or count 1: the calling thread searches, and asks between nodes.
  SearchThreads(ThreadStarter* starter, int count) : starter_(starter), count_(starter != nullptr ? count : 1) {}
  SearchThreads(const SearchThreads&) = delete;
  SearchThreads& operator=(const SearchThreads&) = delete;

  int count() const { return count_; }

  // Runs body(i) for each i < count, at once, and returns when all have. poll() is called on the calling thread; false
  // stops all. wake() is called, on any thread, after a stop: for bodies that wait for something else. The first
  // exception of any of them stops all and comes out in the end. False: the threads could not be started, and nothing
  // was run. May be called again.
  bool Run(const std::function<void(int)>& body, const std::function<bool()>& poll,
           const std::function<void()>& wake = {});

  // --- called by bodies ---
  // False: return soon. To be asked often: it costs one load, or, alone, a look at the clock.
  bool GoOn() {
    if (poll_inline_ != nullptr) return GoOnInline();
    return !stop_.load(std::memory_order_relaxed);
  }
  void Stop();
  bool alone() const { return count_ == 1; }

 private:
  using Clock = std::chrono::steady_clock;

  bool GoOnInline();
  void Guarded(const std::function<void()>& call);
  void Wait(const std::function<bool()>& poll);

  ThreadStarter* const starter_;
  const int count_;
  std::atomic<bool> stop_{false};
  const std::function<bool()>* poll_inline_ = nullptr;  // set while the calling thread searches
  Clock::time_point polled_at_;

  std::mutex mutex_;
  std::condition_variable changed_;
  int running_ = 0;           // guarded by mutex_
  std::exception_ptr error_;  // guarded by mutex_
  std::function<void()> wake_;
};

}  // namespace astrolabe::engine

#endif  // ASTROLABE_DAEMON_ENGINE_ALGORITHMS_SEARCH_THREADS_H_
