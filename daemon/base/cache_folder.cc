#include "daemon/base/cache_folder.h"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <charconv>
#include <csignal>
#include <cstring>
#include <ctime>
#include <filesystem>
#include <memory>
#include <optional>
#include <system_error>

#include "daemon/base/fd.h"

namespace astrolabe {
namespace {

namespace fs = std::filesystem;

constexpr time_t kYoungSeconds = 10;
constexpr std::string_view kTemporarySuffix = ".tmp";
constexpr std::string_view kAsideSuffix = ".aside";

std::vector<fs::path> FilesOf(const std::string& folder, std::error_code* error) {
  std::vector<fs::path> files;
  for (fs::directory_iterator at(folder, *error), end; !*error && at != end; at.increment(*error)) {
    files.push_back(at->path());
  }
  return files;
}

// An own regular file, opened without following a link; else invalid.
Fd OpenOwn(const fs::path& path, struct stat* info) {
  Fd fd(::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK));
  if (!fd.valid() || ::fstat(fd.get(), info) != 0 || !S_ISREG(info->st_mode) || info->st_uid != ::geteuid()) {
    return Fd();
  }
  return fd;
}

// By reading, not by mapping: a file that is cut short or on a bad disk must not end the process. `fd` outlives it.
CacheBytes ReadsOf(const Fd& fd) {
  return [&fd, buffer = std::make_shared<std::vector<uint8_t>>()](uint64_t offset,
                                                                  size_t size) -> std::span<const uint8_t> {
    buffer->resize(size);
    size_t filled = 0;
    while (filled < size) {
      const ssize_t got =
          ::pread(fd.get(), buffer->data() + filled, size - filled, static_cast<off_t>(offset + filled));
      if (got < 0 && errno == EINTR) continue;
      if (got <= 0) break;
      filled += static_cast<size_t>(got);
    }
    return {buffer->data(), filled};
  };
}

// With the header read.
CacheFileInfo InfoOf(const Fd& fd, const struct stat& info, const CacheKey& key) {
  CacheFileInfo out;
  out.key = key;
  out.file_size = static_cast<uint64_t>(info.st_size);
  out.version = CacheFileVersion::Of(info);
  CacheHeader header = ReadCacheHeader(ReadsOf(fd), out.file_size, key);
  out.damage = std::move(header.damage);
  out.label = std::move(header.label);
  return out;
}

fs::path PathOf(const std::string& folder, const CacheKey& key) { return fs::path(folder) / CacheFileName(key); }

Error NoSuchFile(const CacheKey& key) {
  return MakeError(ErrorCode::kNotFound, "UNKNOWN_CACHE_FILE", "there is no cache file " + CacheKeyText(key));
}

Error NotRemoved(const CacheKey& key, int error) {
  return MakeError(ErrorCode::kFailedPrecondition, "CACHE_FOLDER",
                   "the cache file " + CacheKeyText(key) + " cannot be removed: " + std::strerror(error));
}

// "KEY.cache.PID.NUMBER" and the suffix.
std::string NameOfProcess(const CacheKey& key, pid_t process, uint64_t number, std::string_view suffix) {
  return CacheFileName(key) + "." + std::to_string(process) + "." + std::to_string(number) + std::string(suffix);
}

// Of a name of NameOfProcess; nullopt: it does not tell.
std::optional<pid_t> WriterOf(const fs::path& path) {
  const std::string pid = path.stem().stem().extension().string();  // ".PID"
  pid_t writer = 0;
  const auto [end, error] =
      std::from_chars(pid.data() + std::min<size_t>(pid.size(), 1), pid.data() + pid.size(), writer);
  if (error != std::errc() || end != pid.data() + pid.size() || writer <= 0) return std::nullopt;
  return writer;
}

bool IsGone(pid_t process) { return ::kill(process, 0) != 0 && errno == ESRCH; }

bool IsLeft(const fs::path& path, const struct stat& info) {
  const std::optional<pid_t> writer = WriterOf(path);
  if (writer && IsGone(*writer)) return true;
  return path.extension() == kTemporarySuffix && ::time(nullptr) - info.st_mtime >= kYoungSeconds;
}

// Gives a file its name back, unless another one has taken it: that one is as good.
void PutBack(const fs::path& aside, const fs::path& path) {
  if (::link(aside.c_str(), path.c_str()) == 0 || errno == EEXIST) {
    ::unlink(aside.c_str());
  } else {
    ::rename(aside.c_str(), path.c_str());  // a file system without links
  }
}

}  // namespace

CacheFileVersion CacheFileVersion::Of(const struct stat& info) {
  return {info.st_ino,
          CacheTime(std::chrono::seconds(info.st_mtim.tv_sec) + std::chrono::nanoseconds(info.st_mtim.tv_nsec))};
}

