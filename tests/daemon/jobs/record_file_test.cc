// Files of records: everything whole comes back, whatever the end of the file looks like.
#include "daemon/jobs/record_file.h"

#include <gtest/gtest.h>
#include <sys/resource.h>

#include <csignal>
#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include "tests/support/process.h"

namespace astrolabe::jobs {
namespace {

using testing::ReadFile;

class RecordFileTest : public ::testing::Test {
 protected:
  struct Opened {
    RecordFile file;
    std::vector<std::string> payloads;
    std::vector<RecordPlace> places;
    RecordFile::Cut cut;
  };
  Opened Open() {
    Opened opened;
    Result<RecordFile> file = RecordFile::Open(
        path(),
        [&](std::string_view payload, RecordPlace place) {
          opened.payloads.emplace_back(payload);
          opened.places.push_back(place);
        },
        &opened.cut);
    EXPECT_TRUE(file.ok()) << file.error().message;
    if (file.ok()) opened.file = *std::move(file);
    return opened;
  }
  void Append(const std::vector<std::string>& payloads) {
    Opened opened = Open();
    std::vector<RecordPlace> places;
    ASSERT_TRUE(opened.file.Append(payloads, &places).ok());
    ASSERT_EQ(places.size(), payloads.size());
  }
  void SetBytes(const std::string& bytes) { std::ofstream(path(), std::ios::binary | std::ios::trunc) << bytes; }
  std::string path() const { return folder_ / "records"; }

