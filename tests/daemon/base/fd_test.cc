#include "daemon/base/fd.h"

#include <fcntl.h>
#include <gtest/gtest.h>

namespace astrolabe {
namespace {

bool IsOpen(int fd) { return ::fcntl(fd, F_GETFD) != -1; }
int OpenSomething() { return ::open("/dev/null", O_RDONLY | O_CLOEXEC); }

TEST(Fd, ClosesWhenItGoes) {
  const int raw = OpenSomething();
  { const Fd fd(raw); }
  EXPECT_FALSE(IsOpen(raw));
}

TEST(Fd, MovesOwnership) {
  Fd first(OpenSomething());
  const int raw = first.get();
  Fd second(std::move(first));
  EXPECT_EQ(second.get(), raw);
  EXPECT_TRUE(IsOpen(raw));
  second = Fd();
  EXPECT_FALSE(IsOpen(raw));
  EXPECT_FALSE(second.valid());
}

TEST(Fd, ReleaseGivesUpOwnership) {
  Fd fd(OpenSomething());
  const int raw = fd.Release();
  EXPECT_FALSE(fd.valid());
  EXPECT_TRUE(IsOpen(raw));
  ::close(raw);
}

}  // namespace
}  // namespace astrolabe
