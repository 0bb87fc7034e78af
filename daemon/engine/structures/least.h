// KeepLeast: the smallest of many, as std::nth_element finds them, but it can be stopped: on millions that takes longer
// than a stop may wait.
#ifndef ASTROLABE_DAEMON_ENGINE_STRUCTURES_LEAST_H_
#define ASTROLABE_DAEMON_ENGINE_STRUCTURES_LEAST_H_

#include <algorithm>
#include <cstddef>
#include <utility>

#include "daemon/engine/structures/random.h"

namespace astrolabe::engine {

inline constexpr size_t kLeastBetweenLooks = size_t{1} << 16;

// Leaves in `items`, a vector, the `count` smallest, in no particular order but the same on any machine. No two are
// equal. look(): false ends it at once; asked every so many comparisons. Returns false then, `items` in any state.
// Hoare, "Algorithm 65: FIND", 1961, with pivots drawn at random: linear on average, whatever the order was.
template <typename Items, typename Look>
[[nodiscard]] bool KeepLeast(Items& items, size_t count, Look look) {
  if (items.size() <= count) return true;
  SplitMix64 random(items.size());
  size_t compared = 0;
  // The smallest are those before `first`, and `count - first` of those before `end`.
  for (size_t first = 0, end = items.size(); first < count && count < end;) {
    std::swap(items[first], items[first + random.Next() % (end - first)]);
    size_t less = first;  // what is less than the pivot, which is at `first`, ends here
    for (size_t i = first + 1; i < end; ++i) {
      if (++compared % kLeastBetweenLooks == 0 && !look()) return false;
      if (items[i] < items[first]) std::swap(items[++less], items[i]);
    }
    std::swap(items[first], items[less]);
    if (less < count) {
      first = less + 1;
    } else {
      end = less;
    }
  }
  items.erase(items.begin() + static_cast<std::ptrdiff_t>(count), items.end());
  return true;
}

}  // namespace astrolabe::engine

#endif  // ASTROLABE_DAEMON_ENGINE_STRUCTURES_LEAST_H_
