#include "client/cli/board_text.h"

#include <algorithm>
#include <vector>

namespace astrolabe::cli {
namespace {

using Row = std::vector<std::string_view>;

std::vector<Row> Rows(std::string_view state) {
  const char separator = state.find('\n') == std::string_view::npos ? '/' : '\n';
  std::vector<Row> rows(1);
  size_t at = 0;
  while (at < state.size()) {
    const char c = state[at];
    if (c == separator) {
      if (!rows.back().empty()) rows.emplace_back();
      ++at;
    } else if (c == ' ' || c == '\t' || c == '\r') {
      ++at;
    } else {
      size_t end = at;
      while (end < state.size() && state[end] != separator &&
             std::string_view(" \t\r").find(state[end]) == std::string_view::npos)
        ++end;
      rows.back().push_back(state.substr(at, end - at));
      at = end;
    }
  }
  if (rows.back().empty()) rows.pop_back();
  return rows;
}

bool IsTile(std::string_view word) {
  return word == "_" || word == "." || std::ranges::all_of(word, [](char c) { return c >= '0' && c <= '9'; });
}

// A row alone is none: that is how problems without rows write their tiles.
bool IsBoard(const std::vector<Row>& rows) {
  return rows.size() > 1 && std::ranges::all_of(rows, [&](const Row& row) {
           return row.size() == rows[0].size() && std::ranges::all_of(row, IsTile);
         });
}

}  // namespace

std::string BoardText(std::string_view state) {
  const std::vector<Row> rows = Rows(state);
  if (!IsBoard(rows)) return std::string(state) + (state.ends_with('\n') ? "" : "\n");
  size_t width = 0;
  for (const Row& row : rows) {
    for (const std::string_view tile : row) width = std::max(width, tile.size());
  }
  std::string text = std::to_string(rows.size());
  if (rows.size() != rows[0].size()) text += " " + std::to_string(rows[0].size());
  text += '\n';
  for (const Row& row : rows) {
    for (size_t i = 0; i < row.size(); ++i) {
      if (i != 0) text += ' ';
      text.append(width - row[i].size(), ' ').append(row[i]);
    }
    text += '\n';
  }
  return text;
}

std::string OneLine(std::string_view state) {
  std::string line;
  for (const Row& row : Rows(state)) {
    if (!line.empty()) line += '/';
    for (size_t i = 0; i < row.size(); ++i) line.append(i == 0 ? "" : " ").append(row[i]);
  }
  return line;
}

}  // namespace astrolabe::cli
