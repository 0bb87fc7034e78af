#include "daemon/worker/plugin_cache.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <bit>
#include <cerrno>
#include <cstring>
#include <vector>

#include "daemon/base/fd.h"

namespace astrolabe::worker {
namespace {

constexpr size_t kHeaderSize = 4096;
constexpr size_t kBlock = 1 << 20;
constexpr size_t kCheckAllBelow = 64 << 20;
constexpr size_t kSampledBlocks = 64;
constexpr uint64_t kMaxSize = uint64_t{1} << 40;
constexpr char kMagic[8] = {'A', 'S', 'T', 'R', 'C', 'A', 'C', '1'};

struct Header {
  char magic[8];
  uint64_t size;
  uint8_t key[32];
  uint64_t trailer_checksum;
  uint64_t header_checksum;  // of the fields above
};

uint64_t HeaderChecksum(const Header& header) {
  return CacheChecksum({reinterpret_cast<const uint8_t*>(&header), offsetof(Header, header_checksum)});
}

size_t BlockCount(size_t size) { return (size + kBlock - 1) / kBlock; }
size_t FileSize(size_t size) { return kHeaderSize + size + BlockCount(size) * sizeof(uint64_t); }

std::span<const uint8_t> BlockOf(const uint8_t* data, size_t size, size_t index) {
  return {data + index * kBlock, std::min(kBlock, size - index * kBlock)};
}

std::string ErrnoText(const char* what) { return std::string(what) + ": " + std::strerror(errno); }

// Empty when all is well.
std::string Damage(const uint8_t* base, size_t file_size, const CacheKey& key) {
  if (file_size < kHeaderSize) return "too short";
  Header header;
  std::memcpy(&header, base, sizeof header);
  if (std::memcmp(header.magic, kMagic, sizeof kMagic) != 0 || header.header_checksum != HeaderChecksum(header)) {
    return "the header is damaged";
  }
  if (std::memcmp(header.key, key.data(), key.size()) != 0) return "it belongs to another key";
  if (header.size == 0 || header.size > kMaxSize || FileSize(header.size) != file_size) return "its size is wrong";
  const uint8_t* data = base + kHeaderSize;
  const size_t blocks = BlockCount(header.size);
  const std::span<const uint8_t> trailer{data + header.size, blocks * sizeof(uint64_t)};
  if (CacheChecksum(trailer) != header.trailer_checksum) return "the checksums are damaged";
  const size_t checked = header.size <= kCheckAllBelow ? blocks : std::min(blocks, kSampledBlocks);
  for (size_t i = 0; i < checked; ++i) {
    const size_t index = checked == blocks ? i : i * (blocks - 1) / (checked - 1);
    uint64_t expected;
    std::memcpy(&expected, trailer.data() + index * sizeof expected, sizeof expected);
    if (CacheChecksum(BlockOf(data, header.size, index)) != expected) return "the data is damaged";
  }
  return "";
}

}  // namespace

uint64_t CacheChecksum(std::span<const uint8_t> bytes) {
  constexpr uint64_t kPrime = 0x9E3779B185EBCA87;
  uint64_t lanes[4] = {kPrime, kPrime << 1 | 1, ~kPrime, kPrime >> 3};
  const uint8_t* at = bytes.data();
  size_t left = bytes.size();
  for (; left >= 32; left -= 32, at += 32) {
    uint64_t words[4];
    std::memcpy(words, at, 32);
    for (int i = 0; i < 4; ++i) lanes[i] = std::rotl(lanes[i] ^ words[i], 29) * kPrime;
  }
  uint64_t sum = bytes.size();
  for (uint64_t lane : lanes) sum = std::rotl(sum ^ lane, 27) * kPrime;
  for (; left > 0; --left, ++at) sum = std::rotl(sum ^ *at, 11) * kPrime;
  sum ^= sum >> 32;
  return sum * kPrime;
}

PluginCache::Writer::~Writer() {
  if (base_ != nullptr) ::munmap(base_, mapped_);
  if (fd_ >= 0) ::close(fd_);
  if (!temporary_.empty()) ::unlink(temporary_.c_str());
}

std::string PluginCache::PathOf(const CacheKey& key) const {
  static constexpr char kHex[] = "0123456789abcdef";
  std::string name;
  for (uint8_t byte : key) {
    name += kHex[byte >> 4];
    name += kHex[byte & 15];
  }
  return folder_ + "/" + name + ".cache";
}

std::optional<std::span<const uint8_t>> PluginCache::Open(const CacheKey& key, std::string* why) {
  std::lock_guard<std::mutex> lock(mutex_);
  if (const auto known = open_.find(key); known != open_.end()) return known->second;
  if (folder_.empty()) return std::nullopt;
  const std::string path = PathOf(key);
  const Fd fd(::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NOFOLLOW));
  struct stat info {};
  if (!fd.valid() || ::fstat(fd.get(), &info) != 0 || !S_ISREG(info.st_mode)) return std::nullopt;
  const size_t file_size = static_cast<size_t>(info.st_size);
  std::string damage = "too short";
  void* base = MAP_FAILED;
  if (info.st_uid != ::geteuid() || (info.st_mode & (S_IWGRP | S_IWOTH)) != 0) {
    *why = "a cache file is owned or writable by somebody else: not used";
    return std::nullopt;
  }
  if (file_size > 0) base = ::mmap(nullptr, file_size, PROT_READ, MAP_SHARED, fd.get(), 0);
  if (base != MAP_FAILED) damage = Damage(static_cast<const uint8_t*>(base), file_size, key);
  if (!damage.empty()) {
    if (base != MAP_FAILED) ::munmap(base, file_size);
    ::unlink(path.c_str());
    *why = "a cache file was damaged (" + damage + ") and has been removed";
    return std::nullopt;
  }
  Header header;
  std::memcpy(&header, base, sizeof header);
  const std::span<const uint8_t> data{static_cast<const uint8_t*>(base) + kHeaderSize, header.size};
  open_.emplace(key, data);
  return data;
}

