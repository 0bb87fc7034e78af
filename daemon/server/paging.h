// Pages over a list whose items have ids: the token is the id of the last item delivered.
#ifndef ASTROLABE_DAEMON_SERVER_PAGING_H_
#define ASTROLABE_DAEMON_SERVER_PAGING_H_

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "daemon/base/result.h"

namespace astrolabe::server {

inline constexpr int32_t kDefaultPageSize = 50;
inline constexpr int32_t kMaxPageSize = 1000;
// A page ends early rather than pass this: no response exceeds 1 MiB.
inline constexpr size_t kMaxPageBytes = 512u << 10;

// Where a page begins, by position in `ids`. kInvalidArgument for a negative size or a token whose item is
// no longer there.
inline Result<size_t> PageStart(int32_t page_size, const std::string& token, const std::vector<std::string>& ids) {
  Error error = MakeError(ErrorCode::kInvalidArgument, "INVALID_FIELD", "");
  if (page_size < 0) error.violations.push_back({"page_size", "must not be negative; 0 means 50"});
  const auto at = token.empty() ? ids.end() : std::find(ids.begin(), ids.end(), token);
  if (!token.empty() && at == ids.end()) {
    error.violations.push_back({"page_token", "is not known (the list may have changed): begin again without a token"});
  }
  if (error.violations.empty()) return token.empty() ? size_t{0} : static_cast<size_t>(at - ids.begin()) + 1;
  error.message = error.violations.front().field + " " + error.violations.front().description;
  return error;
}

// Moves a page of `all` (each has id()) into `out`; sets *next_token when more is left.
template <typename Message, typename Repeated>
Status TakePage(std::vector<Message> all, int32_t page_size, const std::string& token, Repeated* out,
                std::string* next_token) {
  std::vector<std::string> ids;
  ids.reserve(all.size());
  for (const Message& item : all) ids.push_back(item.id());
  const Result<size_t> start = PageStart(page_size, token, ids);
  if (!start.ok()) return start.error();
  const int32_t wanted = page_size == 0 ? kDefaultPageSize : std::min(page_size, kMaxPageSize);
  size_t bytes = 0;
  size_t i = *start;
  for (; i < all.size() && out->size() < wanted; ++i) {
    bytes += all[i].ByteSizeLong();
    if (bytes > kMaxPageBytes && !out->empty()) break;
    *out->Add() = std::move(all[i]);
  }
  if (i < all.size()) *next_token = ids[i - 1];
  return {};
}

}  // namespace astrolabe::server

#endif  // ASTROLABE_DAEMON_SERVER_PAGING_H_
