#ifndef ASTROLABE_CLIENT_CLI_NEAREST_H_
#define ASTROLABE_CLIENT_CLI_NEAREST_H_

#include <string>
#include <string_view>
#include <vector>

namespace astrolabe::cli {

// The word that differs from `word` by the fewest edits, small letters and capitals being the same, for "did you mean";
// empty when none is near: at most a third of the letters may differ.
std::string Nearest(std::string_view word, const std::vector<std::string>& words);

}  // namespace astrolabe::cli

#endif  // ASTROLABE_CLIENT_CLI_NEAREST_H_
