// The moves of a found path, wherever they are: in the Result, or with the server.
#ifndef ASTROLABE_CLIENT_CLI_MOVES_H_
#define ASTROLABE_CLIENT_CLI_MOVES_H_

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/status.h"
#include "astrolabe/client/client.h"

namespace astrolabe::cli {

// More moves than these are not shown to people, who would have to wait for megabytes.
inline constexpr int64_t kMaxShownMoves = 10'000;

// Calls `take` with the word of each move, in order; the number of the operator where there is no word. Holds
// some thousand at a time. NOT_FOUND when the server no longer has them all; some may have been given then.
absl::Status ForEachMove(client::Client* client, const std::string& job, const client::Path& path,
                         const std::function<void(std::string_view)>& take);

// All of at most kMaxShownMoves; empty when there are more, or the server no longer has them.
std::vector<std::string> ShownMoves(client::Client* client, const std::string& job, const client::Path& path);

}  // namespace astrolabe::cli

#endif  // ASTROLABE_CLIENT_CLI_MOVES_H_
