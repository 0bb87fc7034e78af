// `solve` without a file on a terminal: asks for a sliding-tile board row by row.
#ifndef ASTROLABE_CLIENT_CLI_ASK_BOARD_H_
#define ASTROLABE_CLIENT_CLI_ASK_BOARD_H_

#include <functional>
#include <optional>
#include <string>
#include <string_view>

namespace astrolabe::cli {

// Where the questions go and the answers come from.
struct Dialogue {
  std::function<void(std::string_view text)> say;
  std::function<std::optional<std::string>()> next_line;  // without its line end; empty at the end of the input
};

// Asks for the size and the rows, and for the goal when `ask_goal`. A row that cannot be part of the board is told
// with the reason, and asked for again; nothing typed before is lost, and `back` takes back the line before. The
// instance as text; empty when the input ended
// before the board was whole.
std::optional<std::string> AskBoard(const Dialogue& dialogue, bool ask_goal);

}  // namespace astrolabe::cli

#endif  // ASTROLABE_CLIENT_CLI_ASK_BOARD_H_
