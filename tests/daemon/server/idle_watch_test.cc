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

TEST(IdleWatch, BeingBusyCountsAsActivityUntilItEnds) {
  Signal idle;
  std::atomic<bool> busy{true};
  IdleWatch watch({[] { return Clock::time_point(); }, [&] { return busy.load(); }}, [&] { idle.Set(); });
  watch.SetTimeout(milliseconds(50));
  EXPECT_FALSE(idle.WaitFor(milliseconds(300)));
  busy = false;
  EXPECT_TRUE(idle.WaitFor(seconds(20)));
}

TEST(IdleWatch, ActivityPostponesIt) {
  Signal idle;
  std::atomic<int64_t> last{Clock::now().time_since_epoch().count()};
  IdleWatch watch({[&] { return Clock::time_point(Clock::duration(last.load())); }, [] { return false; }},
                  [&] { idle.Set(); });
  watch.SetTimeout(milliseconds(400));
  for (int i = 0; i < 8; ++i) {
    EXPECT_FALSE(idle.WaitFor(milliseconds(100)));
    last = Clock::now().time_since_epoch().count();
  }
  EXPECT_TRUE(idle.WaitFor(seconds(20)));
}

}  // namespace
}  // namespace astrolabe::server
