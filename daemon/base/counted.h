#ifndef ASTROLABE_DAEMON_BASE_COUNTED_H_
#define ASTROLABE_DAEMON_BASE_COUNTED_H_

#include <concepts>
#include <string>
#include <string_view>

namespace astrolabe {

// "1 file", "3 files".
inline std::string Counted(std::integral auto n, std::string_view one) {
  std::string text = std::to_string(n) + ' ';
  text.append(one);
  return n == 1 ? text : text + 's';
}

}  // namespace astrolabe

#endif  // ASTROLABE_DAEMON_BASE_COUNTED_H_
