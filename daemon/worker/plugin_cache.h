// Files that plugins compute once and every worker maps: tables of heuristics, under a 32-byte key.
//
// A file (daemon/base/cache_file.h) is written under a temporary name, synced, read in full and renamed, so a reader
// sees all of it or nothing. Two that write the same one at once both end with a whole file; the later stays. What a
// killed writer leaves is removed when the next file is made. Opening checks what it can afford to read, and all of a
// file whose time is not its stamp: somebody has written to it, or copied it. A damaged file is removed.
//
// Mappings live as long as the process, but a file that was removed or changed is not given again. Thread-safe.
#ifndef ASTROLABE_DAEMON_WORKER_PLUGIN_CACHE_H_
#define ASTROLABE_DAEMON_WORKER_PLUGIN_CACHE_H_

#include <sys/types.h>

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
  struct Table {
    std::span<const uint8_t> data;
    CacheLabel label;
    uint64_t file_size = 0;  // 0: it is no file, it lives in memory
  };

  // A file being written. Destroying it uncommitted removes it.
  class Writer {
   public:
    ~Writer();
    Writer(const Writer&) = delete;
    Writer& operator=(const Writer&) = delete;
    std::span<uint8_t> data() const { return {base_ + offset_, size_}; }
    bool in_memory() const { return fd_ < 0; }
    // What the file will say of itself; the time is set by Commit.
    CacheLabel& label() { return label_; }
    const CacheKey& key() const { return key_; }
    // Takes the file's name and descriptor away, which is quick; its blocks go when the writer is destroyed, or the
    // process ends. The data stays where it is.
    void Abandon();

   private:
    friend class PluginCache;
    Writer() = default;
    CacheKey key_{};
    CacheLabel label_;
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
  std::optional<Table> Open(const CacheKey& key, std::string* why);

  // `size` zeroed bytes. In memory when the folder cannot be used (`why` tells) and memory_allowed;
  // null when neither works.
  std::unique_ptr<Writer> Create(const CacheKey& key, uint64_t size, bool memory_allowed, std::string* why);

  // Publishes the file and maps it. When that fails, the data stays usable in memory and `why` tells. nullopt: the data
  // is not what was written (`why` tells), and must not be used.
  std::optional<Table> Commit(std::unique_ptr<Writer> writer, std::string* why);

  std::string PathOf(const CacheKey& key) const;

 private:
  // A table that is mapped, and the file it was when it was mapped.
  struct Opened {
    Table table;
    ino_t inode = 0;
    CacheTime changed{};
  };
  std::unique_ptr<Writer> CreateFile(const CacheKey& key, uint64_t size, std::string* why);
  // Seals, syncs, reads and renames. False: it stays in memory. nullopt: the data is damaged.
  std::optional<bool> Publish(Writer& writer, std::string* why);
  // The file is still there, and nobody has written to it.
  bool IsCurrent(const CacheKey& key, const Opened& opened) const;

  const std::string folder_;
  std::mutex mutex_;
  std::map<CacheKey, Opened> open_;
};

}  // namespace astrolabe::worker

#endif  // ASTROLABE_DAEMON_WORKER_PLUGIN_CACHE_H_
