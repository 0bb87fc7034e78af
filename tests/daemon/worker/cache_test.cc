// The plugin cache, alone and used by a plugin in a job.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <memory>

#include "daemon/base/cache_folder.h"
#include "daemon/worker/host_services.h"
#include "daemon/worker/plugin_cache.h"
#include "daemon/worker/process_snapshot.h"
#include "tests/daemon/worker/worker_process.h"

namespace astrolabe::worker {
namespace {

namespace fs = std::filesystem;
using ::testing::HasSubstr;

class Cache : public ::testing::Test {
 protected:
  Cache() {
    char name[] = "/tmp/astrolabe-cache-XXXXXX";
    folder_ = ::mkdtemp(name);
    key_.fill(7);
  }
  ~Cache() override { fs::remove_all(folder_); }

  // A file of `size` bytes i % 251.
  void Make(PluginCache& cache, size_t size) {
    std::string why;
    auto writer = cache.Create(key_, size, false, &why);
    ASSERT_NE(writer, nullptr) << why;
    std::span<uint8_t> data = writer->data();
    ASSERT_EQ(data.size(), size);
    ASSERT_EQ(reinterpret_cast<uintptr_t>(data.data()) % 64, 0u);
    for (size_t i = 0; i < size; ++i) data[i] = static_cast<uint8_t>(i % 251);
    writer->label().description = "i % 251";
    const auto table = cache.Commit(std::move(writer), &why);
    EXPECT_EQ(why, "");
    ASSERT_TRUE(table.has_value());
    ASSERT_EQ(table->data.size(), size);
    EXPECT_EQ(table->data[size - 1], (size - 1) % 251);
    EXPECT_EQ(table->file_size, fs::file_size(cache.PathOf(key_)));
  }
  // Changes one byte of the file.
  void Damage(const std::string& path, std::streamoff at) {
    std::fstream file(path, std::ios::in | std::ios::out | std::ios::binary);
    file.seekg(at);
    const char byte = static_cast<char>(file.get());
    file.seekp(at);
    file.put(static_cast<char>(byte ^ 1));
  }
  size_t Files() const {
    return static_cast<size_t>(std::distance(fs::directory_iterator(folder_), fs::directory_iterator()));
  }

  // Of files of the folder, with a name or without.
  size_t Mappings() const {
    std::ifstream maps("/proc/self/maps");
    size_t count = 0;
    for (std::string line; std::getline(maps, line);) count += line.find(folder_) != std::string::npos ? 1 : 0;
    return count;
  }

