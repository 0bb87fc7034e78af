#include <signal.h>

#include "tests/daemon/workers/pool_fixture.h"

namespace astrolabe::workers {
namespace {

TEST_F(PoolTest, KeepsTheAskedNumberOfWorkersReady) {
  options_.warm_workers = 2;
  MakePool();
  ASSERT_TRUE(Eventually([&] { return pool_->load().idle == 2; }));
  Listener listener;
  std::unique_ptr<Lease> lease = Acquire(&listener);
  ASSERT_TRUE(Eventually([&] { return pool_->load().idle == 2 && pool_->load().leased == 1; }));
}

TEST_F(PoolTest, WarmLoadsThePluginsInIdleAndInNewWorkers) {
  MakePool();
  const PluginFile plugin = File("org.test.p", 3);
  // Another generation first: it must make way.
  pool_->Warm({File("org.test.p", 2)});
  pool_->Warm({plugin});
  for (int round = 0; round < 3; ++round) {
    // Nothing of the preload may reach a job, whenever it begins.
    Listener listener;
    std::unique_ptr<Lease> lease = Acquire(&listener, {plugin});
    ASSERT_NE(lease, nullptr);
    ASSERT_TRUE(lease->Send(RunJob("go", {plugin})).ok());
    EXPECT_EQ(listener.WaitResult(), "go");
    EXPECT_EQ(listener.messages.size(), 1u);
    lease->Release(false);
  }
}

TEST_F(PoolTest, DropIdleEndsWorkersThatHoldARetiredGeneration) {
  MakePool();
  Listener listener;
  std::unique_ptr<Lease> lease = Acquire(&listener);
  ASSERT_TRUE(lease->Send(RunJob("go", {File("org.test.p", 1)})).ok());
  EXPECT_EQ(listener.WaitResult(), "go");
  const int pid = lease->pid();
  lease->Release(true);
  pool_->DropIdle([](const std::string& id, int64_t generation) { return id == "org.test.p" && generation == 2; });
  EXPECT_EQ(::kill(pid, 0), 0) << "generation 1 is not retired";
  pool_->DropIdle([](const std::string& id, int64_t generation) { return id == "org.test.p" && generation == 1; });
  EXPECT_TRUE(Eventually([&] { return ::kill(pid, 0) != 0; }));
}

TEST_F(PoolTest, EndsAReleasedWorkerThatHoldsARetiredGeneration) {
  MakePool();
  Listener listener;
  std::unique_ptr<Lease> lease = Acquire(&listener);
  ASSERT_TRUE(lease->Send(RunJob("go", {File("org.test.p", 1)})).ok());
  EXPECT_EQ(listener.WaitResult(), "go");
  pool_->Warm({File("org.test.p", 2)});
  const int pid = lease->pid();
  lease->Release(true);
  EXPECT_TRUE(Eventually([&] { return ::kill(pid, 0) != 0; }));
}

TEST_F(PoolTest, StopsPreloadingAPluginThatKeepsKillingWorkers) {
  MakePool();
  pool_->Warm({File("org.test.crash-on-load", 1)});
  ASSERT_TRUE(Eventually([&] { return Logged("it crashed"); }));
  // In the end an idle worker stays, and serves.
  ASSERT_TRUE(Eventually([&] {
    Listener listener;
    Result<std::unique_ptr<Lease>> lease = pool_->Acquire({}, &listener);
    if (!lease.ok() || !(*lease)->Send(RunJob("fine")).ok()) return false;
    const bool fine = listener.WaitResult() == "fine";
    (*lease)->Release(true);
    return fine;
  }));
}

TEST_F(PoolTest, EndsAWorkerThatCouldNotPreloadAndSaysWhy) {
  MakePool();
  pool_->Warm({File("org.test.refused", 1)});
  ASSERT_TRUE(Eventually([&] { return Logged("could not load a plugin"); }));
  Listener listener;
  std::unique_ptr<Lease> lease = Acquire(&listener);
  ASSERT_TRUE(lease->Send(RunJob("fine")).ok());
  EXPECT_EQ(listener.WaitResult(), "fine");
}

}  // namespace
}  // namespace astrolabe::workers
