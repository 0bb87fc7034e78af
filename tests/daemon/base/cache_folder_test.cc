#include "daemon/base/cache_folder.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include "daemon/base/cache_file.h"
#include "daemon/base/fd.h"
#include "daemon/base/utf8.h"

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
    SealCacheFile(file, size, key, {"pdb", "board " + std::to_string(key[0]), kMade});
    return file;
  }
  void Write(const std::string& name, const std::vector<uint8_t>& bytes) const {
    std::ofstream(folder_ / name, std::ios::binary)
        .write(reinterpret_cast<const char*>(bytes.data()), static_cast<std::streamsize>(bytes.size()));
  }
  void MakeOld(const std::string& name) const {
    fs::last_write_time(folder_ / name, fs::file_time_type::clock::now() - std::chrono::minutes(5));
  }
  Result<CacheFileInfo> Check(const CacheKey& key) {
    return CheckCacheFile(folder_, key, [] { return false; });
  }

  static constexpr CacheTime kMade{std::chrono::seconds(1'700'000'000)};
  fs::path folder_;
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

TEST_F(CacheFolder, AListHasTheHeadersInOrderAndLeavesOthersAlone) {
  Write(CacheFileName(Key(2)), File(Key(2), 5000));
  Write(CacheFileName(Key(1)), File(Key(1), 7));
  std::vector<uint8_t> flipped = File(Key(3), 5000);
  flipped[kCacheHeaderSize + 77] ^= 4;
  Write(CacheFileName(Key(3)), flipped);
  std::vector<uint8_t> cut = File(Key(4), 5000);
  cut.resize(5000);
  Write(CacheFileName(Key(4)), cut);
  Write("notes.txt", {1, 2, 3});
  fs::create_symlink(folder_ / CacheFileName(Key(1)), folder_ / CacheFileName(Key(5)));
  fs::create_directory(folder_ / CacheFileName(Key(6)));
  const auto files = ListCacheFolder(folder_);
  ASSERT_TRUE(files.ok());
  ASSERT_EQ(files->size(), 4u);
  for (size_t i = 0; i < 4; ++i) EXPECT_EQ((*files)[i].key, Key(static_cast<uint8_t>(i + 1)));
  EXPECT_EQ((*files)[0].file_size, CacheFileSize(7));
  EXPECT_EQ((*files)[0].label.heuristic, "pdb");
  EXPECT_EQ((*files)[0].label.description, "board 1");
  EXPECT_EQ((*files)[0].label.made, kMade);
  EXPECT_EQ((*files)[2].damage, "") << "the data was not read";
  EXPECT_EQ((*files)[3].damage, "its size is wrong");
  EXPECT_EQ((*files)[3].label.description, "");
}

TEST_F(CacheFolder, AFolderThatIsNotThereIsEmptyAndOneThatIsAFileAnError) {
  EXPECT_EQ(ListCacheFolder(folder_ / "no")->size(), 0u);
  EXPECT_EQ(SweepCacheFolder(folder_ / "no"), 0u);
  Write("file", {1});
  const auto files = ListCacheFolder(folder_ / "file");
  ASSERT_FALSE(files.ok());
  EXPECT_EQ(files.error().code, ErrorCode::kFailedPrecondition);
  EXPECT_EQ(files.error().message.find("/"), std::string::npos) << files.error().message;
}

TEST_F(CacheFolder, AFileIsReadInFullByItsKey) {
  Write(CacheFileName(Key(1)), File(Key(1), size_t{3} << 20));
  EXPECT_EQ(Check(Key(1))->damage, "");
  std::vector<uint8_t> flipped = File(Key(2), size_t{3} << 20);
  flipped[kCacheHeaderSize + (size_t{2} << 20)] ^= 4;
  Write(CacheFileName(Key(2)), flipped);
  EXPECT_EQ(Check(Key(2))->damage, "the data is damaged");
  Write(CacheFileName(Key(3)), {});
  EXPECT_EQ(Check(Key(3))->damage, "it is too short");
  EXPECT_EQ(Check(Key(4)).error().code, ErrorCode::kNotFound);
  EXPECT_EQ(CheckCacheFile(folder_, Key(1), [] { return true; }).error().code, ErrorCode::kCancelled);
}

TEST_F(CacheFolder, AVersionIsAnotherWhenTheFileIsWrittenToOrReplaced) {
  const std::string name = CacheFileName(Key(1));
  Write(name, File(Key(1), 100));
  const CacheFileVersion first = Check(Key(1))->version;
  EXPECT_EQ(Check(Key(1))->version, first);
  MakeOld(name);
  const CacheFileVersion second = Check(Key(1))->version;
  EXPECT_NE(second, first);
  Write("other", File(Key(1), 100));
  fs::last_write_time(folder_ / "other", fs::last_write_time(folder_ / name));
  fs::rename(folder_ / "other", folder_ / name);
  EXPECT_NE(Check(Key(1))->version, second);
}

TEST_F(CacheFolder, RemovingSaysWhatIsNotThere) {
  Write(CacheFileName(Key(1)), File(Key(1), 100));
  EXPECT_TRUE(RemoveCacheFile(folder_, Key(1)).ok());
  EXPECT_FALSE(fs::exists(folder_ / CacheFileName(Key(1))));
  EXPECT_EQ(RemoveCacheFile(folder_, Key(1)).error().code, ErrorCode::kNotFound);
}

// What a check has found holds for the file that it has read, and for no other.
TEST_F(CacheFolder, AFileThatHasReplacedTheOneThatWasCheckedStays) {
  const std::string name = CacheFileName(Key(1));
  const auto remove = [&](const CacheFileVersion& version) { return RemoveCacheFileVersion(folder_, Key(1), version); };
  Write(name, {1, 2, 3});
  const Result<CacheFileInfo> checked = Check(Key(1));
  ASSERT_EQ(checked->damage, "it is too short");
  Write("new", File(Key(1), 100));
  fs::rename(folder_ / "new", folder_ / name);
  const CacheFileVersion good = Check(Key(1))->version;
  ASSERT_NE(good, checked->version);
  EXPECT_FALSE(*remove(checked->version));
  EXPECT_EQ(Check(Key(1))->damage, "");
  EXPECT_EQ(Check(Key(1))->version, good) << "the same file, not a copy";
  EXPECT_EQ(std::distance(fs::directory_iterator(folder_), fs::directory_iterator()), 1) << "nothing else is left";
  // Nor one that was written to since then.
  MakeOld(name);
  EXPECT_FALSE(*remove(good));
  EXPECT_TRUE(*remove(Check(Key(1))->version));
  EXPECT_TRUE(fs::is_empty(folder_));
  EXPECT_FALSE(*remove(good)) << "there is none";
}

TEST_F(CacheFolder, ASweepTakesWhatADeadProcessHadSetAside) {
  const pid_t child = ::fork();
  if (child == 0) ::_exit(0);
  ASSERT_EQ(::waitpid(child, nullptr, 0), child);
  const std::string base = CacheFileName(Key(1)) + ".";
  const std::string left = base + std::to_string(child) + ".1.aside";
  const std::string own = base + std::to_string(::getpid()) + ".1.aside";
  for (const std::string& name : {left, own}) {
    Write(name, {1});
    MakeOld(name);  // they are as old as the tables that they are
  }
  EXPECT_EQ(SweepCacheFolder(folder_), 1u);
  EXPECT_FALSE(fs::exists(folder_ / left));
  EXPECT_TRUE(fs::exists(folder_ / own));
}

TEST_F(CacheFolder, ASweepNeedsNotWaitForAWriterThatIsGone) {
  const pid_t child = ::fork();
  if (child == 0) ::_exit(0);
  ASSERT_EQ(::waitpid(child, nullptr, 0), child);
  const std::string left = TemporaryCacheFile(Key(1), child, 1);
  const std::string own = TemporaryCacheFile(Key(1), ::getpid(), 1);
  for (const std::string& name : {left, own}) Write(name, {1});
  EXPECT_EQ(SweepCacheFolder(folder_), 1u);
  EXPECT_FALSE(fs::exists(folder_ / left));
  EXPECT_TRUE(fs::exists(folder_ / own));
  EXPECT_EQ(KeyOfCacheFile(own), std::nullopt);
}

TEST(CacheFile, ALongLabelIsCutBetweenCharacters) {
  std::vector<uint8_t> file(CacheFileSize(10));
  std::string description;
  while (description.size() <= kMaxCacheDescription) description += "\u00e9\u20ac";
  SealCacheFile(file, 10, CacheKey{}, {std::string(500, 'h'), description, {}});
  const CacheLabel label = CacheLabelOf(file);
  EXPECT_EQ(label.heuristic, std::string(kMaxCacheHeuristic, 'h'));
  EXPECT_GT(label.description.size(), kMaxCacheDescription - 4);
  EXPECT_TRUE(description.starts_with(label.description));
  EXPECT_TRUE(IsValidUtf8(label.description));
  EXPECT_EQ(CacheDamage(file, CacheKey{}, CacheCheck::kFull), "");
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
