#include "daemon/worker/search_threads.h"

#include <gtest/gtest.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/socket.h>

#include <atomic>
#include <barrier>
#include <set>
#include <thread>

#include "daemon/base/frame_io.h"
#include "daemon/worker/crash_reporter.h"
#include "daemon/worker/data_limit.h"
#include "daemon/worker/parallel.h"
#include "tests/daemon/worker/worker_process.h"

namespace astrolabe::worker {
namespace {

TEST(SearchThreads, RunAtTheSameTimeEachOnItsOwnTheCallerAmongThem) {
  constexpr int kCount = 5;
  std::barrier all_here(kCount);  // nobody gets through unless all run at once
  std::vector<std::thread::id> ids(kCount);
  EXPECT_TRUE(SearchThreadStarter().Run(kCount, [&](int i) {
    all_here.arrive_and_wait();
    ids[static_cast<size_t>(i)] = std::this_thread::get_id();
  }));
  EXPECT_EQ(ids[0], std::this_thread::get_id());
  EXPECT_EQ(std::set<std::thread::id>(ids.begin(), ids.end()).size(), ids.size());
}

TEST(SearchThreads, OfOneIsTheCaller) {
  int runs = 0;
  EXPECT_TRUE(SearchThreadStarter().Run(1, [&](int) { ++runs; }));
  EXPECT_EQ(runs, 1);
}

#ifndef ASTROLABE_SANITIZED  // sanitizers map terabytes: no limit can be set
TEST(SearchThreads, ThatCannotAllBeStartedRunNothing) {
  rlimit old{};
  ASSERT_EQ(::getrlimit(RLIMIT_DATA, &old), 0);
  rlimit limit = old;
  limit.rlim_cur = MappedDataBytes() + 8 * kHelperStackSize;  // some stacks, not all
  ASSERT_EQ(::setrlimit(RLIMIT_DATA, &limit), 0);
  std::atomic<int> runs = 0;
  const bool started = SearchThreadStarter().Run(64, [&](int) { ++runs; });
  ASSERT_EQ(::setrlimit(RLIMIT_DATA, &old), 0);
  EXPECT_FALSE(started);
  EXPECT_EQ(runs, 0);
  EXPECT_TRUE(SearchThreadStarter().Run(64, [&](int) { ++runs; }));
  EXPECT_EQ(runs, 64);
}
#endif

int __attribute__((noinline)) Overflow(int depth) {
  volatile char frame[512];
  frame[0] = static_cast<char>(depth);
  return depth == 1 << 30 ? 0 : Overflow(depth + 1) + frame[0];
}

// A handler needs a stack of its own on every thread to tell of an overflow.
TEST(SearchThreads, TellOfAStackThatOverflows) {
  ASTROLABE_NEEDS_PROMPT_SIGNALS();
  int pair[2];
  ASSERT_EQ(::socketpair(AF_UNIX, SOCK_STREAM, 0, pair), 0);
  const Fd ours(pair[0]);
  const Fd theirs(pair[1]);
  EXPECT_EXIT(
      {
        FrameWriter frames(theirs.get());
        StageTracker stage(&frames);
        CodeMap code;
        InstallCrashReporter(&frames, &stage, &code);
        SearchThreadStarter().Run(2, [](int i) {
          if (i == 1) Overflow(0);
        });
      },
      ::testing::KilledBySignal(SIGSEGV), "");
  const Result<Frame> frame = ReadFrame(ours.get());
  ASSERT_TRUE(frame.ok());
  EXPECT_EQ(frame->type, FrameType::kCrash);
}

}  // namespace
}  // namespace astrolabe::worker
