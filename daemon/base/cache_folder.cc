#include "daemon/base/cache_folder.h"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
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
  out.version = {info.st_ino,
                 CacheTime(std::chrono::seconds(info.st_mtim.tv_sec) + std::chrono::nanoseconds(info.st_mtim.tv_nsec))};
  CacheHeader header = ReadCacheHeader(ReadsOf(fd), out.file_size, key);
  out.damage = std::move(header.damage);
  out.label = std::move(header.label);
  return out;
}

fs::path PathOf(const std::string& folder, const CacheKey& key) { return fs::path(folder) / CacheFileName(key); }

Error NoSuchFile(const CacheKey& key) {
  return MakeError(ErrorCode::kNotFound, "UNKNOWN_CACHE_FILE", "there is no cache file " + CacheKeyText(key));
}

// Of a temporary file; nullopt: its name does not tell.
std::optional<pid_t> WriterOf(const fs::path& path) {
  const std::string pid = path.stem().stem().extension().string();  // ".PID"
  pid_t writer = 0;
  const auto [end, error] =
      std::from_chars(pid.data() + std::min<size_t>(pid.size(), 1), pid.data() + pid.size(), writer);
  if (error != std::errc() || end != pid.data() + pid.size() || writer <= 0) return std::nullopt;
  return writer;
}

bool IsGone(pid_t process) { return ::kill(process, 0) != 0 && errno == ESRCH; }

}  // namespace

std::string TemporaryCacheFile(const CacheKey& key, pid_t writer, uint64_t number) {
  return CacheFileName(key) + "." + std::to_string(writer) + "." + std::to_string(number) +
         std::string(kTemporarySuffix);
}

size_t SweepCacheFolder(const std::string& folder) {
  size_t removed = 0;
  std::error_code error;
  // A folder that cannot be read has nothing to sweep.
  for (const fs::path& path : FilesOf(folder, &error)) {
    if (path.extension() != kTemporarySuffix) continue;
    struct stat info {};
    const Fd fd = OpenOwn(path, &info);
    if (!fd.valid()) continue;
    const std::optional<pid_t> writer = WriterOf(path);
    if (::time(nullptr) - info.st_mtime < kYoungSeconds && !(writer && IsGone(*writer))) continue;
    if (::flock(fd.get(), LOCK_EX | LOCK_NB) != 0) continue;
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

Status RemoveCacheFile(const std::string& folder, const CacheKey& key) {
  if (::unlink(PathOf(folder, key).c_str()) == 0) return {};
  if (errno == ENOENT || errno == ENOTDIR) return NoSuchFile(key);
  return MakeError(ErrorCode::kFailedPrecondition, "CACHE_FOLDER",
                   "the cache file " + CacheKeyText(key) + " cannot be removed: " + std::strerror(errno));
}

}  // namespace astrolabe
