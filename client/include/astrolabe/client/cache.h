// The plugin cache: tables that heuristics compute once and the server keeps on disk for all jobs.
#ifndef ASTROLABE_CLIENT_CACHE_H_
#define ASTROLABE_CLIENT_CACHE_H_

#include <cstdint>
#include <optional>
#include <string>

#include "astrolabe/client/export.h"
#include "astrolabe/client/job.h"

namespace astrolabe::client {

enum class CacheFileState {
  kUnspecified = 0,
  kOk = 1,         // read in full since the server started, or when it was made
  kUnchecked = 2,  // not read in full since the server started, or changed since then
  kDamaged = 3,    // CacheFile::damage
  kRemoved = 4,    // was damaged; the server removed it, at its start or when it was verified
};

struct CacheFile {
  std::string id;           // 64 hex digits
  std::string heuristic;    // that made it; empty: a problem did, or unknown
  std::string description;  // what it is for
  int64_t size_bytes = 0;
  std::optional<Timestamp> make_time;
  CacheFileState state = CacheFileState::kUnspecified;
  std::string damage;
  std::optional<Timestamp> check_time;  // unset: not read in full since the server started
  friend bool operator==(const CacheFile&, const CacheFile&) = default;
};

ASTROLABE_CLIENT_EXPORT std::string Name(CacheFileState state);

}  // namespace astrolabe::client

#endif  // ASTROLABE_CLIENT_CACHE_H_
