// Rendered states as boards, the way assignments print them: the size, then the rows, tiles in columns.
#ifndef ASTROLABE_CLIENT_CLI_BOARD_TEXT_H_
#define ASTROLABE_CLIENT_CLI_BOARD_TEXT_H_

#include <string>
#include <string_view>

namespace astrolabe::cli {

// "1 2 3\n4 5 6\n7 8 0" or with "/" between the rows becomes "3\n1 2 3\n4 5 6\n7 8 0\n"; a board that is not square
// begins with "R C". Text that is not several rows of equally many numbers is returned as it is, with a
// last newline.
std::string BoardText(std::string_view state);

// A state in one line, rows separated by "/".
std::string OneLine(std::string_view state);

}  // namespace astrolabe::cli

#endif  // ASTROLABE_CLIENT_CLI_BOARD_TEXT_H_
