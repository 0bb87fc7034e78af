#include "plugins/sliding_tile/foreign_text.h"

#include <algorithm>
#include <span>

namespace sliding_tile {
namespace {

constexpr std::string_view kGraphHint = "this looks like a graph of nodes and edges: use --problem explicit_graph";
constexpr std::string_view kListsHint = "this looks like a board given by neighbour lists: use --problem graph_tile";

bool IsDigits(std::string_view text) {
  return !text.empty() && text.find_first_not_of("0123456789") == std::string_view::npos;
}

// `0:`, `0:1`, or a colon alone.
bool BeginsList(const Token& token) {
  const size_t colon = token.text.find(':');
  return colon != std::string_view::npos && (colon == 0 || IsDigits(token.text.substr(0, colon)));
}
const Token* FindList(std::span<const Row> rows) {
  for (const Row& row : rows) {
    const auto found = std::find_if(row.begin(), row.end(), BeginsList);
    if (found != row.end()) return &*found;
  }
  return nullptr;
}

// A line of a graph with keywords.
bool IsGraphLine(const Row& row) {
  const std::string word = astro::Lower(row[0].text);
  if (word == "directed" || word == "undirected") return row.size() == 1;
  if (word == "node" || word == "edge") return row.size() >= 2;
  return (word == "start" || word == "goal") && row.size() == 2 && !IsDigits(row[1].text);
}
// FROM TO, or FROM TO COST, by names.
bool IsEdge(const Row& row) {
  const auto is_name = [](const Token& token) {
    return !IsDigits(token.text) && token.text != "_" && token.text != ".";
  };
  return (row.size() == 2 || (row.size() == 3 && IsDigits(row[2].text))) && is_name(row[0]) && is_name(row[1]);
}
const Token* FindGraph(std::span<const Row> rows) {
  const auto line = std::find_if(rows.begin(), rows.end(), IsGraphLine);
  if (line != rows.end()) return &(*line)[0];
  // A line of two words is anything.
  return rows.size() > 1 && std::all_of(rows.begin(), rows.end(), IsEdge) ? &rows[0][0] : nullptr;
}

}  // namespace

bool ReportForeignText(const Sections& sections, std::string_view field, astro::Diagnostics& diagnostics) {
  const std::span<const Row> rows = sections.start.rows;
  const Token* list = FindList(rows);
  const Token* found = list != nullptr ? list : FindGraph(rows);
  if (found == nullptr) return false;
  diagnostics.Error(std::string(field), found->line, found->column)
      .Message(Quoted(found->text) + " begins no row of a board")
      .Expected("rows of tile numbers, for example 1 2 3/4 5 6/7 8 0")
      .Hint(std::string(list != nullptr ? kListsHint : kGraphHint));
  return true;
}

std::string HintOfMember(std::string_view name) {
  const bool known = name == "neighbours" || name == "neighbors" || name == "cells" || name == "edges";
  return known ? std::string(kListsHint) : "";
}

}  // namespace sliding_tile
