#include "daemon/base/cache_folder.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/file.h>
#include <sys/stat.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include "daemon/base/cache_file.h"
#include "daemon/base/fd.h"

namespace astrolabe {
namespace {

namespace fs = std::filesystem;

class CacheFolder : public testing::Test {
 protected:
  CacheFolder() {
    char name[] = "/tmp/astrolabe-cache-folder-XXXXXX";
    folder_ = ::mkdtemp(name);
  }
  ~CacheFolder() override { fs::remove_all(folder_); }

  static CacheKey Key(uint8_t first) {
    CacheKey key{};
    key[0] = first;
    return key;
  }
  std::vector<uint8_t> File(const CacheKey& key, size_t size) const {
    std::vector<uint8_t> file(CacheFileSize(size));
    for (size_t i = 0; i < size; ++i) file[kCacheHeaderSize + i] = static_cast<uint8_t>(i % 251);
    SealCacheFile(file, size, key);
    return file;
  }
  void Write(const std::string& name, const std::vector<uint8_t>& bytes) const {
    std::ofstream(folder_ / name, std::ios::binary)
        .write(reinterpret_cast<const char*>(bytes.data()), static_cast<std::streamsize>(bytes.size()));
  }
  void MakeOld(const std::string& name) const {
    fs::last_write_time(folder_ / name, fs::file_time_type::clock::now() - std::chrono::minutes(5));
  }
  CacheFolderCheck Check() {
    return CheckCacheFolder(
        folder_, [] { return false; }, [this](const std::string& text) { reports_.push_back(text); });
  }

  fs::path folder_;
  std::vector<std::string> reports_;
};

TEST(CacheFile, ItsNameIsItsKey) {
  CacheKey key;
  for (size_t i = 0; i < key.size(); ++i) key[i] = static_cast<uint8_t>(37 * i + 5);
  EXPECT_EQ(KeyOfCacheFile(CacheFileName(key)), key);
  EXPECT_EQ(KeyOfCacheFile("x" + CacheFileName(key)), std::nullopt);
  EXPECT_EQ(KeyOfCacheFile(CacheFileName(key) + ".1.1.tmp"), std::nullopt);
  std::string other = CacheFileName(key);
  other[3] = 'g';
  EXPECT_EQ(KeyOfCacheFile(other), std::nullopt);
}

TEST_F(CacheFolder, TheFullCheckSeesWhatOpeningDoesNotRead) {
  const CacheKey key = Key(1);
  std::vector<uint8_t> file = File(key, size_t{12} << 20);
  file[kCacheHeaderSize + (size_t{1} << 20) + 5] ^= 1;  // in the second block; of 12 the first is read, and the fourth
  EXPECT_EQ(CacheDamage(file, key, CacheCheck::kOpening), "");
  EXPECT_EQ(CacheDamage(file, key, CacheCheck::kFull), "the data is damaged");
  EXPECT_EQ(CacheDamage(file, key, CacheCheck::kFull, [] { return true; }), "") << "stopped";
}

TEST_F(CacheFolder, DamagedFilesAreToldAndRemovedAndOthersLeftAlone) {
  Write(CacheFileName(Key(1)), File(Key(1), 5000));
  std::vector<uint8_t> flipped = File(Key(2), 5000);
  flipped[kCacheHeaderSize + 77] ^= 4;
  Write(CacheFileName(Key(2)), flipped);
  Write(CacheFileName(Key(3)), {});
  Write("notes.txt", {1, 2, 3});
  const CacheFolderCheck check = Check();
  EXPECT_EQ(check.files, 3u);
  EXPECT_EQ(check.damaged, 2u);
  EXPECT_EQ(reports_.size(), 2u);
  EXPECT_TRUE(fs::exists(folder_ / CacheFileName(Key(1))));
  EXPECT_FALSE(fs::exists(folder_ / CacheFileName(Key(2))));
  EXPECT_FALSE(fs::exists(folder_ / CacheFileName(Key(3))));
  EXPECT_TRUE(fs::exists(folder_ / "notes.txt"));
}

TEST_F(CacheFolder, ACheckThatIsStoppedLooksAtNothingMore) {
  Write(CacheFileName(Key(3)), {});
  const CacheFolderCheck check = CheckCacheFolder(
      folder_, [] { return true; }, [](const std::string&) { FAIL(); });
  EXPECT_EQ(check.files, 0u);
  EXPECT_TRUE(fs::exists(folder_ / CacheFileName(Key(3))));
}

TEST_F(CacheFolder, AFolderThatIsNotThereHasNothingToCheck) {
  folder_ /= "no";
  EXPECT_EQ(Check().files, 0u);
  EXPECT_EQ(SweepCacheFolder(folder_), 0u);
}

TEST_F(CacheFolder, ASweepTakesWhatNobodyHoldsAndLeavesTheRest) {
  for (const char* name : {"dead.tmp", "held.tmp", "young.tmp", "other"}) Write(name, {1});
  MakeOld("dead.tmp");
  MakeOld("held.tmp");
  MakeOld("other");
  const Fd held(::open((folder_ / "held.tmp").c_str(), O_RDWR));
  ASSERT_EQ(::flock(held.get(), LOCK_EX), 0);
  EXPECT_EQ(SweepCacheFolder(folder_), 1u);
  EXPECT_FALSE(fs::exists(folder_ / "dead.tmp"));
  EXPECT_TRUE(fs::exists(folder_ / "held.tmp"));
  EXPECT_TRUE(fs::exists(folder_ / "young.tmp"));
  EXPECT_TRUE(fs::exists(folder_ / "other"));
}

}  // namespace
}  // namespace astrolabe
