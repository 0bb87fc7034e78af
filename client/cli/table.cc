#include "client/cli/table.h"

#include <algorithm>

namespace astrolabe::cli {

std::string Table(const std::vector<std::vector<std::string>>& rows, const std::vector<Align>& align) {
  std::vector<size_t> widths;
  for (const auto& row : rows) {
    widths.resize(std::max(widths.size(), row.size()));
    for (size_t i = 0; i < row.size(); ++i) widths[i] = std::max(widths[i], row[i].size());
  }
  std::string text;
  for (const auto& row : rows) {
    std::string line;
    for (size_t i = 0; i < row.size(); ++i) {
      const size_t padding = widths[i] - row[i].size();
      const bool right = i < align.size() && align[i] == Align::kRight;
      line.append(right ? padding : 0, ' ').append(row[i]).append((right ? 0 : padding) + 2, ' ');
    }
    line.erase(line.find_last_not_of(' ') + 1);
    text += line + "\n";
  }
  return text;
}

}  // namespace astrolabe::cli
