#include "plugins/explicit_graph/nearest.h"

#include <algorithm>
#include <vector>

#include "astrolabe/sdk/words.h"

namespace explicit_graph {
namespace {

constexpr uint32_t kMaxNames = 10'000;
constexpr size_t kMaxLength = 64;

// Edits of one character, a swap of neighbours counted as one; case counts half.
size_t Distance(std::string_view a, std::string_view b) {
  const auto lower = [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; };
  std::vector<size_t> before(b.size() + 1), last(b.size() + 1), now(b.size() + 1);
  for (size_t j = 0; j <= b.size(); ++j) last[j] = 2 * j;
  for (size_t i = 1; i <= a.size(); ++i) {
    now[0] = 2 * i;
    for (size_t j = 1; j <= b.size(); ++j) {
      const size_t change = a[i - 1] == b[j - 1] ? 0 : lower(a[i - 1]) == lower(b[j - 1]) ? 1 : 2;
      now[j] = std::min({last[j] + 2, now[j - 1] + 2, last[j - 1] + change});
      if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1]) now[j] = std::min(now[j], before[j - 2] + 2);
    }
    std::swap(before, last);
    std::swap(last, now);
  }
  return last[b.size()];
}

}  // namespace

std::string DidYouMean(std::string_view wrong, const NameTable& names) {
  if (names.size() > kMaxNames || wrong.size() > kMaxLength) return "";
  // Two edits at most, and less than the whole word.
  size_t best = std::min<size_t>(5, 2 * wrong.size());
  std::string_view nearest;
  for (uint32_t number = 0; number < names.size(); ++number) {
    const std::string_view name = names.name(number);
    if (name == wrong || name.size() > wrong.size() + 2 || name.size() + 2 < wrong.size()) continue;
    const size_t distance = Distance(wrong, name);
    if (distance >= best) continue;
    best = distance;
    nearest = name;
  }
  return nearest.empty() ? "" : "did you mean " + astro::Quoted(nearest) + "?";
}

}  // namespace explicit_graph
