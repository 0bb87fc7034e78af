#include <fcntl.h>
#include <signal.h>

#include <algorithm>

#include "daemon/base/fd.h"
#include "tests/daemon/workers/pool_fixture.h"

namespace astrolabe::workers {
namespace {

TEST_F(PoolTest, RunsAJobAndUsesTheWorkerAgain) {
  MakePool();
  EXPECT_EQ(pool_->hello().algorithms(0).id(), "fake");
  int pid = 0;
  for (int round = 0; round < 3; ++round) {
    Listener listener;
    std::unique_ptr<Lease> lease = Acquire(&listener);
    ASSERT_NE(lease, nullptr);
    if (round == 0) pid = lease->pid();
    ASSERT_TRUE(lease->Send(RunJob("round", {File("org.test.p", 1)})).ok());
    EXPECT_EQ(listener.WaitResult(), "round");
    lease->Release(true);
    // The one that holds nothing would be as good for a job without plugins, so ask for the plugin.
    Listener next;
    std::unique_ptr<Lease> again = Acquire(&next, {File("org.test.p", 1)});
    EXPECT_EQ(again->pid(), pid);
    again->Release(true);
  }
}

TEST_F(PoolTest, DeliversNodeBatchesInOrderAndUnparsed) {
  MakePool();
  Listener listener;
  std::unique_ptr<Lease> lease = Acquire(&listener);
  ASSERT_TRUE(lease->Send(RunJob("nodes")).ok());
  EXPECT_EQ(listener.WaitResult(), "nodes");
  lease->Release(true);
  ASSERT_EQ(listener.ordinals.size(), 100u);
  EXPECT_EQ(listener.node_count, 1000);
  for (int i = 0; i < 100; ++i) {
    EXPECT_EQ(listener.ordinals[static_cast<size_t>(i)], i * 10);
    EXPECT_EQ(listener.batches[static_cast<size_t>(i)], std::string(1000, static_cast<char>('a' + i % 26)));
  }
}

TEST_F(PoolTest, DeliversWhatTheWorkerPrintsBeforeTheResult) {
  MakePool();
  Listener listener;
  std::unique_ptr<Lease> lease = Acquire(&listener);
  ASSERT_TRUE(lease->Send(RunJob("print")).ok());
  EXPECT_EQ(listener.WaitResult(), "print");
  lease->Release(true);
  std::sort(listener.logs.begin(), listener.logs.end());
  EXPECT_EQ(listener.logs,
            (std::vector<std::string>{"stderr: to stderr ?", "stdout: to stdout", "stdout: unfinished"}));
}

TEST_F(PoolTest, LimitsAFloodOfPrintedLines) {
  MakePool();
  Listener listener;
  std::unique_ptr<Lease> lease = Acquire(&listener);
  ASSERT_TRUE(lease->Send(RunJob("print-megabyte")).ok());
  EXPECT_EQ(listener.WaitResult(), "print-megabyte");
  lease->Release(true);
  EXPECT_GE(listener.logs.size(), 200u);
  EXPECT_LT(listener.logs.size(), 2000u);
  EXPECT_NE(listener.logs.back().find("lines left out"), std::string::npos) << listener.logs.back();
}

TEST_F(PoolTest, ReleasesFromWithinTheLeasesOwnEvent) {
  MakePool();
  for (int round = 0; round < 50; ++round) {
    Listener listener;
    std::unique_ptr<Lease> lease = Acquire(&listener);
    std::atomic<bool> released = false;
    listener.on_message = [&](const internal::v1::ToDaemon& message) {
      if (!message.has_result()) return;
      lease->Release(true);
      released = true;
    };
    ASSERT_TRUE(lease->Send(RunJob("go")).ok());
    ASSERT_TRUE(Eventually([&] { return released.load(); }));
    std::lock_guard lock(listener.mutex);
    EXPECT_EQ(listener.results.size(), 1u);
    EXPECT_FALSE(listener.exit.has_value());
  }
}

TEST_F(PoolTest, SendsNothingAfterRelease) {
  MakePool();
  Listener listener;
  std::unique_ptr<Lease> lease = Acquire(&listener);
  lease->Release(true);
  EXPECT_EQ(lease->Send(RunJob("late")).error().reason, "LEASE_RELEASED");
  lease->Kill("late");
  EXPECT_EQ(pool_->load().leased, 0);
  Listener other;
  std::unique_ptr<Lease> next = Acquire(&other);
  ASSERT_TRUE(next->Send(RunJob("fine")).ok());
  EXPECT_EQ(other.WaitResult(), "fine");
}

TEST_F(PoolTest, ReplacesAWorkerThatIsReleasedWithoutReuse) {
  MakePool();
  Listener listener;
  std::unique_ptr<Lease> lease = Acquire(&listener);
  const int pid = lease->pid();
  lease->Release(false);
  EXPECT_TRUE(Eventually([&] { return ::kill(pid, 0) != 0; })) << "it still lives";
  EXPECT_TRUE(Eventually([&] { return pool_->load().idle == 1; }));
  EXPECT_FALSE(listener.exit.has_value());
}

TEST_F(PoolTest, KillsAWorkerWhoseLeaseIsDroppedWithoutRelease) {
  MakePool();
  Listener listener;
  std::unique_ptr<Lease> lease = Acquire(&listener);
  const int pid = lease->pid();
  ASSERT_TRUE(lease->Send(RunJob("hang")).ok());
  lease.reset();
  EXPECT_TRUE(Eventually([&] { return ::kill(pid, 0) != 0; }));
}

TEST_F(PoolTest, EndsAWorkerThatAsksToBeRecycled) {
  MakePool();
  Listener listener;
  std::unique_ptr<Lease> lease = Acquire(&listener);
  const int pid = lease->pid();
  ASSERT_TRUE(lease->Send(RunJob("recycle")).ok());
  EXPECT_EQ(listener.WaitResult(), "recycle");
  lease->Release(true);
  EXPECT_TRUE(Eventually([&] { return ::kill(pid, 0) != 0; }));
}

TEST_F(PoolTest, DoesNotUseAWorkerAgainWhoseJobStillRuns) {
  MakePool();
  Listener listener;
  std::unique_ptr<Lease> lease = Acquire(&listener);
  const int pid = lease->pid();
  ASSERT_TRUE(lease->Send(RunJob("until-stop")).ok());
  lease->Release(true);
  EXPECT_TRUE(Eventually([&] { return ::kill(pid, 0) != 0; }));
}

TEST_F(PoolTest, SendsWhileTheWorkerRuns) {
  MakePool();
  Listener listener;
  std::unique_ptr<Lease> lease = Acquire(&listener);
  ASSERT_TRUE(lease->Send(RunJob("until-stop")).ok());
  internal::v1::ToWorker stop;
  stop.mutable_stop()->set_job("until-stop");
  ASSERT_TRUE(lease->Send(stop).ok());
  EXPECT_EQ(listener.WaitResult(), "stopped");
}

TEST_F(PoolTest, SendsMessagesLargerThanTheSocketTakes) {
  MakePool();
  Listener listener;
  std::unique_ptr<Lease> lease = Acquire(&listener);
  internal::v1::ToWorker message = RunJob("big");
  message.mutable_run()->mutable_spec()->set_text(std::string(20 << 20, 'x'));
  ASSERT_TRUE(lease->Send(message).ok());
  EXPECT_EQ(listener.WaitResult(), "big");
}

TEST_F(PoolTest, RefusesAMessageAboveTheFrameLimit) {
  MakePool();
  Listener listener;
  std::unique_ptr<Lease> lease = Acquire(&listener);
  internal::v1::ToWorker message = RunJob("big");
  message.mutable_run()->mutable_spec()->set_text(std::string(65 << 20, 'x'));
  EXPECT_EQ(lease->Send(message).error().code, ErrorCode::kResourceExhausted);
  ASSERT_TRUE(lease->Send(RunJob("small")).ok());
  EXPECT_EQ(listener.WaitResult(), "small");
}

TEST_F(PoolTest, RefusesWhenAllWorkersAreBusyAndServesAgainAfterwards) {
  options_.max_workers = 2;
  MakePool();
  Listener listeners[2];
  std::unique_ptr<Lease> first = Acquire(&listeners[0]);
  std::unique_ptr<Lease> second = Acquire(&listeners[1]);
  Listener third;
  Result<std::unique_ptr<Lease>> refused = pool_->Acquire({}, &third);
  ASSERT_FALSE(refused.ok());
  EXPECT_EQ(refused.error().reason, "NO_WORKER");
  EXPECT_EQ(pool_->load().leased, 2);
  first->Release(true);
  std::unique_ptr<Lease> served = Acquire(&third);
  EXPECT_NE(served, nullptr);
}

TEST_F(PoolTest, NeverGivesAWorkerThatHoldsAnotherGeneration) {
  options_.max_workers = 1;
  MakePool();
  Listener old_listener;
  std::unique_ptr<Lease> lease = Acquire(&old_listener, {File("org.test.p", 1)});
  const int pid = lease->pid();
  ASSERT_TRUE(lease->Send(RunJob("one", {File("org.test.p", 1)})).ok());
  EXPECT_EQ(old_listener.WaitResult(), "one");
  EXPECT_EQ(lease->Send(RunJob("two", {File("org.test.p", 2)})).error().reason, "GENERATION_CONFLICT");
  lease->Release(true);
  // There is room for one only: the old one must go.
  Listener new_listener;
  lease = Acquire(&new_listener, {File("org.test.p", 2)});
  ASSERT_NE(lease, nullptr);
  EXPECT_NE(lease->pid(), pid);
  ASSERT_TRUE(lease->Send(RunJob("two", {File("org.test.p", 2)})).ok());
  EXPECT_EQ(new_listener.WaitResult(), "two");
}

TEST_F(PoolTest, GivesTheWorkerThatHoldsMostOfThePlugins) {
  MakePool();
  const PluginFile a = File("org.test.a", 1);
  const PluginFile b = File("org.test.b", 2);
  Listener listeners[3];
  std::unique_ptr<Lease> leases[3] = {Acquire(&listeners[0]), Acquire(&listeners[1]), Acquire(&listeners[2])};
  const std::vector<PluginFile> sets[3] = {{a}, {a, b}, {}};
  for (int i = 0; i < 3; ++i) {
    ASSERT_TRUE(leases[i]->Send(RunJob("go", sets[i])).ok());
    EXPECT_EQ(listeners[i].WaitResult(), "go");
  }
  const int one = leases[0]->pid();
  const int both = leases[1]->pid();
  for (auto& lease : leases) lease->Release(true);
  Listener listener;
  std::unique_ptr<Lease> lease = Acquire(&listener, {a, b});
  EXPECT_EQ(lease->pid(), both);
  lease->Release(true);
  lease = Acquire(&listener, {a});
  EXPECT_EQ(lease->pid(), one) << "the one with the least besides";
}

TEST_F(PoolTest, GivesWorkersExactlyTheirDescriptorsAndEnvironment) {
  Fd leaked(::open("/dev/null", O_RDONLY));  // not close-on-exec
  ::setenv("ASTROLABE_TEST_SECRET", "1", 1);
  MakePool();
  Listener first;
  std::unique_ptr<Lease> lease = Acquire(&first);
  ASSERT_TRUE(lease->Send(RunJob("descriptors")).ok());
  EXPECT_EQ(first.WaitResult(), "0 1 2 3 ");
  lease->Release(true);
  Listener second;
  lease = Acquire(&second);
  ASSERT_TRUE(lease->Send(RunJob("environment")).ok());
  const std::string environment = second.WaitResult();
  EXPECT_NE(environment.find("ASTROLABE_CACHE_DIR=" + dir_ + "\n"), std::string::npos);
  EXPECT_NE(environment.find("MALLOC_ARENA_MAX=2\n"), std::string::npos);
  EXPECT_EQ(environment.find("ASTROLABE_TEST_SECRET"), std::string::npos);
}

TEST_F(PoolTest, ShutdownTellsTheLeasesAndLeavesNothingBehind) {
  const int descriptors = CountOpenDescriptors();
  MakePool();
  Listener busy;
  Listener idle;
  std::unique_ptr<Lease> first = Acquire(&busy);
  std::unique_ptr<Lease> second = Acquire(&idle);
  ASSERT_TRUE(first->Send(RunJob("hang")).ok());
  pool_->Shutdown();
  ASSERT_TRUE(busy.exit.has_value());
  EXPECT_TRUE(busy.exit->killed_by_us);
  EXPECT_TRUE(idle.exit.has_value());
  EXPECT_EQ(CountChildren(), 0);
  EXPECT_EQ(first->Send(RunJob("late")).error().code, ErrorCode::kUnavailable);
  Listener late;
  EXPECT_EQ(pool_->Acquire({}, &late).error().reason, "SHUTTING_DOWN");
  pool_->Shutdown();
  pool_.reset();
  first.reset();
  second.reset();
  EXPECT_EQ(CountOpenDescriptors(), descriptors);
}

TEST_F(PoolTest, ServesManyThreadsAtOnce) {
  options_.max_workers = 8;
  options_.warm_workers = 2;
  MakePool();
  std::vector<std::thread> threads;
  std::atomic<int> good = 0;
  for (int t = 0; t < 6; ++t) {
    threads.emplace_back([&, t] {
      for (int i = 0; i < 25; ++i) {
        Listener listener;
        const PluginFile plugin = File("org.test.p" + std::to_string(t % 2), i / 10);
        std::unique_ptr<Lease> lease = Acquire(&listener, {plugin});
        if (lease == nullptr) return;
        const bool kill = i % 5 == 4;
        if (!lease->Send(RunJob(kill ? "until-stop" : "go", {plugin})).ok()) continue;
        if (kill) {
          lease->Kill("test");
          if (listener.WaitGone()) ++good;
        } else if (listener.WaitResult() == "go") {
          ++good;
        }
        lease->Release(true);
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(good, 150);
}

}  // namespace
}  // namespace astrolabe::workers