std::unique_ptr<PluginCache::Writer> PluginCache::CreateFile(const CacheKey& key, uint64_t size, std::string* why) {
  static std::atomic<uint64_t> counter{0};
  ::mkdir(folder_.c_str(), 0700);
  std::unique_ptr<Writer> writer(new Writer);
  const std::string name = PathOf(key) + "." + std::to_string(::getpid()) + "." + std::to_string(++counter) + ".tmp";
  writer->fd_ = ::open(name.c_str(), O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0600);
  if (writer->fd_ < 0) {
    *why = ErrnoText("a cache file cannot be created");
    return nullptr;
  }
  writer->temporary_ = name;
  // Real blocks, not holes: a full disk must fail here and not as SIGBUS in the plugin.
  const size_t file_size = FileSize(size);
  if (const int error = ::posix_fallocate(writer->fd_, 0, static_cast<off_t>(file_size)); error != 0) {
    *why = std::string("a cache file cannot be created: ") + std::strerror(error);
    return nullptr;
  }
  void* base = ::mmap(nullptr, file_size, PROT_READ | PROT_WRITE, MAP_SHARED, writer->fd_, 0);
  if (base == MAP_FAILED) {
    *why = ErrnoText("a cache file cannot be mapped");
    return nullptr;
  }
  writer->base_ = static_cast<uint8_t*>(base);
  writer->offset_ = kHeaderSize;
  writer->mapped_ = file_size;
  return writer;
}

std::unique_ptr<PluginCache::Writer> PluginCache::Create(const CacheKey& key, uint64_t size, bool memory_allowed,
                                                         std::string* why) {
  if (size == 0 || size > kMaxSize) return nullptr;
  std::unique_ptr<Writer> writer;
  if (folder_.empty()) {
    *why = "there is no cache folder";
  } else {
    writer = CreateFile(key, size, why);
  }
  if (writer == nullptr && memory_allowed) {
    void* base = ::mmap(nullptr, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (base == MAP_FAILED) return nullptr;
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

std::span<const uint8_t> PluginCache::Commit(std::unique_ptr<Writer> writer, std::string* why) {
  const std::span<const uint8_t> data = writer->data();
  if (!writer->in_memory()) {
    const size_t blocks = BlockCount(data.size());
    uint8_t* trailer = writer->base_ + kHeaderSize + data.size();
    for (size_t i = 0; i < blocks; ++i) {
      const uint64_t sum = CacheChecksum(BlockOf(data.data(), data.size(), i));
      std::memcpy(trailer + i * sizeof sum, &sum, sizeof sum);
    }
    Header header{};
    std::memcpy(header.magic, kMagic, sizeof kMagic);
    header.size = data.size();
    std::memcpy(header.key, writer->key_.data(), writer->key_.size());
    header.trailer_checksum = CacheChecksum({trailer, blocks * sizeof(uint64_t)});
    header.header_checksum = HeaderChecksum(header);
    std::memcpy(writer->base_, &header, sizeof header);
    if (::fsync(writer->fd_) != 0) {
      *why = ErrnoText("a cache file cannot be synced");
    } else if (::rename(writer->temporary_.c_str(), PathOf(writer->key_).c_str()) != 0) {
      *why = ErrnoText("a cache file cannot be renamed");
    } else {
      writer->temporary_.clear();
      const Fd folder(::open(folder_.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
      if (folder.valid()) ::fsync(folder.get());
    }
  }
  // The mapping stays, read-only from now on; the writer lets go of it.
  ::mprotect(writer->base_, writer->mapped_, PROT_READ);
  writer->base_ = nullptr;
  std::lock_guard<std::mutex> lock(mutex_);
  return open_.insert_or_assign(writer->key_, data).first->second;
}

}  // namespace astrolabe::worker
