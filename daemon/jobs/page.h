// page_size and page_token of a request.
#ifndef ASTROLABE_DAEMON_JOBS_PAGE_H_
#define ASTROLABE_DAEMON_JOBS_PAGE_H_

#include <algorithm>
#include <charconv>
#include <cstdint>
#include <string>

#include "daemon/base/result.h"

namespace astrolabe::jobs {

struct Page {
  int64_t size = 0;
  int64_t start = 0;  // from the token; 0: the beginning
};

struct PageBounds {
  int unset = 50;   // what 0 means
  int most = 1000;  // larger wishes are cut to it
};

inline Error BadPageToken() {
  Error error = MakeError(ErrorCode::kInvalidArgument, "BAD_PAGE_TOKEN",
                          "page_token: is none that this server gave out; start again without one");
  error.violations = {{"page_token", "is none that this server gave out"}};
  return error;
}

inline Result<Page> ParsePage(int32_t size, const std::string& token, const PageBounds& bounds) {
  if (size < 0) {
    Error error = MakeError(ErrorCode::kInvalidArgument, "INVALID_FIELD", "page_size: expected a number of at least 0");
    error.violations = {{"page_size", "expected a number of at least 0"}};
    return error;
  }
  Page page;
  page.size = size == 0 ? bounds.unset : std::min(size, bounds.most);
  if (token.empty()) return page;
  const char* const end = token.data() + token.size();
  const auto [at, code] = std::from_chars(token.data(), end, page.start);
  if (code != std::errc() || at != end || page.start < 1) return BadPageToken();
  return page;
}

}  // namespace astrolabe::jobs

#endif  // ASTROLABE_DAEMON_JOBS_PAGE_H_
