#include "client/cli/cache_ids.h"

#include <algorithm>
#include <cctype>

namespace astrolabe::cli {
namespace {

constexpr size_t kShortDigits = 12;
constexpr size_t kMostNamed = 5;

}  // namespace

std::string ShortId(const std::string& id) { return id.substr(0, kShortDigits); }

absl::StatusOr<client::CacheFile> FindCacheFile(const std::vector<client::CacheFile>& files, std::string_view text) {
  const std::string typed = "\"" + std::string(text) + "\"";
  const bool hex = !text.empty() && std::ranges::all_of(text, [](unsigned char c) { return std::isxdigit(c) != 0; });
  if (!hex) {
    return absl::InvalidArgumentError(typed +
                                      " is not the id of a table; expected its first digits as in: astrolabe pdb ls");
  }
  std::string digits(text);
  std::ranges::transform(digits, digits.begin(), [](unsigned char c) { return std::tolower(c); });
  std::vector<const client::CacheFile*> found;
  for (const client::CacheFile& file : files) {
    if (file.id.starts_with(digits)) found.push_back(&file);
  }
  if (found.size() == 1) return *found.front();
  if (found.empty()) return absl::NotFoundError("there is no table " + typed + "; see: astrolabe pdb ls");
  std::string names;
  for (size_t i = 0; i < std::min(found.size(), kMostNamed); ++i) names += (i > 0 ? ", " : "") + ShortId(found[i]->id);
  if (found.size() > kMostNamed) names += ", ...";
  return absl::InvalidArgumentError(typed + " is the beginning of several ids: " + names + "; give more digits");
}

}  // namespace astrolabe::cli
