// Texts that leave the process: valid UTF-8, bounded, without server paths for user clients.
#ifndef ASTROLABE_DAEMON_SERVER_SAFE_TEXT_H_
#define ASTROLABE_DAEMON_SERVER_SAFE_TEXT_H_

#include <cstddef>
#include <string>
#include <string_view>

namespace astrolabe::server {

// `text` as valid UTF-8, cut at a character boundary to at most max_bytes (>= 3); an ellipsis tells of the cut.
std::string SafeText(std::string_view text, size_t max_bytes);

// `text` with absolute paths of two or more components replaced by their last component. `known_path`
// (may be empty) is replaced first, whatever characters it has.
std::string WithoutPaths(std::string_view text, std::string_view known_path);

// The last component of a path.
std::string_view BaseName(std::string_view path);

}  // namespace astrolabe::server

#endif  // ASTROLABE_DAEMON_SERVER_SAFE_TEXT_H_
