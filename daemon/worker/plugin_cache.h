// Files that plugins compute once and every worker maps: tables of heuristics, under a 32-byte key.
//
// A file (daemon/base/cache_file.h) is written under a temporary name, synced and renamed, so a reader sees all of it
// or nothing. Two that write the same one at once both end with a whole file; the later stays. What a killed writer
// leaves is removed when the next file is made. Opening checks what it can afford to read; a damaged file is removed.
//
// Mappings live as long as the process. Thread-safe.
#ifndef ASTROLABE_DAEMON_WORKER_PLUGIN_CACHE_H_
#define ASTROLABE_DAEMON_WORKER_PLUGIN_CACHE_H_

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <string>

#include "daemon/base/cache_file.h"

namespace astrolabe::worker {

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
    // Takes the file's name away, which is quick; its blocks go when the writer is destroyed, or the process ends.
    void Unlink();

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
