#include "daemon/worker/parallel.h"

#include <pthread.h>

#include <algorithm>
#include <atomic>
#include <vector>

#include "daemon/worker/crash_reporter.h"
#include "daemon/worker/stage.h"
#include "daemon/worker/whereabouts.h"

namespace astrolabe::worker {
namespace {

thread_local bool inside_task = false;

struct Work {
  uint64_t count;
  void (*task)(void* arg, uint64_t i);
  void* arg;
  std::atomic<uint64_t> next{0};

  // noexcept: an exception of the plugin ends the process with its text, on whatever thread.
  void Run() noexcept {
    const FunctionScope function("parallel_for task");
    inside_task = true;
    for (uint64_t i = next.fetch_add(1); i < count; i = next.fetch_add(1)) task(arg, i);
    inside_task = false;
  }
};

void* HelperMain(void* work) {
  const ThreadCrashScope crash_scope;
  const HelperThread helper;
  static_cast<Work*>(work)->Run();
  return nullptr;
}

}  // namespace

void ParallelFor(int threads, uint64_t count, void (*task)(void* arg, uint64_t i), void* arg) {
  if (inside_task) {
    for (uint64_t i = 0; i < count; ++i) task(arg, i);
    return;
  }
  Work work{count, task, arg};
  std::vector<pthread_t> helpers;
  const uint64_t wanted = std::min<uint64_t>(static_cast<uint64_t>(std::max(threads, 1)), count);
  helpers.reserve(wanted);
  pthread_attr_t attributes;
  ::pthread_attr_init(&attributes);
  ::pthread_attr_setstacksize(&attributes, kHelperStackSize);
  for (uint64_t i = 1; i < wanted; ++i) {
    pthread_t thread;
    if (::pthread_create(&thread, &attributes, HelperMain, &work) != 0) break;
    helpers.push_back(thread);
  }
  ::pthread_attr_destroy(&attributes);
  work.Run();
  for (pthread_t thread : helpers) ::pthread_join(thread, nullptr);
}

}  // namespace astrolabe::worker
