#include "daemon/server/listener.h"

#include <gtest/gtest.h>
#include <signal.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstring>
#include <filesystem>

#include "daemon/server/default_paths.h"
#include "tests/support/process.h"

namespace astrolabe::server {
namespace {

namespace fs = std::filesystem;

// A listening socket at `path`, as gRPC would make it.
Fd ListenAt(const std::string& path) {
  Fd fd(::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0));
  sockaddr_un address = {};
  address.sun_family = AF_UNIX;
  std::memcpy(address.sun_path, path.data(), path.size());
  EXPECT_EQ(::bind(fd.get(), reinterpret_cast<sockaddr*>(&address), sizeof address), 0) << std::strerror(errno);
  EXPECT_EQ(::listen(fd.get(), 4), 0);
  return fd;
}

bool Connects(const std::string& path) {
  const Fd fd(::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0));
  sockaddr_un address = {};
  address.sun_family = AF_UNIX;
  std::memcpy(address.sun_path, path.data(), path.size());
  return ::connect(fd.get(), reinterpret_cast<sockaddr*>(&address), sizeof address) == 0;
}

std::string BoundPath(const SocketClaim& claim) { return claim.BindAddress().substr(5); }

class ListenerTest : public ::testing::Test {
 protected:
  testing::TempFolder folder;
  const std::string path = folder / "d.sock";
};

TEST_F(ListenerTest, PublishesUnderTheNameAndRemovesItAtTheEnd) {
  {
    auto claim = SocketClaim::Take(path);
    ASSERT_TRUE(claim.ok()) << claim.error().message;
    const Fd listener = ListenAt(BoundPath(*claim));
    EXPECT_FALSE(fs::exists(path));
    ASSERT_TRUE(claim->Publish(0600).ok());
    EXPECT_TRUE(Connects(path));
    EXPECT_FALSE(fs::exists(BoundPath(*claim)));
    struct stat info;
    ASSERT_EQ(::stat(path.c_str(), &info), 0);
    EXPECT_EQ(info.st_mode & 0777, 0600u);
  }
  EXPECT_FALSE(fs::exists(path));
}

TEST_F(ListenerTest, ASecondClaimFailsAndHarmsNothing) {
  auto first = SocketClaim::Take(path);
  ASSERT_TRUE(first.ok());
  const Fd listener = ListenAt(BoundPath(*first));
  ASSERT_TRUE(first->Publish(0600).ok());
  const auto second = SocketClaim::Take(path);
  ASSERT_FALSE(second.ok());
  EXPECT_EQ(second.error().reason, "DAEMON_RUNNING");
  EXPECT_NE(second.error().message.find("already lives at unix:" + path), std::string::npos);
  EXPECT_NE(second.error().message.find(std::to_string(::getpid())), std::string::npos);
  EXPECT_TRUE(Connects(path));
}

TEST_F(ListenerTest, AfterKillMinusNineTheStaleSocketIsReplacedAtOnce) {
  int ready[2];
  ASSERT_EQ(::pipe(ready), 0);
  const pid_t child = ::fork();
  if (child == 0) {
    auto claim = SocketClaim::Take(path);
    const Fd listener = ListenAt(BoundPath(*claim));
    const bool published = claim->Publish(0600).ok();
    [[maybe_unused]] const ssize_t n = ::write(ready[1], published ? "y" : "n", 1);
    for (;;) ::pause();
  }
  char answer = 0;
  ASSERT_EQ(::read(ready[0], &answer, 1), 1);
  ASSERT_EQ(answer, 'y');
  EXPECT_FALSE(SocketClaim::Take(path).ok());
  ::kill(child, SIGKILL);
  ::waitpid(child, nullptr, 0);
  ASSERT_TRUE(fs::exists(path));
  auto claim = SocketClaim::Take(path);
  ASSERT_TRUE(claim.ok()) << claim.error().message;
  const Fd listener = ListenAt(BoundPath(*claim));
  ASSERT_TRUE(claim->Publish(0600).ok());
  EXPECT_TRUE(Connects(path));
}

TEST_F(ListenerTest, WhoeverAnswersWithoutTheLockIsNotRobbed) {
  const Fd stranger = ListenAt(path);
  const auto claim = SocketClaim::Take(path);
  ASSERT_FALSE(claim.ok());
  EXPECT_EQ(claim.error().reason, "DAEMON_RUNNING");
  EXPECT_TRUE(Connects(path));
}

TEST_F(ListenerTest, AFileThatIsNoSocketIsLeftAlone) {
  folder.Write("d.sock", "precious");
  const auto claim = SocketClaim::Take(path);
  ASSERT_FALSE(claim.ok());
  EXPECT_EQ(claim.error().code, ErrorCode::kFailedPrecondition);
  EXPECT_EQ(testing::ReadFile(path), "precious");
}

TEST_F(ListenerTest, RemoveLeavesASocketThatIsNotOurs) {
  auto claim = SocketClaim::Take(path);
  ASSERT_TRUE(claim.ok());
  const Fd listener = ListenAt(BoundPath(*claim));
  ASSERT_TRUE(claim->Publish(0600).ok());
  fs::remove(path);
  const Fd other = ListenAt(path);
  claim->Remove();
  EXPECT_TRUE(Connects(path));
}

TEST_F(ListenerTest, LeftoversOfDaemonsThatDiedBeforeTheRenameAreSwept) {
  { const Fd dead = ListenAt(path + ".12345"); }
  folder.Write("d.sock.9", "no socket");
  folder.Write("d.sock.admin", "another listener's");
  ASSERT_TRUE(SocketClaim::Take(path).ok());
  EXPECT_FALSE(fs::exists(path + ".12345"));
  EXPECT_TRUE(fs::exists(path + ".9"));
  EXPECT_TRUE(fs::exists(path + ".admin"));
}

TEST_F(ListenerTest, AMovedClaimIsRemovedOnce) {
  auto claim = SocketClaim::Take(path);
  ASSERT_TRUE(claim.ok());
  const Fd listener = ListenAt(BoundPath(*claim));
  ASSERT_TRUE(claim->Publish(0600).ok());
  {
    SocketClaim moved = std::move(*claim);
    EXPECT_TRUE(Connects(path));
  }
  EXPECT_FALSE(fs::exists(path));
}

TEST(PrivateDir, IsMadePrivateAndMustBeOurs) {
  testing::TempFolder folder;
  const std::string dir = folder / "new";
  ASSERT_TRUE(EnsurePrivateDir(dir).ok());
  struct stat info;
  ASSERT_EQ(::stat(dir.c_str(), &info), 0);
  EXPECT_EQ(info.st_mode & 0777, 0700u);
  ASSERT_TRUE(EnsurePrivateDir(dir).ok());
  ::chmod(dir.c_str(), 0755);
  EXPECT_NE(EnsurePrivateDir(dir).error().message.find("chmod 700"), std::string::npos);
  fs::create_directory_symlink(dir, folder / "link");
  EXPECT_FALSE(EnsurePrivateDir(folder / "link").ok());
  folder.Write("file", "");
  EXPECT_FALSE(EnsurePrivateDir(folder / "file").ok());
  if (::geteuid() == 0) {
    const std::string foreign = folder / "foreign";
    ASSERT_EQ(::mkdir(foreign.c_str(), 0700), 0);
    ASSERT_EQ(::chown(foreign.c_str(), 12345, 12345), 0);
    EXPECT_NE(EnsurePrivateDir(foreign).error().message.find("12345"), std::string::npos);
  }
}

}  // namespace
}  // namespace astrolabe::server
