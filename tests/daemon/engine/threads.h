// Searches on several threads, in a test.
#ifndef ASTROLABE_TESTS_DAEMON_ENGINE_THREADS_H_
#define ASTROLABE_TESTS_DAEMON_ENGINE_THREADS_H_

#include <atomic>
#include <functional>
#include <thread>
#include <vector>

#include "daemon/engine/search.h"

namespace astrolabe::engine::testing {

class StdThreads final : public ThreadStarter {
 public:
  bool Run(int count, const std::function<void(int)>& body) override {
    ++runs_;
    std::vector<std::thread> threads;
    for (int i = 1; i < count; ++i) threads.emplace_back(body, i);
    body(0);
    for (std::thread& thread : threads) thread.join();
    return true;
  }
  int runs() const { return runs_; }

 private:
  int runs_ = 0;
};

class NoThreads final : public ThreadStarter {
 public:
  bool Run(int, const std::function<void(int)>&) override { return false; }
};

// The domains' evaluators keep nothing of a call: all threads share the request's.
inline void UseThreads(SearchRequest& request, int threads, ThreadStarter& starter) {
  request.threads = threads;
  request.thread_starter = &starter;
  request.thread_evaluators.assign(static_cast<size_t>(threads - 1), request.evaluators);
}

}  // namespace astrolabe::engine::testing

#endif  // ASTROLABE_TESTS_DAEMON_ENGINE_THREADS_H_