 private:
  testing::TempFolder folder_;
};

const std::vector<std::string> kThree = {"one", "", std::string(100'000, 'x')};

TEST_F(RecordFileTest, WhatIsAppendedComesBackInOrder) {
  EXPECT_TRUE(Open().payloads.empty());
  Append(kThree);
  Append({"four"});
  const Opened opened = Open();
  EXPECT_EQ(opened.payloads, (std::vector<std::string>{"one", "", std::string(100'000, 'x'), "four"}));
  EXPECT_EQ(opened.cut.bytes, 0u);
  EXPECT_EQ(opened.file.size(), std::filesystem::file_size(path()));
}

TEST_F(RecordFileTest, ATornLastRecordIsCutWhereverItEnds) {
  Append({"one"});
  const std::string one = ReadFile(path());
  Append({"two"});
  const std::string both = ReadFile(path());
  for (size_t size = one.size() + 1; size < both.size(); ++size) {
    SetBytes(both.substr(0, size));
    {
      const Opened opened = Open();
      ASSERT_EQ(opened.payloads, std::vector<std::string>{"one"}) << size;
      EXPECT_EQ(opened.cut.bytes, size - one.size());
      EXPECT_EQ(opened.cut.kept_as, "") << size;
    }
    EXPECT_EQ(ReadFile(path()), one) << "cut off, so that the next record is found";
  }
}

TEST_F(RecordFileTest, ABitThatFlippedIsFoundAndNothingIsThrownAway) {
  Append({"one", "two", "six"});
  const std::string good = ReadFile(path());
  Append({});
  const size_t first = good.find("one") - 16;
  for (size_t at = first; at < good.size(); ++at) {
    std::string bad = good;
    bad[at] = static_cast<char>(bad[at] ^ 4);
    SetBytes(bad);
    const size_t hit = (at - first) / 19;
    const bool end_is_known = (at - first) % 19 >= 8;  // behind the length and its checksum
    std::vector<std::string> left = {"one", "two", "six"};
    if (end_is_known) {
      left.erase(left.begin() + static_cast<ptrdiff_t>(hit));
    } else {
      left.resize(hit);
    }
    {
      const Opened opened = Open();
      ASSERT_EQ(opened.payloads, left) << at;
      EXPECT_EQ(opened.cut.records, end_is_known ? 1 : 0) << at;
      EXPECT_EQ(opened.cut.bytes > 0, !end_is_known) << at;
      ASSERT_NE(opened.cut.kept_as, "") << at;
      EXPECT_EQ(ReadFile(opened.cut.kept_as), bad);
    }
    const Opened again = Open();
    ASSERT_EQ(again.payloads, left) << at;
    EXPECT_EQ(again.cut.kept_as, "") << "once is enough";
  }
}

TEST_F(RecordFileTest, WhatWasKeptBeforeStays) {
  for (const std::string payload : {"one", "two"}) {
    Append({payload});
    std::string bytes = ReadFile(path());
    bytes.back() = '?';
    SetBytes(bytes);
    EXPECT_TRUE(Open().payloads.empty());
  }
  EXPECT_NE(ReadFile(path() + ".damaged").find("on?"), std::string::npos);
  EXPECT_NE(ReadFile(path() + ".damaged.2").find("tw?"), std::string::npos);
}

TEST_F(RecordFileTest, WhatIsNoSuchFileIsKeptAside) {
  SetBytes("something else altogether\n");
  const Opened opened = Open();
  EXPECT_TRUE(opened.payloads.empty());
  EXPECT_EQ(opened.cut.bytes, 26u);
  EXPECT_EQ(ReadFile(opened.cut.kept_as), "something else altogether\n");
}

TEST_F(RecordFileTest, AFileOfAnotherVersionIsRefusedAndLeftAlone) {
  SetBytes("astrolabe records 2\n");
  RecordFile::Cut cut;
  const Result<RecordFile> file = RecordFile::Open(
      path(), [](std::string_view, RecordPlace) {}, &cut);
  ASSERT_FALSE(file.ok());
  EXPECT_NE(file.error().message.find("move it away"), std::string::npos) << file.error().message;
  EXPECT_EQ(ReadFile(path()), "astrolabe records 2\n");
}

TEST_F(RecordFileTest, AWriterKilledAtTheVeryBeginningLeavesANewFile) {
  SetBytes("astrolabe rec");
  EXPECT_TRUE(Open().payloads.empty());
  Append({"one"});
  EXPECT_EQ(Open().payloads, std::vector<std::string>{"one"});
}

TEST_F(RecordFileTest, RewriteKeepsWhatIsAskedFor) {
  Append(kThree);
  {
    Opened opened = Open();
    std::vector<RecordPlace> places;
    const std::vector<RecordPlace> keep = {opened.places[2], opened.places[0]};
    ASSERT_TRUE(opened.file.Rewrite(keep, &places).ok());
    ASSERT_EQ(places.size(), 2u);
    ASSERT_TRUE(opened.file.Append(std::vector<std::string>{"after"}, &places).ok());
  }
  EXPECT_EQ(Open().payloads, (std::vector<std::string>{std::string(100'000, 'x'), "one", "after"}));
}

// A limit on the size of files stands for a full disk: a part of the bytes is written, then an error comes.
TEST_F(RecordFileTest, AppendIsAllOrNothingOnAFullDisk) {
  Append({"one"});
  {
    Opened opened = Open();
    struct rlimit before {};
    ASSERT_EQ(::getrlimit(RLIMIT_FSIZE, &before), 0);
    struct rlimit small = before;
    small.rlim_cur = opened.file.size() + 1000;
    const auto old = std::signal(SIGXFSZ, SIG_IGN);
    ASSERT_EQ(::setrlimit(RLIMIT_FSIZE, &small), 0);
    std::vector<RecordPlace> places;
    const Status full = opened.file.Append(std::vector<std::string>{"two", std::string(5000, 'y')}, &places);
    ASSERT_EQ(::setrlimit(RLIMIT_FSIZE, &before), 0);
    std::signal(SIGXFSZ, old);
    ASSERT_FALSE(full.ok());
    EXPECT_TRUE(places.empty());
    ASSERT_TRUE(opened.file.Append(std::vector<std::string>{"three"}, &places).ok()) << "it can go on";
  }
  const Opened opened = Open();
  EXPECT_EQ(opened.payloads, (std::vector<std::string>{"one", "three"}));
  EXPECT_EQ(opened.cut.bytes, 0u);
}

}  // namespace
}  // namespace astrolabe::jobs
