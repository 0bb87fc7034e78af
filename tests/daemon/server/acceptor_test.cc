#include "daemon/server/acceptor.h"

#include <gtest/gtest.h>
#include <sys/resource.h>
#include <unistd.h>

#include <atomic>
#include <string>
#include <thread>

#include "daemon/server/listening_socket.h"
#include "tests/support/process.h"
#include "tests/support/raw_socket.h"

namespace astrolabe::server {
namespace {

using testing::ConnectTo;
using testing::Eventually;

class AcceptorTest : public ::testing::Test {
 protected:
  void Start(ConnectionLimit limit = {}) {
    Result<Listening> listening = Listen("unix:" + path_);
    ASSERT_TRUE(listening.ok()) << listening.error().message;
    acceptor_ = std::make_unique<Acceptor>(std::move(listening->sockets), std::move(limit), [this](Fd) { ++taken_; });
  }
  // The other side closed it.
  static bool Closed(const Fd& fd) {
    char byte = 0;
    return ::read(fd.get(), &byte, 1) == 0;
  }

  testing::TempFolder folder_;
  const std::string path_ = folder_ / "s";
  std::atomic<int> taken_ = 0;
  std::unique_ptr<Acceptor> acceptor_;
};

TEST_F(AcceptorTest, HandsOverConnectionsUntilItGoes) {
  Start();
  for (int i = 0; i < 20; ++i) EXPECT_TRUE(ConnectTo(path_).valid());
  EXPECT_TRUE(Eventually([&] { return taken_ == 20; })) << taken_;
  acceptor_.reset();
  EXPECT_FALSE(ConnectTo(path_).valid()) << "nobody listens there any more";
}

TEST_F(AcceptorTest, ConnectionsAboveTheLimitGoToWhoeverRefuses) {
  std::atomic<int> refused = 0;
  std::atomic<int> told = 0;
  ConnectionLimit limit;
  limit.full_at = 0;
  limit.refuse = [&](Fd) { ++refused; };
  limit.log = [&](std::string_view level, std::string_view) { told += level == "warning" ? 1 : 0; };
  Start(limit);
  for (int i = 0; i < 5; ++i) EXPECT_TRUE(ConnectTo(path_).valid());
  EXPECT_TRUE(Eventually([&] { return refused == 5; })) << refused;
  EXPECT_EQ(taken_, 0);
  EXPECT_EQ(told, 1) << "once in a while";
}

TEST_F(AcceptorTest, FarAboveTheLimitTheyAreClosed) {
  ConnectionLimit limit;
  limit.full_at = 0;
  limit.close_at = 0;
  limit.refuse = [](Fd) { ADD_FAILURE() << "there is no room to refuse it properly"; };
  Start(limit);
  const Fd client = ConnectTo(path_);
  ASSERT_TRUE(client.valid());
  EXPECT_TRUE(Closed(client));
}

// Of this thread and all others.
std::chrono::microseconds CpuTime() {
  rusage used = {};
  ::getrusage(RUSAGE_SELF, &used);
  const auto of = [](const timeval& t) {
    return std::chrono::seconds(t.tv_sec) + std::chrono::microseconds(t.tv_usec);
  };
  return of(used.ru_utime) + of(used.ru_stime);
}

TEST_F(AcceptorTest, WithoutADescriptorItNeitherSpinsNorGoesDeaf) {
  Start();
  rlimit before = {};
  ASSERT_EQ(::getrlimit(RLIMIT_NOFILE, &before), 0);
  // The client gets the last one.
  const int lowest = Fd(::dup(0)).get();  // closed again
  rlimit none_left = before;
  none_left.rlim_cur = static_cast<rlim_t>(lowest) + 1;
  ASSERT_EQ(::setrlimit(RLIMIT_NOFILE, &none_left), 0);
  const Fd client = ConnectTo(path_);
  const auto used = CpuTime();
  std::this_thread::sleep_for(std::chrono::milliseconds(300));  // in which it could spin
  const auto spent = CpuTime() - used;
  ASSERT_EQ(::setrlimit(RLIMIT_NOFILE, &before), 0);
  EXPECT_TRUE(client.valid());
  EXPECT_LT(spent, std::chrono::milliseconds(100));
  EXPECT_TRUE(Eventually([&] { return taken_ == 1; })) << "it is taken as soon as there is a descriptor";
}

}  // namespace
}  // namespace astrolabe::server
