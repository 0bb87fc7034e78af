#include "daemon/worker/search_threads.h"

#include <pthread.h>

#include <condition_variable>
#include <mutex>
#include <vector>

#include "daemon/worker/crash_reporter.h"
#include "daemon/worker/parallel.h"
#include "daemon/worker/whereabouts.h"

namespace astrolabe::worker {
namespace {

// Holds threads back until it is known whether all of them could be started.
class Gate {
 public:
  void Open(bool go) {
    {
      std::lock_guard<std::mutex> lock(mutex_);
      state_ = go ? State::kGo : State::kLeave;
    }
    changed_.notify_all();
  }
  // False: there is nothing to do.
  bool Pass() {
    std::unique_lock<std::mutex> lock(mutex_);
    changed_.wait(lock, [this] { return state_ != State::kShut; });
    return state_ == State::kGo;
  }

 private:
  enum class State { kShut, kGo, kLeave };
  std::mutex mutex_;
  std::condition_variable changed_;
  State state_ = State::kShut;
};

struct Member {
  Gate* gate;
  const std::function<void(int)>* body;
  int index;
  pthread_t thread;
};

// noexcept: an exception that gets here ends the process with its text, on whatever thread.
void* MemberMain(void* arg) noexcept {
  const ThreadCrashScope crash_scope;
  const HelperThread helper;
  const Member& member = *static_cast<const Member*>(arg);
  if (member.gate->Pass()) (*member.body)(member.index);
  return nullptr;
}

}  // namespace

bool SearchThreadStarter::Run(int count, const std::function<void(int)>& body) {
  Gate gate;
  std::vector<Member> members;
  members.reserve(static_cast<size_t>(count));  // their addresses are with the threads
  pthread_attr_t attributes;
  ::pthread_attr_init(&attributes);
  ::pthread_attr_setstacksize(&attributes, kHelperStackSize);
  bool all = true;
  for (int i = 1; all && i < count; ++i) {
    Member& member = members.emplace_back(Member{&gate, &body, i, {}});
    if (::pthread_create(&member.thread, &attributes, MemberMain, &member) != 0) {
      members.pop_back();
      all = false;
    }
  }
  ::pthread_attr_destroy(&attributes);
  gate.Open(all);
  if (all) body(0);
  for (const Member& member : members) ::pthread_join(member.thread, nullptr);
  return all;
}

}  // namespace astrolabe::worker
