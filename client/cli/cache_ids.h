// Ids of cache files as people see and type them: the first digits are enough.
#ifndef ASTROLABE_CLIENT_CLI_CACHE_IDS_H_
#define ASTROLABE_CLIENT_CLI_CACHE_IDS_H_

#include <string>
#include <string_view>
#include <vector>

#include "absl/status/statusor.h"
#include "astrolabe/client/cache.h"

namespace astrolabe::cli {

// The first 12 digits.
std::string ShortId(const std::string& id);

// The one of `files` whose id begins with `text`. NOT_FOUND; INVALID_ARGUMENT when it is no beginning of an id, or of
// several, which are named.
absl::StatusOr<client::CacheFile> FindCacheFile(const std::vector<client::CacheFile>& files, std::string_view text);

}  // namespace astrolabe::cli

#endif  // ASTROLABE_CLIENT_CLI_CACHE_IDS_H_
