#include "daemon/server/idle_watch.h"

#include <algorithm>
#include <utility>

namespace astrolabe::server {
namespace {

// How often a busy daemon is looked at again: what ends its being busy (a result that is dropped) tells nobody.
constexpr std::chrono::milliseconds kLongestPause{1000};
constexpr std::chrono::milliseconds kShortestPause{10};

}  // namespace

IdleWatch::IdleWatch(Probe probe, std::function<void()> on_idle)
    : probe_(std::move(probe)), on_idle_(std::move(on_idle)), thread_([this] { Loop(); }) {}

IdleWatch::~IdleWatch() {
  {
    const std::lock_guard lock(mutex_);
    stopped_ = true;
  }
  changed_.notify_all();
  thread_.join();
}

void IdleWatch::SetTimeout(std::chrono::milliseconds timeout) {
  {
    const std::lock_guard lock(mutex_);
    timeout_ = timeout;
  }
  changed_.notify_all();
}

void IdleWatch::Loop() {
  Clock::time_point busy_until = Clock::now();
  std::unique_lock lock(mutex_);
  while (!stopped_) {
    if (timeout_.count() == 0) {
      changed_.wait(lock);
      busy_until = Clock::now();
      continue;
    }
    const std::chrono::milliseconds timeout = timeout_;
    lock.unlock();
    if (probe_.busy()) busy_until = Clock::now();
    const auto quiet = Clock::now() - std::max(busy_until, probe_.last_activity());
    if (quiet >= timeout) return on_idle_();
    lock.lock();
    const auto left = std::chrono::ceil<std::chrono::milliseconds>(timeout - quiet);
    if (!stopped_) changed_.wait_for(lock, std::clamp(left, kShortestPause, kLongestPause));
  }
}

}  // namespace astrolabe::server
