#include "client/cli/eval_text.h"

#include <string_view>
#include <vector>

#include "client/cli/board_text.h"
#include "client/cli/facts_text.h"
#include "client/cli/result_text.h"
#include "client/cli/table.h"

namespace astrolabe::cli {
namespace {

std::string EstimateText(const client::HeuristicValue& value, int64_t scale) {
  return value.h ? CostText(*value.h, scale) : "dead end";
}

std::string Indented(std::string_view lines) {
  std::string text;
  while (!lines.empty()) {
    const size_t end = std::min(lines.find('\n'), lines.size());
    text.append("  ").append(lines.substr(0, end)).append("\n");
    lines.remove_prefix(std::min(end + 1, lines.size()));
  }
  return text;
}

std::string ValuesText(const std::vector<client::HeuristicValue>& values, int64_t scale) {
  std::vector<std::vector<std::string>> rows = {{"heuristic", "h"}};
  for (const client::HeuristicValue& value : values) rows.push_back({value.heuristic, EstimateText(value, scale)});
  std::string text = Table(rows, {Align::kLeft, Align::kRight});
  for (const client::HeuristicValue& value : values) {
    if (value.explanation.empty()) continue;
    text.append("\n").append(value.heuristic).append(":\n").append(Indented(value.explanation));
  }
  return text;
}

std::string NeighboursText(const client::StateEvaluation& state, int64_t scale) {
  std::vector<std::vector<std::string>> rows = {{"move", "cost"}};
  std::vector<Align> align = {Align::kLeft, Align::kRight};
  for (const client::HeuristicValue& value : state.values) {
    rows[0].push_back(value.heuristic);
    align.push_back(Align::kRight);
  }
  rows[0].push_back("leads to");
  for (const client::Neighbour& neighbour : state.neighbours) {
    std::vector<std::string> row = {neighbour.op_name.empty() ? std::to_string(neighbour.op) : neighbour.op_name,
                                    CostText(neighbour.cost, scale)};
    for (const client::HeuristicValue& value : neighbour.values) row.push_back(EstimateText(value, scale));
    row.push_back(OneLine(neighbour.state) + (neighbour.is_goal ? "  (goal)" : ""));
    rows.push_back(std::move(row));
  }
  return Table(rows, align);
}

}  // namespace

std::string EvaluationsText(const client::Evaluations& evaluations) {
  std::string text;
  for (const client::StateEvaluation& state : evaluations.evaluations) {
    if (!text.empty()) text += "\n";
    text += BoardText(state.state);
    if (state.is_goal) text += "It is a goal.\n";
    text.append("\n").append(ValuesText(state.values, evaluations.cost_scale));
    if (!state.facts.empty()) text.append("\n").append(FactsText(state.facts));
    if (!state.neighbours.empty()) text.append("\n").append(NeighboursText(state, evaluations.cost_scale));
  }
  return text;
}

}  // namespace astrolabe::cli
