#include "daemon/worker/plugin_cache.h"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <chrono>
#include <cstring>
#include <ctime>

#include "daemon/base/cache_folder.h"
#include "daemon/base/fd.h"

namespace astrolabe::worker {
namespace {

// Tables are read all over the place: large pages save most of the walks through the page tables. Files have them where
// the file system can (ext4 from Linux 6.16 on). A hint, so nothing depends on the answer.
void AskForLargePages(void* base, size_t size) { ::madvise(base, size, MADV_HUGEPAGE); }

std::string ErrnoText(const char* what) { return std::string(what) + ": " + std::strerror(errno); }

CacheTime TimeOf(const struct stat& info) { return CacheFileVersion::Of(info).changed; }

// Makes the file's time its stamp. Without it every opening reads the file in full: no fault, so nobody is told.
void Stamp(int fd, CacheTime made) {
  const int64_t ns = made.time_since_epoch().count();
  timespec time{};
  time.tv_sec = static_cast<time_t>(ns / 1'000'000'000);
  time.tv_nsec = static_cast<long>(ns % 1'000'000'000);  // NOLINT: the type of the field
  const timespec times[2] = {time, time};
  [[maybe_unused]] const int stamped = ::futimens(fd, times);
}

}  // namespace

PluginCache::Writer::~Writer() {
  Abandon();
  if (base_ != nullptr) ::munmap(base_, mapped_);
}

void PluginCache::Writer::Abandon() {
  if (!temporary_.empty()) ::unlink(temporary_.c_str());
  temporary_.clear();
  if (fd_ >= 0) ::close(fd_);
  fd_ = -1;
}

std::string PluginCache::PathOf(const CacheKey& key) const { return folder_ + "/" + CacheFileName(key); }

bool PluginCache::IsCurrent(const CacheKey& key, const Opened& opened) const {
  if (opened.table.file_size == 0) return true;
  struct stat info {};
  return ::lstat(PathOf(key).c_str(), &info) == 0 && info.st_ino == opened.inode && TimeOf(info) == opened.changed;
}

std::optional<PluginCache::Table> PluginCache::Open(const CacheKey& key, std::string* why) {
  std::lock_guard<std::mutex> lock(mutex_);
  if (const auto known = open_.find(key); known != open_.end()) {
    if (IsCurrent(key, known->second)) return known->second.table;
    open_.erase(known);
  }
  if (folder_.empty()) return std::nullopt;
  const std::string path = PathOf(key);
  const Fd fd(::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NOFOLLOW));
  struct stat info {};
  if (!fd.valid() || ::fstat(fd.get(), &info) != 0 || !S_ISREG(info.st_mode)) return std::nullopt;
  const size_t file_size = static_cast<size_t>(info.st_size);
  std::string damage = "it is too short";
  void* base = MAP_FAILED;
  if (info.st_uid != ::geteuid() || (info.st_mode & (S_IWGRP | S_IWOTH)) != 0) {
    *why = "a cache file is owned or writable by somebody else: not used";
    return std::nullopt;
  }
  if (file_size > 0) base = ::mmap(nullptr, file_size, PROT_READ, MAP_SHARED, fd.get(), 0);
  if (base != MAP_FAILED) AskForLargePages(base, file_size);
  const std::span<const uint8_t> file{static_cast<const uint8_t*>(base), file_size};
  bool stamped = false;
  if (base != MAP_FAILED) {
    stamped = file_size >= kCacheHeaderSize && CacheLabelOf(file).made == TimeOf(info);
    damage = CacheDamage(file, key, stamped ? CacheCheck::kOpening : CacheCheck::kFull);
  }
  if (!damage.empty()) {
    if (base != MAP_FAILED) ::munmap(base, file_size);
    const Result<bool> removed = RemoveCacheFileVersion(folder_, key, CacheFileVersion::Of(info));
    *why = "a cache file was damaged (" + damage + ") and " +
           (!removed.ok() ? "is not used; " + removed.error().message
            : *removed    ? "has been removed"
                          : "another one has replaced it");
    return std::nullopt;
  }
  const Table table{CacheData(file), CacheLabelOf(file), file_size};
  if (!stamped) {
    Stamp(fd.get(), table.label.made);
    ::fstat(fd.get(), &info);
  }
  return open_.emplace(key, Opened{table, info.st_ino, TimeOf(info)}).first->second.table;
}

std::unique_ptr<PluginCache::Writer> PluginCache::CreateFile(const CacheKey& key, uint64_t size, std::string* why) {
  static std::atomic<uint64_t> counter{0};
  ::mkdir(folder_.c_str(), 0700);
  SweepCacheFolder(folder_);
  std::unique_ptr<Writer> writer(new Writer);
  const std::string name = folder_ + "/" + TemporaryCacheFile(key, ::getpid(), ++counter);
  writer->fd_ = ::open(name.c_str(), O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0600);
  if (writer->fd_ < 0) {
    *why = ErrnoText("a cache file cannot be created");
    return nullptr;
  }
  writer->temporary_ = name;
  // Held until the file is closed, by whatever end: so a sweep sees what a killed worker has left.
  if (::flock(writer->fd_, LOCK_EX | LOCK_NB) != 0) {
    *why = ErrnoText("a cache file cannot be locked");
    return nullptr;
  }
  // Real blocks, not holes: a full disk must fail here and not as SIGBUS in the plugin.
  const size_t file_size = CacheFileSize(size);
  if (const int error = ::posix_fallocate(writer->fd_, 0, static_cast<off_t>(file_size)); error != 0) {
    *why = std::string("a cache file cannot be created: ") + std::strerror(error);
    return nullptr;
  }
  void* base = ::mmap(nullptr, file_size, PROT_READ | PROT_WRITE, MAP_SHARED, writer->fd_, 0);
  if (base == MAP_FAILED) {
    *why = ErrnoText("a cache file cannot be mapped");
    return nullptr;
  }
  AskForLargePages(base, file_size);
  writer->base_ = static_cast<uint8_t*>(base);
  writer->offset_ = kCacheHeaderSize;
  writer->mapped_ = file_size;
  return writer;
}

std::unique_ptr<PluginCache::Writer> PluginCache::Create(const CacheKey& key, uint64_t size, bool memory_allowed,
                                                         std::string* why) {
  if (size == 0 || size > kMaxCacheData) return nullptr;
  std::unique_ptr<Writer> writer;
  if (folder_.empty()) {
    *why = "there is no cache folder";
  } else {
    writer = CreateFile(key, size, why);
  }
  if (writer == nullptr && memory_allowed) {
    void* base = ::mmap(nullptr, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (base == MAP_FAILED) return nullptr;
    AskForLargePages(base, size);
    writer.reset(new Writer);
    writer->base_ = static_cast<uint8_t*>(base);
    writer->mapped_ = size;
  }
  if (writer != nullptr) {
    writer->key_ = key;
    writer->size_ = size;
  }
  return writer;
}

std::optional<bool> PluginCache::Publish(Writer& writer, std::string* why) {
  const std::span<uint8_t> file{writer.base_, writer.mapped_};
  SealCacheFile(file, writer.size_, writer.key_, writer.label_);
  if (::fsync(writer.fd_) != 0) {
    *why = ErrnoText("a cache file cannot be synced");
    return false;
  }
  ::mprotect(writer.base_, writer.mapped_, PROT_READ);
  if (const std::string damage = CacheDamage(file, writer.key_, CacheCheck::kFull); !damage.empty()) {
    *why = "a cache file was damaged while it was made (" + damage + ") and is not used";
    return std::nullopt;
  }
  Stamp(writer.fd_, writer.label_.made);
  if (::rename(writer.temporary_.c_str(), PathOf(writer.key_).c_str()) != 0) {
    *why = ErrnoText("a cache file cannot be renamed");
    return false;
  }
  writer.temporary_.clear();
  const Fd folder(::open(folder_.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  if (folder.valid()) ::fsync(folder.get());
  return true;
}

std::optional<PluginCache::Table> PluginCache::Commit(std::unique_ptr<Writer> writer, std::string* why) {
  // As exact as the times that file systems keep.
  writer->label_.made = std::chrono::floor<std::chrono::microseconds>(std::chrono::system_clock::now());
  Opened opened{{writer->data(), writer->label_, 0}};
  if (!writer->in_memory()) {
    const std::optional<bool> published = Publish(*writer, why);
    if (!published) return std::nullopt;
    struct stat info {};
    if (*published && ::fstat(writer->fd_, &info) == 0) {
      opened.table.file_size = writer->mapped_;
      opened.inode = info.st_ino;
      opened.changed = TimeOf(info);
    }
  }
  // The mapping stays, read-only from now on; the writer lets go of it.
  ::mprotect(writer->base_, writer->mapped_, PROT_READ);
  writer->base_ = nullptr;
  std::lock_guard<std::mutex> lock(mutex_);
  return open_.insert_or_assign(writer->key_, opened).first->second.table;
}

}  // namespace astrolabe::worker
