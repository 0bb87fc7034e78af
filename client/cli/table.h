#ifndef ASTROLABE_CLIENT_CLI_TABLE_H_
#define ASTROLABE_CLIENT_CLI_TABLE_H_

#include <string>
#include <vector>

namespace astrolabe::cli {

enum class Align { kLeft, kRight };

// Rows of cells, columns aligned (to the left, where `align` says nothing), two spaces between them, no spaces at the
// ends of lines.
std::string Table(const std::vector<std::vector<std::string>>& rows, const std::vector<Align>& align = {});

}  // namespace astrolabe::cli

#endif  // ASTROLABE_CLIENT_CLI_TABLE_H_
