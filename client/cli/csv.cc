#include "client/cli/csv.h"

namespace astrolabe::cli {

std::string CsvCell(std::string_view text) {
  const auto blank = [](char c) { return c == ' ' || c == '\t'; };
  const bool plain = text.find_first_of(",\"\r\n") == std::string_view::npos &&
                     (text.empty() || (!blank(text.front()) && !blank(text.back())));
  if (plain) return std::string(text);
  std::string cell = "\"";
  for (const char c : text) {
    if (c == '"') cell += '"';
    cell += c;
  }
  return cell + "\"";
}

std::string CsvLine(const std::vector<std::string>& cells) {
  std::string line;
  for (const std::string& cell : cells) {
    if (&cell != &cells.front()) line += ',';
    line += CsvCell(cell);
  }
  return line + "\n";
}

}  // namespace astrolabe::cli