std::string TemporaryCacheFile(const CacheKey& key, pid_t writer, uint64_t number) {
  return NameOfProcess(key, writer, number, kTemporarySuffix);
}

size_t SweepCacheFolder(const std::string& folder) {
  size_t removed = 0;
  std::error_code error;
  // A folder that cannot be read has nothing to sweep.
  for (const fs::path& path : FilesOf(folder, &error)) {
    if (path.extension() != kTemporarySuffix && path.extension() != kAsideSuffix) continue;
    struct stat info {};
    const Fd fd = OpenOwn(path, &info);
    if (!fd.valid() || !IsLeft(path, info)) continue;
    if (::flock(fd.get(), LOCK_EX | LOCK_NB) != 0) continue;
    // Another sweep may have removed it, and a new writer taken its name. With the lock, nobody does so from now on.
    struct stat named {};
    if (::lstat(path.c_str(), &named) != 0 || named.st_ino != info.st_ino) continue;
    if (::unlink(path.c_str()) == 0) ++removed;
  }
  return removed;
}

Result<std::vector<CacheFileInfo>> ListCacheFolder(const std::string& folder) {
  std::error_code error;
  const std::vector<fs::path> paths = FilesOf(folder, &error);
  if (error && error != std::errc::no_such_file_or_directory) {
    return MakeError(ErrorCode::kFailedPrecondition, "CACHE_FOLDER",
                     "the cache folder cannot be read: " + error.message());
  }
  std::vector<CacheFileInfo> files;
  for (const fs::path& path : paths) {
    const std::optional<CacheKey> key = KeyOfCacheFile(path.filename().string());
    struct stat info {};
    const Fd fd = key ? OpenOwn(path, &info) : Fd();
    if (fd.valid()) files.push_back(InfoOf(fd, info, *key));
  }
  std::ranges::sort(files, {}, &CacheFileInfo::key);
  return files;
}

Result<CacheFileInfo> CheckCacheFile(const std::string& folder, const CacheKey& key,
                                     const std::function<bool()>& stop) {
  struct stat info {};
  const Fd fd = OpenOwn(PathOf(folder, key), &info);
  if (!fd.valid()) return NoSuchFile(key);
  CacheFileInfo file = InfoOf(fd, info, key);
  if (!file.damage.empty()) return file;
  bool stopped = false;
  file.damage = CacheDamage(ReadsOf(fd), file.file_size, key, CacheCheck::kFull, [&] { return stopped = stop(); });
  if (stopped) return MakeError(ErrorCode::kCancelled, "STOPPED", "the check was stopped");
  return file;
}

// Looking and then unlinking would leave a moment for a writer that renames its new file to this name. So the name is
// taken away first, and what it was the name of is looked at then.
Result<bool> RemoveCacheFileVersion(const std::string& folder, const CacheKey& key, const CacheFileVersion& version) {
  static std::atomic<uint64_t> counter{0};
  const fs::path path = PathOf(folder, key);
  const fs::path aside = fs::path(folder) / NameOfProcess(key, ::getpid(), ++counter, kAsideSuffix);
  if (::rename(path.c_str(), aside.c_str()) != 0) {
    if (errno == ENOENT || errno == ENOTDIR) return false;
    return NotRemoved(key, errno);
  }
  struct stat info {};
  if (::lstat(aside.c_str(), &info) != 0 || CacheFileVersion::Of(info) != version) {
    PutBack(aside, path);
    return false;
  }
  if (::unlink(aside.c_str()) != 0) return NotRemoved(key, errno);
  return true;
}

Result<CacheFileVersion> DistrustCacheFile(const std::string& folder, const CacheKey& key,
                                           const CacheFileVersion& version) {
  struct stat info {};
  const Fd fd = OpenOwn(PathOf(folder, key), &info);
  if (!fd.valid() || CacheFileVersion::Of(info) != version) return NoSuchFile(key);
  if (InfoOf(fd, info, key).label.made != version.changed) return version;
  if (::futimens(fd.get(), nullptr) != 0 || ::fstat(fd.get(), &info) != 0) {
    return MakeError(ErrorCode::kFailedPrecondition, "CACHE_FOLDER",
                     "the time of the cache file " + CacheKeyText(key) + " cannot be set: " + std::strerror(errno));
  }
  return CacheFileVersion::Of(info);
}

Status RemoveCacheFile(const std::string& folder, const CacheKey& key) {
  if (::unlink(PathOf(folder, key).c_str()) == 0) return {};
  if (errno == ENOENT || errno == ENOTDIR) return NoSuchFile(key);
  return NotRemoved(key, errno);
}

}  // namespace astrolabe
