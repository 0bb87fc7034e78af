#include "daemon/server/cache_store.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include "tests/daemon/server/cache_files.h"

namespace astrolabe::server {
namespace {

namespace fs = std::filesystem;
using std::chrono::hours;

const CacheStore::Stop kNever = [] { return false; };

class CacheStoreTest : public ::testing::Test {
 protected:
  CacheState StateOf(uint8_t first) {
    const auto entries = store_.List();
    EXPECT_TRUE(entries.ok());
    for (const CacheEntry& entry : *entries) {
      if (entry.file.key == CacheFiles::Key(first)) return entry.state;
    }
    ADD_FAILURE() << "no file " << int{first};
    return CacheState::kRemoved;
  }
  CacheStore::Sum CheckAll() {
    return store_.CheckAll(kNever, [this](const std::string& text) { reports_.push_back(text); });
  }

  CacheFiles files_;
  CacheTime now_ = CacheFiles::kMade;
  CacheStore store_{files_.path(), [this] { return now_; }};
  std::vector<std::string> reports_;
};

TEST_F(CacheStoreTest, AFileIsUncheckedUntilItIsReadInFullAndAgainWhenItChanges) {
  files_.Make(1, 5000, CacheFiles::kMade - hours(1));
  EXPECT_EQ(StateOf(1), CacheState::kUnchecked);
  now_ += hours(2);
  const auto entry = store_.Check(CacheFiles::Key(1), kNever);
  ASSERT_TRUE(entry.ok());
  EXPECT_EQ(entry->state, CacheState::kOk);
  EXPECT_EQ(entry->checked, now_);
  EXPECT_EQ(StateOf(1), CacheState::kOk);
  files_.Flip(1, 77);
  EXPECT_EQ(StateOf(1), CacheState::kUnchecked);
  EXPECT_EQ(store_.Check(CacheFiles::Key(1), kNever)->state, CacheState::kRemoved);
  EXPECT_EQ(StateOf(1), CacheState::kRemoved);
  EXPECT_EQ(store_.List()->front().file.damage, "the data is damaged");
}

TEST_F(CacheStoreTest, CheckingADamagedFileRemovesItAndTellsOfItUntilItIsMadeAgain) {
  files_.Make(1, 5000, CacheFiles::kMade - hours(1));
  files_.Flip(1, 77);
  now_ += hours(2);
  const auto entry = store_.Check(CacheFiles::Key(1), kNever);
  ASSERT_TRUE(entry.ok());
  EXPECT_EQ(entry->state, CacheState::kRemoved);
  EXPECT_EQ(entry->file.damage, "the data is damaged");
  EXPECT_EQ(entry->file.label.description, "board 1");
  EXPECT_EQ(entry->checked, now_);
  EXPECT_FALSE(fs::exists(files_.PathOf(1)));
  EXPECT_EQ(store_.Check(CacheFiles::Key(1), kNever)->state, CacheState::kRemoved) << "asked again";
  files_.Make(1, 5000, CacheFiles::kMade + hours(3));
  EXPECT_EQ(store_.Check(CacheFiles::Key(1), kNever)->state, CacheState::kOk);
  EXPECT_EQ(store_.Check(CacheFiles::Key(9), kNever).error().code, ErrorCode::kNotFound);
}

// Removing takes the name away first: it cannot, where folders have all the names that it would use.
TEST_F(CacheStoreTest, ADamagedFileThatCannotBeRemovedIsReadInFullByWhoeverOpensIt) {
  constexpr size_t kSize = size_t{9} << 20;  // more than is read of a file with its stamp
  files_.Make(1, kSize);
  files_.Flip(1, (size_t{1} << 20) + 5);
  files_.Stamp(1);
  for (int number = 0; number < 1000; ++number) {
    fs::create_directories(files_.PathOf(1) + "." + std::to_string(::getpid()) + "." + std::to_string(number) +
                           ".aside/full");
  }
  const auto entry = store_.Check(CacheFiles::Key(1), kNever);
  ASSERT_TRUE(entry.ok());
  EXPECT_EQ(entry->state, CacheState::kDamaged);
  EXPECT_EQ(entry->file.damage.find("the data is damaged (the cache file "), 0u) << entry->file.damage;
  EXPECT_NE(entry->file.damage.find("cannot be removed"), std::string::npos) << entry->file.damage;
  EXPECT_TRUE(fs::exists(files_.PathOf(1)));
  EXPECT_EQ(StateOf(1), CacheState::kDamaged);
  EXPECT_NE(store_.List()->front().file.version.changed, CacheFiles::kMade) << "no longer the time of its stamp";
  const auto version = store_.List()->front().file.version;
  EXPECT_EQ(store_.Check(CacheFiles::Key(1), kNever)->state, CacheState::kDamaged);
  EXPECT_EQ(store_.List()->front().file.version, version) << "once is enough";
}

TEST_F(CacheStoreTest, AFileThatAWorkerHasMadeSinceThenWasReadThen) {
  files_.Make(1, 5000, CacheFiles::kMade + hours(1));
  EXPECT_EQ(StateOf(1), CacheState::kOk);
  EXPECT_EQ(store_.List()->front().checked, CacheFiles::kMade + hours(1));
  files_.Flip(1, 77);
  EXPECT_EQ(StateOf(1), CacheState::kUnchecked);
}

TEST_F(CacheStoreTest, WhatTheHeaderTellsNeedsNoCheck) {
  files_.Make(1, 5000);
  fs::resize_file(files_.PathOf(1), 4500);
  EXPECT_EQ(StateOf(1), CacheState::kDamaged);
}

TEST_F(CacheStoreTest, ACheckThatIsStoppedShowsNothing) {
  files_.Make(1, 5000);
  files_.Flip(1, 77);
  EXPECT_EQ(store_.Check(CacheFiles::Key(1), [] { return true; }).error().code, ErrorCode::kCancelled);
  EXPECT_EQ(StateOf(1), CacheState::kUnchecked);
  EXPECT_EQ(store_.CheckAll([] { return true; }, [](const std::string&) { FAIL(); }).files, 0u);
  EXPECT_TRUE(fs::exists(files_.PathOf(1)));
}

TEST_F(CacheStoreTest, CheckingAllRemovesWhatIsDamagedAndListsItUntilItIsMadeAgain) {
  files_.Make(1, 5000, CacheFiles::kMade - hours(1));
  files_.Make(2, 5000, CacheFiles::kMade - hours(1));
  files_.Flip(2, 77);
  const CacheStore::Sum sum = CheckAll();
  EXPECT_EQ(sum.files, 2u);
  EXPECT_EQ(sum.bytes, 2 * CacheFileSize(5000));
  EXPECT_EQ(sum.damaged, 1u);
  ASSERT_EQ(reports_.size(), 1u);
  EXPECT_NE(reports_[0].find(files_.PathOf(2) + " is damaged (the data is damaged) and has been removed"),
            std::string::npos)
      << reports_[0];
  EXPECT_FALSE(fs::exists(files_.PathOf(2)));
  EXPECT_EQ(StateOf(1), CacheState::kOk);
  EXPECT_EQ(StateOf(2), CacheState::kRemoved);
  EXPECT_EQ(store_.List()->back().file.label.description, "board 2") << "what it was";
  files_.Make(2, 5000, CacheFiles::kMade + hours(1));
  EXPECT_EQ(StateOf(2), CacheState::kOk);
  EXPECT_EQ(store_.List()->size(), 2u);
}

// The check asks whether to stop before the file, and before each block of it: then a worker makes the file anew.
TEST_F(CacheStoreTest, AFileThatAWorkerHasMadeAnewDuringTheCheckIsCheckedInItsPlace) {
  files_.Make(1, size_t{2} << 20);
  files_.Flip(1, (size_t{1} << 20) + 5);
  int asked = 0;
  const auto make_anew = [&] {
    if (++asked == 2) {
      fs::remove(files_.PathOf(1));
      files_.Make(1, size_t{2} << 20);
    }
    return false;
  };
  const auto sum = store_.CheckAll(make_anew, [this](const std::string& text) { reports_.push_back(text); });
  EXPECT_GE(asked, 2);
  EXPECT_EQ(sum.damaged, 0u);
  EXPECT_TRUE(reports_.empty());
  EXPECT_EQ(StateOf(1), CacheState::kOk);
  EXPECT_TRUE(fs::exists(files_.PathOf(1)));
}

TEST_F(CacheStoreTest, RemovingTellsWhatItWasAndForgetsWhatIsGone) {
  files_.Make(1, 5000);
  files_.Make(2, 5000);
  files_.Flip(2, 77);
  CheckAll();
  EXPECT_EQ(store_.Remove(CacheFiles::Key(1))->file.label.description, "board 1");
  EXPECT_FALSE(fs::exists(files_.PathOf(1)));
  EXPECT_EQ(store_.Remove(CacheFiles::Key(2))->state, CacheState::kRemoved);
  EXPECT_TRUE(store_.List()->empty());
  EXPECT_EQ(store_.Remove(CacheFiles::Key(2)).error().code, ErrorCode::kNotFound);
}

TEST_F(CacheStoreTest, AFolderThatCannotBeReadIsReported) {
  CacheStore store(files_.path() + "/file");
  std::ofstream(store.folder()) << "no folder";
  EXPECT_EQ(store.List().error().code, ErrorCode::kFailedPrecondition);
  std::string told;
  EXPECT_EQ(store.CheckAll(kNever, [&told](const std::string& text) { told = text; }).files, 0u);
  EXPECT_NE(told.find("cannot be read"), std::string::npos) << told;
  EXPECT_TRUE(CacheStore(files_.path() + "/no").List()->empty());
}

}  // namespace
}  // namespace astrolabe::server
