// The folder of the plugin cache: its files, seen from outside of the workers that make them.
//
// Nothing here keeps a file open or mapped: workers add, replace and remove files at any time. Thread-safe.
#ifndef ASTROLABE_DAEMON_BASE_CACHE_FOLDER_H_
#define ASTROLABE_DAEMON_BASE_CACHE_FOLDER_H_

#include <sys/stat.h>
#include <sys/types.h>

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "daemon/base/cache_file.h"
#include "daemon/base/result.h"

namespace astrolabe {

// "KEY.cache.PID.NUMBER.tmp": what a writer calls its file until it is whole. It holds a lock on it (flock).
std::string TemporaryCacheFile(const CacheKey& key, pid_t writer, uint64_t number);

// Removes what a process left that was killed: temporary files that nobody holds a lock on, and whose writer is gone or
// that are some seconds old, as one that is being made has no lock yet; and what RemoveCacheFileVersion had set aside
// in a process that is gone. Returns how many. What cannot be removed stays.
size_t SweepCacheFolder(const std::string& folder);

// A file at one time: another inode is another file, another time one that was written to.
struct CacheFileVersion {
  static CacheFileVersion Of(const struct stat& info);
  ino_t inode = 0;
  CacheTime changed{};
  friend bool operator==(const CacheFileVersion&, const CacheFileVersion&) = default;
};

struct CacheFileInfo {
  CacheKey key{};
  uint64_t file_size = 0;
  CacheFileVersion version;
  CacheLabel label;    // empty when the header is damaged
  std::string damage;  // what is wrong with it, as far as it was read; empty: nothing
};

// Reads the headers of all files, ordered by key; files of other names, owners and kinds are left alone. A folder that
// is not there has none. kFailedPrecondition when it cannot be read; the message has no path.
Result<std::vector<CacheFileInfo>> ListCacheFolder(const std::string& folder);

// Reads one file in full. kNotFound; kCancelled once `stop` says true, which is asked before each MiB.
Result<CacheFileInfo> CheckCacheFile(const std::string& folder, const CacheKey& key, const std::function<bool()>& stop);

// Removes the file if it is still the one that was looked at, as after a check that failed. False: there is none, or
// another one has taken its name meanwhile, and that one stays, whatever is going on around it; for a moment it may not
// be found. kFailedPrecondition when it cannot be removed, without a path.
Result<bool> RemoveCacheFileVersion(const std::string& folder, const CacheKey& key, const CacheFileVersion& version);

// For a damaged file that cannot be removed: makes its time another one than its stamp, so that whoever opens it reads
// it in full. What it is then. kNotFound: it is not that file any more; kFailedPrecondition: nothing could be done.
Result<CacheFileVersion> DistrustCacheFile(const std::string& folder, const CacheKey& key,
                                           const CacheFileVersion& version);

// Removes whichever file has the name. Whoever has it mapped keeps it. kNotFound; kFailedPrecondition when it cannot be
// removed, without a path.
Status RemoveCacheFile(const std::string& folder, const CacheKey& key);

}  // namespace astrolabe

#endif  // ASTROLABE_DAEMON_BASE_CACHE_FOLDER_H_
