// "Did you mean".
#ifndef ASTROLABE_DAEMON_BASE_NEAREST_H_
#define ASTROLABE_DAEMON_BASE_NEAREST_H_

#include <span>
#include <string>
#include <string_view>

namespace astrolabe {

// Least number of inserted, removed, replaced and swapped neighbouring bytes; small letters and capitals
// are the same.
size_t EditDistance(std::string_view a, std::string_view b);

// The candidate nearest to `text`, at most a third of its length away (at least 1); empty when none is.
// The first of equals.
std::string Nearest(std::string_view text, std::span<const std::string> candidates);

}  // namespace astrolabe

#endif  // ASTROLABE_DAEMON_BASE_NEAREST_H_
