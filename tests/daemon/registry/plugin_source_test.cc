#include "daemon/registry/plugin_source.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <atomic>
#include <thread>

#include "tests/daemon/registry/plugin_files.h"

namespace astrolabe::registry {
namespace {

using PluginSourceTest = FolderTest;

LoadError Refusal(const std::string& path) {
  std::variant<PluginSource, LoadError> result = ReadPluginSource(path);
  if (std::holds_alternative<PluginSource>(result)) {
    ADD_FAILURE() << "it was accepted";
    return {};
  }
  EXPECT_EQ(std::get<LoadError>(result).stage, "discover");
  return std::get<LoadError>(result);
}

TEST(Sha256Hex, IsTheStandardDigest) {
  EXPECT_EQ(Sha256Hex("abc"), "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
  EXPECT_EQ(Sha256Hex(""), "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
}

TEST_F(PluginSourceTest, ReadsBytesAndHash) {
  const std::string path = Install("a.so", "abc");
  std::variant<PluginSource, LoadError> result = ReadPluginSource(path);
  ASSERT_TRUE(std::holds_alternative<PluginSource>(result)) << std::get<LoadError>(result).message;
  EXPECT_EQ(std::get<PluginSource>(result).bytes, "abc");
  EXPECT_EQ(std::get<PluginSource>(result).sha256, Sha256Hex("abc"));
  EXPECT_EQ(std::get<PluginSource>(result).stamp, StampOf(path));
}

TEST_F(PluginSourceTest, RefusesFilesThatOthersCanWrite) {
  const std::string path = Install("a.so", "abc");
  for (mode_t mode : {0775, 0757, 0666}) {
    ::chmod(path.c_str(), mode);
    const LoadError error = Refusal(path);
    EXPECT_EQ(error.code, LoadCode::kPermission);
    EXPECT_EQ(error.message, "the file can be written by others");
    EXPECT_EQ(error.hint, "chmod go-w it");
  }
}

TEST_F(PluginSourceTest, RefusesFoldersThatOthersCanWrite) {
  const std::string path = Install("a.so", "abc");
  for (mode_t mode : {0775, 01777}) {
    ::chmod(plugins_.c_str(), mode);
    EXPECT_EQ(Refusal(path).message, "the folder can be written by others");
  }
}

TEST_F(PluginSourceTest, RefusesFilesAndFoldersOfOtherUsers) {
  if (::geteuid() != 0) GTEST_SKIP() << "needs root to give a file away";
  const std::string path = Install("a.so", "abc");
  ASSERT_EQ(::chown(path.c_str(), 12345, 12345), 0);
  LoadError error = Refusal(path);
  EXPECT_EQ(error.code, LoadCode::kPermission);
  EXPECT_EQ(error.found, "owner 12345");
  ASSERT_EQ(::chown(path.c_str(), 0, 0), 0);
  ASSERT_EQ(::chown(plugins_.c_str(), 12345, 12345), 0);
  EXPECT_EQ(Refusal(path).message, "the folder belongs to another user");
}

TEST_F(PluginSourceTest, RefusesSymbolicLinks) {
  const std::string target = Install("a.so", "abc");
  ASSERT_EQ(::symlink(target.c_str(), (plugins_ + "/b.so").c_str()), 0);
  const LoadError error = Refusal(plugins_ + "/b.so");
  EXPECT_EQ(error.code, LoadCode::kPermission);
  EXPECT_EQ(error.found, "a symbolic link");
}

TEST_F(PluginSourceTest, CallsDirectoriesAndPipesNotElfWithoutWaiting) {
  std::filesystem::create_directory(plugins_ + "/x.so");
  EXPECT_EQ(Refusal(plugins_ + "/x.so").code, LoadCode::kNotElf);
  EXPECT_EQ(Refusal(plugins_ + "/x.so").found, "a directory");
  ASSERT_EQ(::mkfifo((plugins_ + "/p.so").c_str(), 0600), 0);
  EXPECT_EQ(Refusal(plugins_ + "/p.so").found, "a pipe");
}

TEST_F(PluginSourceTest, NoticesAFileThatIsBeingWritten) {
  const std::string path = Install("a.so", std::string(1 << 20, 'x'));
  std::atomic<bool> stop = false;
  std::thread writer([&] {
    std::fstream file(path, std::ios::in | std::ios::out | std::ios::binary);
    for (char c = 'a'; !stop; c = c == 'z' ? 'a' : static_cast<char>(c + 1)) {
      file.seekp(1000);
      file.put(c);
      file.flush();
    }
  });
  const LoadError error = Refusal(path);
  stop = true;
  writer.join();
  EXPECT_EQ(error.code, LoadCode::kTruncated);
  EXPECT_EQ(error.found, "a file being written");
}

TEST_F(PluginSourceTest, DiscoversSortedAndFirstFolderWins) {
  const std::string second = root_ + "/second";
  std::filesystem::create_directory(second);
  Install("b.so", "1");
  Install("a.so", "1");
  Install("notes.txt", "1");
  Install("b.so", "2", second);
  Install("c.so", "2", second);
  std::filesystem::create_directory(second + "/d.so");
  std::vector<std::string> problems;
  EXPECT_EQ(DiscoverPlugins({plugins_, root_ + "/missing", second}, &problems),
            (std::vector<std::string>{plugins_ + "/a.so", plugins_ + "/b.so", second + "/c.so", second + "/d.so"}));
  EXPECT_EQ(problems, std::vector<std::string>{});
  EXPECT_EQ(DiscoverPlugins({plugins_ + "/a.so"}, &problems), std::vector<std::string>{});
  ASSERT_EQ(problems.size(), 1u);
  EXPECT_NE(problems[0].find("Not a directory"), std::string::npos) << problems[0];
}

}  // namespace
}  // namespace astrolabe::registry
