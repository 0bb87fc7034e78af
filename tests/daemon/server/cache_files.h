// A folder with files of the plugin cache.
#ifndef ASTROLABE_TESTS_DAEMON_SERVER_CACHE_FILES_H_
#define ASTROLABE_TESTS_DAEMON_SERVER_CACHE_FILES_H_

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/stat.h>

#include <chrono>
#include <ctime>
#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include "daemon/base/cache_file.h"
#include "tests/support/process.h"

namespace astrolabe::server {

class CacheFiles {
 public:
  static constexpr CacheTime kMade{std::chrono::seconds(1'700'000'000)};

  static CacheKey Key(uint8_t first) {
    CacheKey key{};
    key[0] = first;
    return key;
  }
  const std::string& path() const { return folder_.path(); }
  std::string PathOf(uint8_t first) const { return folder_ / CacheFileName(Key(first)); }

  // As a worker does it, the time of the file its stamp.
  void Make(uint8_t first, size_t size, CacheTime made = kMade) const {
    std::vector<uint8_t> file(CacheFileSize(size), first);
    SealCacheFile(file, size, Key(first), {"pdb", "board " + std::to_string(first), made});
    std::ofstream(PathOf(first), std::ios::binary)
        .write(reinterpret_cast<const char*>(file.data()), static_cast<std::streamsize>(file.size()));
    Stamp(first, made);
  }
  // As if nobody had written to it since then.
  void Stamp(uint8_t first, CacheTime made = kMade) const {
    const auto seconds = std::chrono::floor<std::chrono::seconds>(made);
    timespec time{};
    time.tv_sec = seconds.time_since_epoch().count();
    time.tv_nsec = (made - seconds).count();
    const timespec times[2] = {time, time};
    EXPECT_EQ(::utimensat(AT_FDCWD, PathOf(first).c_str(), times, 0), 0);
  }
  // Changes byte `at` of the data.
  void Flip(uint8_t first, size_t at) const {
    std::fstream file(PathOf(first), std::ios::in | std::ios::out | std::ios::binary);
    file.seekg(static_cast<std::streamoff>(kCacheHeaderSize + at));
    const char byte = static_cast<char>(file.get());
    file.seekp(static_cast<std::streamoff>(kCacheHeaderSize + at));
    file.put(static_cast<char>(byte ^ 1));
  }

 private:
  testing::TempFolder folder_;
};

}  // namespace astrolabe::server

#endif  // ASTROLABE_TESTS_DAEMON_SERVER_CACHE_FILES_H_
