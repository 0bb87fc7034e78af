// The folder of the plugin cache: what to do with all of its files.
#ifndef ASTROLABE_DAEMON_BASE_CACHE_FOLDER_H_
#define ASTROLABE_DAEMON_BASE_CACHE_FOLDER_H_

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>

namespace astrolabe {

// Removes what a writer left that was killed: temporary files that nobody holds a lock on, and that are some seconds
// old, as one that is being made has no lock yet. Returns how many. What cannot be removed stays.
size_t SweepCacheFolder(const std::string& folder);

struct CacheFolderCheck {
  size_t files = 0;  // looked at, all of each
  uint64_t bytes = 0;
  size_t damaged = 0;  // and removed
};
// Reads every file of the folder in full and removes those that are damaged; each is told to `report`. Ends early, with
// what it has, once `stop` says true. Files of other names are left alone.
CacheFolderCheck CheckCacheFolder(const std::string& folder, const std::function<bool()>& stop,
                                  const std::function<void(const std::string& text)>& report);

}  // namespace astrolabe

#endif  // ASTROLABE_DAEMON_BASE_CACHE_FOLDER_H_
