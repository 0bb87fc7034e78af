// The plugin cache as the daemon knows it: its files, and what reading each of them in full has shown.
//
// What is known of a file holds for one version of it (daemon/base/cache_folder.h): a file that was replaced or written
// to is unknown again. Workers read each file that they have made, so one that is younger than this object and still
// has the time of its stamp counts as read then. Thread-safe; calls block on the disk.
#ifndef ASTROLABE_DAEMON_SERVER_CACHE_STORE_H_
#define ASTROLABE_DAEMON_SERVER_CACHE_STORE_H_

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "daemon/base/cache_folder.h"
#include "daemon/base/result.h"

namespace astrolabe::server {

// The numbers are those of astrolabe.v1.CacheFileState.
enum class CacheState { kOk = 1, kUnchecked = 2, kDamaged = 3, kRemoved = 4 };

struct CacheEntry {
  CacheFileInfo file;  // `damage` says what is wrong, whoever found it
  CacheState state = CacheState::kUnchecked;
  std::optional<CacheTime> checked;  // read in full
};

class CacheStore {
 public:
  using Stop = std::function<bool()>;

  // `now` is asked for the time; tests have their own.
  explicit CacheStore(std::string folder, std::function<CacheTime()> now = SystemTime);
  CacheStore(const CacheStore&) = delete;
  CacheStore& operator=(const CacheStore&) = delete;

  const std::string& folder() const { return folder_; }

  // Ordered by key; those that were removed as damaged are there until the file is made again or forgotten. Removes
  // no table, workers see themselves what is wrong with a header; but what killed builds have left.
  Result<std::vector<CacheEntry>> List() const;
  // Reads a file in full and remembers what that shows. A damaged one is removed, so that no search uses it from now on
  // (kRemoved); if that fails, workers are made to read it in full, which shows them the same (kDamaged). One that was
  // removed before is told again. kNotFound; kCancelled when `stop` said so.
  Result<CacheEntry> Check(const CacheKey& key, const Stop& stop);
  // Removes a file, or forgets one that was removed. What it was; kNotFound, kFailedPrecondition.
  Result<CacheEntry> Remove(const CacheKey& key);

  struct Sum {
    size_t files = 0;  // read, all of each
    uint64_t bytes = 0;
    size_t damaged = 0;
  };
  // Checks all files; each that is damaged is told to `report`. Ends early, with what it
  // has, once `stop` says true.
  Sum CheckAll(const Stop& stop, const std::function<void(const std::string& text)>& report);

 private:
  static CacheTime SystemTime() { return std::chrono::system_clock::now(); }

  struct Seen {
    CacheFileVersion version;
    std::string damage;
    CacheTime when{};
  };
  // mutex_ held.
  CacheEntry EntryOf(CacheFileInfo file) const;
  CacheEntry NoteRemoved(CacheFileInfo file);

  const std::string folder_;
  const std::function<CacheTime()> now_;
  const CacheTime start_;
  mutable std::mutex mutex_;  // never held while the disk is read
  std::map<CacheKey, Seen> seen_;
  std::map<CacheKey, CacheEntry> removed_;
};

}  // namespace astrolabe::server

#endif  // ASTROLABE_DAEMON_SERVER_CACHE_STORE_H_
