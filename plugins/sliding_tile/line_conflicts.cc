#include "plugins/sliding_tile/line_conflicts.h"

#include <algorithm>
#include <array>

namespace sliding_tile {

int CountRemovals(const uint8_t* places, int length) {
  // The last place of the lowest run of each length: a longest increasing run by binary search.
  std::array<uint8_t, 128> last;
  int longest = 0;
  int here = 0;
  for (int i = 0; i < length; ++i) {
    if (places[i] == 0) continue;
    ++here;
    uint8_t* at = std::lower_bound(last.data(), last.data() + longest, places[i]);
    if (at == last.data() + longest) ++longest;
    *at = places[i];
  }
  return here - longest;
}

RemovalTable::RemovalTable(int length) : removals_(size_t{1} << (kPlaceBits * length)) {
  std::array<uint8_t, kMaxLength> places = {};
  for (uint32_t line = 0; line < removals_.size(); ++line) {
    for (int i = 0; i < length; ++i) places[i] = static_cast<uint8_t>(line >> (kPlaceBits * i) & 7);
    removals_[line] = static_cast<uint8_t>(CountRemovals(places.data(), length));
  }
}

}  // namespace sliding_tile
