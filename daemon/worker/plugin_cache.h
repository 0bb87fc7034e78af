// Files that plugins compute once and every worker maps: tables of heuristics, under a 32-byte key.
//
// A file is: a 4096-byte header (magic, version, sizes, checksum of the trailer), the data, a trailer
// with one checksum for each MiB of data. It is written under a temporary name, synced and renamed, so
// a reader sees all of it or nothing. Opening checks header, trailer and, up to 64 MiB, all of the
// data; of larger files 64 blocks spread evenly, because reading gigabytes would cost what the cache
// saves. A damaged file is removed.
//
// Mappings live as long as the process. Thread-safe.
#ifndef ASTROLABE_DAEMON_WORKER_PLUGIN_CACHE_H_
#define ASTROLABE_DAEMON_WORKER_PLUGIN_CACHE_H_

#include <array>
#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <string>

namespace astrolabe::worker {

using CacheKey = std::array<uint8_t, 32>;

// 64-bit checksum against accidental damage; not cryptographic.
uint64_t CacheChecksum(std::span<const uint8_t> bytes);

class PluginCache {
 public:
  // A file being written. Destroying it uncommitted removes it.
  class Writer {
   public:
    ~Writer();
    Writer(const Writer&) = delete;
    Writer& operator=(const Writer&) = delete;
    std::span<uint8_t> data() const { return {base_ + offset_, size_}; }
    bool in_memory() const { return fd_ < 0; }

   private:
    friend class PluginCache;
    Writer() = default;
    CacheKey key_{};
    int fd_ = -1;
    std::string temporary_;
    uint8_t* base_ = nullptr;
    size_t offset_ = 0;  // of the data in the mapping
    size_t size_ = 0;
    size_t mapped_ = 0;
  };

  // Empty folder: everything lives in memory.
  explicit PluginCache(std::string folder) : folder_(std::move(folder)) {}
  PluginCache(const PluginCache&) = delete;
  PluginCache& operator=(const PluginCache&) = delete;

  // nullopt: there is none, or it was damaged (and `why` says so).
  std::optional<std::span<const uint8_t>> Open(const CacheKey& key, std::string* why);

  // `size` zeroed bytes. In memory when the folder cannot be used (`why` tells) and memory_allowed;
  // null when neither works.
  std::unique_ptr<Writer> Create(const CacheKey& key, uint64_t size, bool memory_allowed, std::string* why);

  // Publishes the file and maps it. When that fails, the data stays usable in memory and `why` tells.
  std::span<const uint8_t> Commit(std::unique_ptr<Writer> writer, std::string* why);

  std::string PathOf(const CacheKey& key) const;

 private:
  std::unique_ptr<Writer> CreateFile(const CacheKey& key, uint64_t size, std::string* why);

  const std::string folder_;
  std::mutex mutex_;
  std::map<CacheKey, std::span<const uint8_t>> open_;
};

}  // namespace astrolabe::worker

#endif  // ASTROLABE_DAEMON_WORKER_PLUGIN_CACHE_H_
