#include "daemon/worker/whereabouts.h"

#include <signal.h>
#include <unistd.h>

#include <atomic>
#include <mutex>
#include <vector>

#include "daemon/worker/crash_reporter.h"

namespace astrolabe::worker {
namespace {

constexpr int kAsk = SIGURG;

std::atomic<bool> answered{false};
std::atomic<const char*> answer{nullptr};
std::atomic<bool> by_frames{false};

struct Helpers {
  std::mutex mutex;  // a thread that is asked does not end meanwhile
  std::vector<pthread_t> threads;
};

Helpers& AllHelpers() {
  static auto* const helpers = new Helpers;  // never destroyed: plugins' threads may still run
  return *helpers;
}

void OnAsked(int, siginfo_t*, void* ucontext) {
  const char* plugin = by_frames.load(std::memory_order_relaxed) ? PluginOfFrames(ucontext) : PluginOfContext(ucontext);
  answer.store(plugin, std::memory_order_relaxed);
  answered.store(true, std::memory_order_release);
}

}  // namespace

void InstallWhereabouts() {
  struct sigaction action {};
  action.sa_sigaction = OnAsked;
  action.sa_flags = SA_SIGINFO | SA_ONSTACK | SA_RESTART;
  ::sigaction(kAsk, &action, nullptr);
}

namespace {

// False: no answer.
bool Ask(pthread_t thread, const char** plugin) {
  answered.store(false, std::memory_order_release);
  if (::pthread_kill(thread, kAsk) != 0) return false;
  for (int i = 0; i < 100; ++i) {
    if (answered.load(std::memory_order_acquire)) {
      *plugin = answer.load(std::memory_order_relaxed);
      return true;
    }
    ::usleep(100);
  }
  return false;
}

}  // namespace

HelperThread::HelperThread() {
  const std::lock_guard<std::mutex> lock(AllHelpers().mutex);
  AllHelpers().threads.push_back(::pthread_self());
}

HelperThread::~HelperThread() {
  const std::lock_guard<std::mutex> lock(AllHelpers().mutex);
  std::erase_if(AllHelpers().threads, [](pthread_t thread) { return ::pthread_equal(thread, ::pthread_self()) != 0; });
}

const char* PluginThatRuns(pthread_t work_thread) {
  const std::lock_guard<std::mutex> lock(AllHelpers().mutex);
  std::vector<pthread_t> threads = AllHelpers().threads;
  threads.push_back(work_thread);
  // First by the frames of their calls: the stack of a thread that waits for the others has old words of plugins on it.
  for (const bool frames : {true, false}) {
    by_frames.store(frames, std::memory_order_relaxed);
    for (const pthread_t thread : threads) {
      const char* plugin = nullptr;
      if (!Ask(thread, &plugin)) return nullptr;
      if (plugin != nullptr) return plugin;
    }
  }
  return nullptr;
}

}  // namespace astrolabe::worker
