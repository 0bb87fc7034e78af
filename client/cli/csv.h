#ifndef ASTROLABE_CLIENT_CLI_CSV_H_
#define ASTROLABE_CLIENT_CLI_CSV_H_

#include <string>
#include <string_view>
#include <vector>

namespace astrolabe::cli {

// A cell as RFC 4180 has it: in quotes, with inner quotes doubled, when it holds a comma, a quote, a line break or a
// blank at an end.
std::string CsvCell(std::string_view text);

// Cells, commas between them, \n at the end.
std::string CsvLine(const std::vector<std::string>& cells);

}  // namespace astrolabe::cli

#endif  // ASTROLABE_CLIENT_CLI_CSV_H_