  std::string folder_;
  CacheKey key_;
};

TEST_F(Cache, AnotherProcessFindsWhatWasCommitted) {
  PluginCache first(folder_);
  Make(first, 3'000'001);
  PluginCache second(folder_);
  std::string why;
  const auto table = second.Open(key_, &why);
  ASSERT_TRUE(table.has_value()) << why;
  ASSERT_EQ(table->data.size(), 3'000'001u);
  for (size_t i = 0; i < table->data.size(); ++i) ASSERT_EQ(table->data[i], i % 251);
  EXPECT_EQ(table->label.description, "i % 251");
  EXPECT_GT(table->label.made, CacheTime());
  EXPECT_EQ(Files(), 1u);
}

TEST_F(Cache, AByteThatOpeningDoesNotReadIsSeenByTheFilesTime) {
  PluginCache first(folder_);
  Make(first, size_t{12} << 20);
  Damage(first.PathOf(key_), 4096 + (1 << 20) + 5);  // of 12 blocks the first is read, and the fourth
  std::string why;
  EXPECT_FALSE(PluginCache(folder_).Open(key_, &why).has_value());
  EXPECT_THAT(why, HasSubstr("the data is damaged"));
}

TEST_F(Cache, ADistrustedFileIsReadInFullByWhoeverOpensIt) {
  PluginCache first(folder_);
  Make(first, size_t{12} << 20);
  const std::string path = first.PathOf(key_);
  const auto stamp = fs::last_write_time(path);
  Damage(path, 4096 + (1 << 20) + 5);
  fs::last_write_time(path, stamp);
  std::string why;
  ASSERT_TRUE(PluginCache(folder_).Open(key_, &why).has_value()) << "a bad disk does not change times";
  ASSERT_TRUE(first.Open(key_, &why).has_value());
  struct stat info {};
  ASSERT_EQ(::stat(path.c_str(), &info), 0);
  const auto version = CacheFileVersion::Of(info);
  const auto distrusted = DistrustCacheFile(folder_, key_, version);
  ASSERT_TRUE(distrusted.ok());
  EXPECT_NE(*distrusted, version);
  EXPECT_EQ(DistrustCacheFile(folder_, key_, version).error().code, ErrorCode::kNotFound) << "it is another one now";
  EXPECT_EQ(*DistrustCacheFile(folder_, key_, *distrusted), *distrusted) << "once is enough";
  EXPECT_FALSE(first.Open(key_, &why).has_value()) << "nor does the one that has it mapped use it";
  EXPECT_THAT(why, HasSubstr("the data is damaged"));
}

TEST_F(Cache, ACopyIsReadInFullOnceAndThenBelieved) {
  PluginCache first(folder_);
  Make(first, 5000);
  const std::string path = first.PathOf(key_);
  const auto stamp = fs::last_write_time(path);
  fs::last_write_time(path, stamp + std::chrono::hours(1));
  std::string why;
  EXPECT_TRUE(PluginCache(folder_).Open(key_, &why).has_value()) << why;
  EXPECT_EQ(fs::last_write_time(path), stamp);
}

TEST_F(Cache, AFileThatWasRemovedOrChangedIsNotGivenAgain) {
  PluginCache cache(folder_);
  std::string why;
  Make(cache, 5000);
  ASSERT_TRUE(cache.Open(key_, &why).has_value());
  Damage(cache.PathOf(key_), 4096 + 7);
  EXPECT_FALSE(cache.Open(key_, &why).has_value());
  EXPECT_THAT(why, HasSubstr("damaged"));
  Make(cache, 5000);
  fs::remove(cache.PathOf(key_));
  EXPECT_FALSE(cache.Open(key_, &why).has_value());
  Make(cache, 5000);
  EXPECT_TRUE(cache.Open(key_, &why).has_value());
}

TEST_F(Cache, AFileOfAnotherFormatIsToldAndRemoved) {
  PluginCache first(folder_);
  Make(first, 100);
  std::fstream(first.PathOf(key_), std::ios::in | std::ios::out | std::ios::binary).seekp(7).put('1');
  std::string why;
  EXPECT_FALSE(PluginCache(folder_).Open(key_, &why).has_value());
  EXPECT_THAT(why, HasSubstr("it has format 1, this version reads format 2"));
  EXPECT_EQ(Files(), 0u);
}

// Another process writes to the file for as long as it is being committed.
TEST_F(Cache, AFileThatIsNotWhatWasWrittenIsNotUsed) {
  bool refused = false;
  for (int attempt = 0; attempt < 50 && !refused; ++attempt) {
    PluginCache cache(folder_);
    std::string why;
    auto writer = cache.Create(key_, 1 << 20, false, &why);
    ASSERT_NE(writer, nullptr) << why;
    auto* const counter = reinterpret_cast<volatile uint64_t*>(writer->data().data());
    const pid_t child = ::fork();
    if (child == 0) {
      for (;;) *counter = *counter + 1;
    }
    while (*counter == 0) ::usleep(100);
    refused = !cache.Commit(std::move(writer), &why).has_value();
    ::kill(child, SIGKILL);
    ::waitpid(child, nullptr, 0);
    if (!refused) continue;
    EXPECT_THAT(why, HasSubstr("damaged while it was made"));
  }
  EXPECT_TRUE(refused);
}

TEST_F(Cache, WhatIsNotThereIsNotFound) {
  PluginCache cache(folder_);
  std::string why;
  EXPECT_FALSE(cache.Open(key_, &why).has_value());
  EXPECT_EQ(why, "");
}

TEST_F(Cache, OneFlippedBitAnywhereIsSeenAndTheFileRemoved) {
  for (std::streamoff at : {0, 9, 20, 50, 4096, 4096 + 1'500'000, 4096 + 2'000'000 + 3}) {
    PluginCache first(folder_);
    Make(first, 2'000'000);
    Damage(first.PathOf(key_), at);
    PluginCache second(folder_);
    std::string why;
    EXPECT_FALSE(second.Open(key_, &why).has_value()) << at;
    EXPECT_THAT(why, HasSubstr("damaged")) << at;
    EXPECT_EQ(Files(), 0u) << at;
  }
}

TEST_F(Cache, ATruncatedFileIsRemoved) {
  for (uintmax_t size : {0u, 100u, 4096u, 100'000u}) {
    PluginCache first(folder_);
    Make(first, 200'000);
    fs::resize_file(first.PathOf(key_), size);
    PluginCache second(folder_);
    std::string why;
    EXPECT_FALSE(second.Open(key_, &why).has_value()) << size;
    EXPECT_EQ(Files(), 0u) << size;
  }
}

TEST_F(Cache, AFileUnderAnotherKeyIsNotBelieved) {
  PluginCache cache(folder_);
  Make(cache, 100);
  CacheKey other;
  other.fill(9);
  fs::rename(cache.PathOf(key_), cache.PathOf(other));
  std::string why;
  EXPECT_FALSE(PluginCache(folder_).Open(other, &why).has_value());
}

TEST_F(Cache, AnAbandonedWriterLeavesNothing) {
  PluginCache cache(folder_);
  std::string why;
  cache.Create(key_, 5000, false, &why).reset();
  EXPECT_EQ(Files(), 0u);
}

// To give back a large table takes long; whoever cancelled the job waits for its Result, not for that.
TEST_F(Cache, WhatAStoppedJobGivesBackIsKeptUntilItsEnd) {
  for (const bool stopped : {false, true}) {
    PluginCache cache(folder_);
    MemoryBudget budget(0);
    JobControl control("job", 0, {});
    auto leftovers = std::make_unique<Leftovers>();
    JobServices services;
    services.cache = &cache;
    services.budget = &budget;
    services.control = &control;
    services.leftovers = leftovers.get();
    HostServices host(services, "plugin", "");
    const ProcessSnapshot before = ProcessSnapshot::Take();
    const astro_host_v1& abi = *host.abi();
    astro_cache_writer_v1 writer = {};
    writer.struct_size = sizeof(writer);
    ASSERT_EQ(abi.cache_create(abi.ctx, key_.data(), 5000, &writer), ASTRO_OK);
    void* const memory = abi.allocate(abi.ctx, 1000, 64);
    ASSERT_NE(memory, nullptr);
    if (stopped) control.Stop(engine::StopCause::kCancel);
    EXPECT_EQ(before.Leaks().size(), 1u) << "the file that is being written";
    abi.cache_abandon(abi.ctx, &writer);
    abi.release(abi.ctx, memory);
    EXPECT_THAT(before.Leaks(), ::testing::IsEmpty()) << "what the host keeps is no leak of the plugin";
    EXPECT_EQ(budget.used(), 0u);
    EXPECT_EQ(Files(), 0u);
    EXPECT_EQ(Mappings(), stopped ? 1u : 0u);
    leftovers.reset();
    EXPECT_EQ(Mappings(), 0u);
  }
}

TEST_F(Cache, AFileOthersMayWriteIsNotUsed) {
  PluginCache first(folder_);
  Make(first, 100);
  ::chmod(first.PathOf(key_).c_str(), 0666);
  std::string why;
  EXPECT_FALSE(PluginCache(folder_).Open(key_, &why).has_value());
  EXPECT_THAT(why, HasSubstr("somebody else"));
}

TEST_F(Cache, WithoutAFolderItLivesInMemory) {
  PluginCache cache("/proc/no/such/folder");
  std::string why;
  EXPECT_EQ(cache.Create(key_, 100, false, &why), nullptr);
  EXPECT_NE(why, "");
  auto writer = cache.Create(key_, 100, true, &why);
  ASSERT_NE(writer, nullptr);
  EXPECT_TRUE(writer->in_memory());
  writer->data()[5] = 6;
  const auto table = cache.Commit(std::move(writer), &why);
  ASSERT_TRUE(table.has_value());
  EXPECT_EQ(table->data[5], 6);
  EXPECT_EQ(table->file_size, 0u);
  EXPECT_TRUE(cache.Open(key_, &why).has_value());
}

TEST_F(Cache, TwoWritersOfOneKeyBothEndWithAWholeFile) {
  PluginCache one(folder_);
  PluginCache two(folder_);
  std::string why;
  auto first = one.Create(key_, 100'000, false, &why);
  auto second = two.Create(key_, 100'000, false, &why);
  ASSERT_NE(first, nullptr);
  ASSERT_NE(second, nullptr) << why;
  for (auto* writer : {&first, &second}) std::ranges::fill((*writer)->data(), uint8_t{9});
  const auto from_first = one.Commit(std::move(first), &why);
  const auto from_second = two.Commit(std::move(second), &why);
  EXPECT_EQ(why, "");
  ASSERT_TRUE(from_first && from_second);
  EXPECT_EQ(from_first->data[99'999], 9);
  EXPECT_EQ(from_second->data[99'999], 9);
  EXPECT_EQ(Files(), 1u);
  EXPECT_TRUE(PluginCache(folder_).Open(key_, &why).has_value()) << why;
}

TEST_F(Cache, WhatAKilledWriterLeftIsRemovedByTheNext) {
  const pid_t child = ::fork();
  if (child == 0) {
    std::string why;
    const auto writer = PluginCache(folder_).Create(key_, 100'000, false, &why);
    ::kill(::getpid(), SIGKILL);
  }
  int status = 0;
  ASSERT_EQ(::waitpid(child, &status, 0), child);
  ASSERT_TRUE(WIFSIGNALED(status));
  ASSERT_EQ(Files(), 1u);
  const fs::path left = fs::directory_iterator(folder_)->path();
  fs::last_write_time(left, fs::file_time_type::clock::now() - std::chrono::minutes(1));
  PluginCache cache(folder_);
  std::string why;
  EXPECT_FALSE(cache.Open(key_, &why).has_value());
  Make(cache, 100'000);
  EXPECT_FALSE(fs::exists(left));
  EXPECT_EQ(Files(), 1u);
}

// As on a full disk, space for the file is refused before a byte of it is written.
TEST_F(Cache, WithoutRoomOnDiskTheTableLivesInMemory) {
  const pid_t child = ::fork();
  if (child == 0) {
    ::signal(SIGXFSZ, SIG_IGN);
    const rlimit limit{1 << 20, 1 << 20};
    ::setrlimit(RLIMIT_FSIZE, &limit);
    PluginCache cache(folder_);
    std::string why;
    const bool refused = cache.Create(key_, 10 << 20, false, &why) == nullptr && !why.empty();
    auto writer = cache.Create(key_, 10 << 20, true, &why);
    const bool served = writer != nullptr && writer->in_memory();
    if (served) writer->data()[5] = 6;
    ::_exit(refused && served && cache.Commit(std::move(writer), &why)->data[5] == 6 ? 0 : 1);
  }
  int status = 0;
  ASSERT_EQ(::waitpid(child, &status, 0), child);
  EXPECT_TRUE(WIFEXITED(status) && WEXITSTATUS(status) == 0);
  EXPECT_EQ(Files(), 0u);
}

TEST_F(Cache, SizesThatMakeNoSenseAreRefused) {
  PluginCache cache(folder_);
  std::string why;
  EXPECT_EQ(cache.Create(key_, 0, true, &why), nullptr);
  EXPECT_EQ(cache.Create(key_, ~uint64_t{0}, true, &why), nullptr);
}

TEST_F(Cache, APluginsTableIsMadeOnceForAllWorkers) {
  internal::v1::RunJob job = testing::FixtureJob("counter", "0 12");
  testing::SetParam(job, "cached", 1);
  {
    testing::WorkerProcess worker(testing::Environment{{"ASTROLABE_CACHE_DIR", folder_}});
    EXPECT_THAT(worker.Run(job).result().notes(), ::testing::ElementsAre("cache: made"));
    EXPECT_THAT(worker.Run(job).result().notes(), ::testing::ElementsAre("cache: found"));
  }
  testing::WorkerProcess worker(testing::Environment{{"ASTROLABE_CACHE_DIR", folder_}});
  EXPECT_THAT(worker.Run(job).result().notes(), ::testing::ElementsAre("cache: found"));
  EXPECT_EQ(Files(), 1u);
}

TEST_F(Cache, AResultNamesTheFilesThatItsJobUsed) {
  internal::v1::RunJob job = testing::FixtureJob("counter", "0 12");
  testing::SetParam(job, "cached", 1);
  testing::WorkerProcess worker(testing::Environment{{"ASTROLABE_CACHE_DIR", folder_}});
  const v1::Result made = worker.Run(job).result();
  ASSERT_EQ(made.provenance().cache_files_size(), 1);
  const v1::CacheFileUsed& file = made.provenance().cache_files(0);
  EXPECT_EQ(file.id() + ".cache", fs::directory_iterator(folder_)->path().filename().string());
  EXPECT_EQ(file.description(), "goals of a counter") << "one line";
  EXPECT_EQ(file.size_bytes(), static_cast<int64_t>(fs::directory_iterator(folder_)->file_size()));
  EXPECT_TRUE(file.made());
  EXPECT_TRUE(file.has_make_time());
  EXPECT_FALSE(file.in_memory());
  const v1::Result found = worker.Run(job).result();
  ASSERT_EQ(found.provenance().cache_files_size(), 1);
  EXPECT_FALSE(found.provenance().cache_files(0).made());
  EXPECT_EQ(found.provenance().cache_files(0).id(), file.id());
  fs::remove(fs::directory_iterator(folder_)->path());
  EXPECT_TRUE(worker.Run(job).result().provenance().cache_files(0).made()) << "removed meanwhile";
  EXPECT_EQ(Files(), 1u);
}

TEST_F(Cache, WithoutAFolderThePluginIsWarnedAndServed) {
  internal::v1::RunJob job = testing::FixtureJob("counter", "0 12");
  testing::SetParam(job, "cached", 1);
  testing::WorkerProcess worker(testing::Environment{{"ASTROLABE_CACHE_DIR", "/proc/no/such/folder"}});
  const testing::Frames frames = worker.Run(job);
  EXPECT_THAT(frames.result().notes(), ::testing::ElementsAre("cache: made"));
  EXPECT_THAT(frames.log(), HasSubstr("kept in memory"));
  ASSERT_EQ(frames.result().provenance().cache_files_size(), 1);
  EXPECT_TRUE(frames.result().provenance().cache_files(0).in_memory());
  EXPECT_NE(frames.last().recycle(), "") << "the next job is to try the disk again";
}

}  // namespace
}  // namespace astrolabe::worker
