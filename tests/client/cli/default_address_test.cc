#include "client/cli/default_address.h"

#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cstdlib>

#include "client/cli/autostart.h"
#include "tests/support/process.h"

namespace astrolabe::cli {
namespace {

using testing::TempFolder;

TEST(DefaultAddress, IsBelowTheRuntimeFolderElseTmp) {
  setenv("XDG_RUNTIME_DIR", "/run/user/7", 1);
  EXPECT_EQ(DefaultSocket(), "/run/user/7/astrolabe/astrolabed.sock");
  const std::string tmp = "/tmp/astrolabe-" + std::to_string(geteuid()) + "/astrolabed.sock";
  setenv("XDG_RUNTIME_DIR", "relative", 1);
  EXPECT_EQ(DefaultSocket(), tmp);
  unsetenv("XDG_RUNTIME_DIR");
  EXPECT_EQ(DefaultSocket(), tmp);
}

TEST(DefaultAddress, ASocketPathIsTakenFromAnAddress) {
  EXPECT_EQ(SocketPath("unix:/a/b"), "/a/b");
  EXPECT_EQ(SocketPath("unix:///a/b"), "/a/b");
  EXPECT_EQ(SocketPath("localhost:1"), "");
  EXPECT_EQ(DaemonLog("/a/b/d.sock"), "/a/b/astrolabed.log");
}

TEST(PrepareFolder, MakesAPrivateFolder) {
  TempFolder folder;
  ASSERT_TRUE(PrepareFolder(folder / "new/d.sock").ok());
  struct stat info;
  ASSERT_EQ(stat((folder / "new").c_str(), &info), 0);
  EXPECT_EQ(info.st_mode & 0777, 0700u);
  EXPECT_TRUE(PrepareFolder(folder / "new/d.sock").ok()) << "the second time too";
}

TEST(PrepareFolder, RefusesWhatOthersCanEnterAndLinks) {
  TempFolder folder;
  mkdir((folder / "open").c_str(), 0700);
  chmod((folder / "open").c_str(), 0755);
  EXPECT_NE(PrepareFolder(folder / "open/d.sock").message().find("chmod 700"), absl::string_view::npos);
  mkdir((folder / "real").c_str(), 0700);
  ASSERT_EQ(symlink((folder / "real").c_str(), (folder / "link").c_str()), 0);
  EXPECT_NE(PrepareFolder(folder / "link/d.sock").message().find("link"), absl::string_view::npos);
}

TEST(PrepareFolder, RefusesAPathThatIsTooLongForASocket) {
  EXPECT_NE(PrepareFolder("/tmp/" + std::string(100, 'x') + "/d.sock").message().find("too long"),
            absl::string_view::npos);
}

TEST(Versions, AreComparedByNumber) {
  EXPECT_TRUE(OlderVersion("0.9.0", "0.10.0"));
  EXPECT_TRUE(OlderVersion("0.1.0", "0.1.1"));
  EXPECT_FALSE(OlderVersion("0.1.0", "0.1.0"));
  EXPECT_FALSE(OlderVersion("1.0.0", "0.9.9"));
  EXPECT_FALSE(OlderVersion("odd", "0.1.0")) << "what cannot be compared is left alone";
}

}  // namespace
}  // namespace astrolabe::cli
