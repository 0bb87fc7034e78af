#include "daemon/base/cache_folder.h"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <ctime>
#include <filesystem>
#include <optional>
#include <span>
#include <system_error>
#include <vector>

#include "daemon/base/cache_file.h"
#include "daemon/base/fd.h"

namespace astrolabe {
namespace {

constexpr time_t kYoungSeconds = 10;
constexpr std::string_view kTemporarySuffix = ".tmp";

// A folder that cannot be read has none.
std::vector<std::filesystem::path> FilesOf(const std::string& folder) {
  std::vector<std::filesystem::path> files;
  std::error_code error;
  for (std::filesystem::directory_iterator at(folder, error), end; !error && at != end; at.increment(error)) {
    files.push_back(at->path());
  }
  return files;
}

// An own regular file, opened without following a link; else invalid.
Fd OpenOwn(const std::filesystem::path& path, struct stat* info) {
  Fd fd(::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK));
  if (!fd.valid() || ::fstat(fd.get(), info) != 0 || !S_ISREG(info->st_mode) || info->st_uid != ::geteuid()) {
    return Fd();
  }
  return fd;
}

// nullopt: it cannot be read.
std::optional<std::string> FullDamage(const Fd& fd, size_t size, const CacheKey& key,
                                      const std::function<bool()>& stop) {
  if (size == 0) return "too short";
  void* base = ::mmap(nullptr, size, PROT_READ, MAP_SHARED, fd.get(), 0);
  if (base == MAP_FAILED) return std::nullopt;
  std::string damage = CacheDamage({static_cast<const uint8_t*>(base), size}, key, CacheCheck::kFull, stop);
  ::munmap(base, size);
  return damage;
}

}  // namespace

size_t SweepCacheFolder(const std::string& folder) {
  size_t removed = 0;
  for (const std::filesystem::path& path : FilesOf(folder)) {
    if (path.extension() != kTemporarySuffix) continue;
    struct stat info {};
    const Fd fd = OpenOwn(path, &info);
    if (!fd.valid() || ::time(nullptr) - info.st_mtime < kYoungSeconds) continue;
    if (::flock(fd.get(), LOCK_EX | LOCK_NB) != 0) continue;
    if (::unlink(path.c_str()) == 0) ++removed;
  }
  return removed;
}

CacheFolderCheck CheckCacheFolder(const std::string& folder, const std::function<bool()>& stop,
                                  const std::function<void(const std::string& text)>& report) {
  CacheFolderCheck check;
  for (const std::filesystem::path& path : FilesOf(folder)) {
    if (stop()) break;
    const std::optional<CacheKey> key = KeyOfCacheFile(path.filename().string());
    if (!key) continue;
    struct stat info {};
    const Fd fd = OpenOwn(path, &info);
    if (!fd.valid()) continue;
    const auto damage = FullDamage(fd, static_cast<size_t>(info.st_size), *key, stop);
    if (!damage || stop()) continue;
    ++check.files;
    check.bytes += static_cast<uint64_t>(info.st_size);
    if (damage->empty()) continue;
    ++check.damaged;
    const bool gone = ::unlink(path.c_str()) == 0;
    report("the cache file " + path.string() + " is damaged (" + *damage + ") and " +
           (gone ? "has been removed" : "cannot be removed"));
  }
  return check;
}

}  // namespace astrolabe
