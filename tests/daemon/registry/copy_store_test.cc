#include "daemon/registry/copy_store.h"

#include <sys/mount.h>
#include <sys/wait.h>
#include <unistd.h>

#include "daemon/registry/plugin_source.h"
#include "tests/daemon/registry/plugin_files.h"

namespace astrolabe::registry {
namespace {

class CopyStoreTest : public FolderTest {
 protected:
  std::shared_ptr<CopyStore> Open(const std::string& folder = "") {
    Result<std::shared_ptr<CopyStore>> store = CopyStore::Open(folder.empty() ? root_ + "/state/copies" : folder);
    EXPECT_TRUE(store.ok()) << store.error().message;
    return store.ok() ? *store : nullptr;
  }
  std::shared_ptr<const PrivateCopy> Put(CopyStore* store, const std::string& bytes) {
    auto copy = store->Put(Sha256Hex(bytes), bytes);
    EXPECT_TRUE(std::holds_alternative<std::shared_ptr<const PrivateCopy>>(copy));
    return std::get<0>(copy);
  }
};

TEST_F(CopyStoreTest, KeepsAReadOnlyCopyUntilTheLastReferenceGoes) {
  std::shared_ptr<CopyStore> store = Open();
  std::shared_ptr<const PrivateCopy> copy = Put(store.get(), "bytes");
  const std::string path = copy->path();
  EXPECT_EQ(ReadFile(path), "bytes");
  EXPECT_EQ(std::filesystem::path(path).filename(), Sha256Hex("bytes") + ".so");
  struct stat status {};
  ASSERT_EQ(::stat(path.c_str(), &status), 0);
  EXPECT_EQ(status.st_mode & 07777, 0555u);
  ASSERT_EQ(::stat(store->folder().c_str(), &status), 0);
  EXPECT_EQ(status.st_mode & 07777, 0700u);
  copy.reset();
  EXPECT_FALSE(std::filesystem::exists(path));
}

TEST_F(CopyStoreTest, SharesTheCopyOfEqualContent) {
  std::shared_ptr<CopyStore> store = Open();
  std::shared_ptr<const PrivateCopy> first = Put(store.get(), "same");
  std::shared_ptr<const PrivateCopy> second = Put(store.get(), "same");
  EXPECT_EQ(first, second);
  first.reset();
  EXPECT_TRUE(std::filesystem::exists(second->path()));
}

TEST_F(CopyStoreTest, RemovesItsFolderWhenNothingIsHeld) {
  std::shared_ptr<CopyStore> store = Open();
  const std::string folder = store->folder();
  std::shared_ptr<const PrivateCopy> copy = Put(store.get(), "held");
  store.reset();
  EXPECT_EQ(ReadFile(copy->path()), "held") << "a copy outlives its registry";
  copy.reset();
  EXPECT_FALSE(std::filesystem::exists(folder));
}

TEST_F(CopyStoreTest, RemovesWhatADeadDaemonLeftAndNothingOfALivingOne) {
  const pid_t child = ::fork();
  ASSERT_GE(child, 0);
  if (child == 0) {
    std::shared_ptr<CopyStore> store = *CopyStore::Open(root_ + "/state/copies");
    auto copy = store->Put(Sha256Hex("dead"), "dead");
    ::_exit(0);  // as if killed: no destructor runs
  }
  ASSERT_EQ(::waitpid(child, nullptr, 0), child);
  const std::filesystem::path copies = root_ + "/state/copies";
  const auto count = [&] {
    int folders = 0;
    for (const auto& entry : std::filesystem::directory_iterator(copies)) folders += entry.is_directory() ? 1 : 0;
    return folders;
  };
  ASSERT_EQ(count(), 1);
  std::shared_ptr<CopyStore> living = Open();
  EXPECT_EQ(count(), 1);
  std::shared_ptr<const PrivateCopy> copy = Put(living.get(), "living");
  std::shared_ptr<CopyStore> other = Open();
  EXPECT_EQ(count(), 2);
  EXPECT_EQ(ReadFile(copy->path()), "living");
}

TEST_F(CopyStoreTest, RefusesAFolderThatOthersCanWrite) {
  std::filesystem::create_directory(root_ + "/open");
  ::chmod((root_ + "/open").c_str(), 0777);
  Result<std::shared_ptr<CopyStore>> store = CopyStore::Open(root_ + "/open");
  ASSERT_FALSE(store.ok());
  EXPECT_NE(store.error().message.find("others can write to it; chmod 700 it"), std::string::npos)
      << store.error().message;
}

TEST_F(CopyStoreTest, SaysWhyAFolderCannotBeUsed) {
  std::ofstream(root_ + "/file") << "x";
  Result<std::shared_ptr<CopyStore>> store = CopyStore::Open(root_ + "/file");
  ASSERT_FALSE(store.ok());
  EXPECT_NE(store.error().message.find("it is no folder"), std::string::npos);
  store = CopyStore::Open(root_ + "/file/below");
  ASSERT_FALSE(store.ok());
  EXPECT_NE(store.error().message.find("cannot be made: Not a directory"), std::string::npos) << store.error().message;
}

TEST_F(CopyStoreTest, RefusesANoexecFileSystem) {
  const std::string folder = root_ + "/noexec";
  std::filesystem::create_directory(folder);
  if (::mount("tmpfs", folder.c_str(), "tmpfs", MS_NOEXEC, "size=1m,mode=0700") != 0)
    GTEST_SKIP() << "cannot mount here";
  Result<std::shared_ptr<CopyStore>> store = CopyStore::Open(folder);
  EXPECT_FALSE(store.ok());
  if (!store.ok()) {
    EXPECT_EQ(store.error().reason, "NOEXEC");
    EXPECT_NE(store.error().message.find("not mounted noexec"), std::string::npos);
  }
  ::umount(folder.c_str());
}

TEST_F(CopyStoreTest, TellsNoexecOfACopyWhenTheMountChanges) {
  const std::string folder = root_ + "/remount";
  std::filesystem::create_directory(folder);
  if (::mount("tmpfs", folder.c_str(), "tmpfs", 0, "size=1m,mode=0700") != 0) GTEST_SKIP() << "cannot mount here";
  {
    std::shared_ptr<CopyStore> store = Open(folder);
    ASSERT_EQ(::mount("tmpfs", folder.c_str(), "tmpfs", MS_REMOUNT | MS_NOEXEC, ""), 0);
    auto copy = store->Put(Sha256Hex("x"), "x");
    ASSERT_TRUE(std::holds_alternative<LoadError>(copy));
    EXPECT_EQ(std::get<LoadError>(copy).code, LoadCode::kNoexec);
    EXPECT_EQ(std::get<LoadError>(copy).stage, "copy");
  }
  ::umount(folder.c_str());
}

TEST_F(CopyStoreTest, TellsAFullDisk) {
  const std::string folder = root_ + "/small";
  std::filesystem::create_directory(folder);
  if (::mount("tmpfs", folder.c_str(), "tmpfs", 0, "size=64k,mode=0700") != 0) GTEST_SKIP() << "cannot mount here";
  {
    std::shared_ptr<CopyStore> store = Open(folder);
    const std::string big(1 << 20, 'x');
    auto copy = store->Put(Sha256Hex(big), big);
    ASSERT_TRUE(std::holds_alternative<LoadError>(copy));
    EXPECT_EQ(std::get<LoadError>(copy).found, "No space left on device");
    EXPECT_NE(Put(store.get(), "small"), nullptr) << "the failed one left nothing behind";
  }
  ::umount(folder.c_str());
}

}  // namespace
}  // namespace astrolabe::registry
