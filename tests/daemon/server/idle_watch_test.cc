#include "daemon/server/idle_watch.h"

#include <gtest/gtest.h>

#include <atomic>
#include <condition_variable>
#include <mutex>

namespace astrolabe::server {
namespace {

using std::chrono::milliseconds;
using std::chrono::seconds;
using Clock = IdleWatch::Clock;

// Counts and can be waited for.
class Signal {
 public:
  void Set() {
    const std::lock_guard lock(mutex_);
    ++count_;
    changed_.notify_all();
  }
  bool WaitFor(milliseconds timeout) {
    std::unique_lock lock(mutex_);
    return changed_.wait_for(lock, timeout, [&] { return count_ > 0; });
  }

 private:
  std::mutex mutex_;
  std::condition_variable changed_;
  int count_ = 0;
};

TEST(IdleWatch, CallsWhenNothingHappenedForTheTimeout) {
  Signal idle;
  const auto start = Clock::now();
  IdleWatch watch({[&] { return start; }, [] { return false; }}, [&] { idle.Set(); });
  watch.SetTimeout(milliseconds(150));
  ASSERT_TRUE(idle.WaitFor(seconds(20)));
  EXPECT_GE(Clock::now() - start, milliseconds(150));
}

TEST(IdleWatch, ZeroMeansNever) {
  Signal idle;
  IdleWatch watch({[] { return Clock::time_point(); }, [] { return false; }}, [&] { idle.Set(); });
  watch.SetTimeout(milliseconds(0));
  EXPECT_FALSE(idle.WaitFor(milliseconds(150)));
}

// Counts the questions of the watch, so that a test waits for them and not for a time.
class Questions {
 public:
  void Ask() {
    const std::lock_guard lock(mutex_);
    ++count_;
    changed_.notify_all();
  }
  bool WaitFor(int count) {
    std::unique_lock lock(mutex_);
    return changed_.wait_for(lock, seconds(20), [&] { return count_ >= count; });
  }

 private:
  std::mutex mutex_;
  std::condition_variable changed_;
  int count_ = 0;
};

TEST(IdleWatch, BeingBusyCountsAsActivityUntilItEnds) {
  Signal idle;
  Questions questions;
  std::atomic<bool> busy{true};
  IdleWatch watch({[] { return Clock::time_point(); },
                   [&] {
                     questions.Ask();
                     return busy.load();
                   }},
                  [&] { idle.Set(); });
  watch.SetTimeout(milliseconds(200));
  EXPECT_TRUE(questions.WaitFor(4));
  EXPECT_FALSE(idle.WaitFor(milliseconds(0)));
  busy = false;
  EXPECT_TRUE(idle.WaitFor(seconds(20)));
}

TEST(IdleWatch, ActivityPostponesIt) {
  Signal idle;
  Questions questions;
  std::atomic<bool> active{true};
  const auto start = Clock::now();
  IdleWatch watch({[&] {
                     questions.Ask();
                     return active ? Clock::now() : start;
                   },
                   [] { return false; }},
                  [&] { idle.Set(); });
  watch.SetTimeout(milliseconds(200));
  EXPECT_TRUE(questions.WaitFor(4));
  EXPECT_FALSE(idle.WaitFor(milliseconds(0)));
  active = false;
  EXPECT_TRUE(idle.WaitFor(seconds(20)));
}

}  // namespace
}  // namespace astrolabe::server
