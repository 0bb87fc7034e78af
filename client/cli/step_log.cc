#include "client/cli/step_log.h"

#include <algorithm>
#include <string_view>
#include <utility>

#include "client/cli/board_text.h"

namespace astrolabe::cli {
namespace {

using Rows = std::vector<std::vector<std::string>>;

Rows SplitRows(std::string_view text) {
  Rows rows;
  bool new_row = true;
  for (size_t at = 0; at < text.size();) {
    if (text[at] == '\n' || text[at] == ' ') {
      new_row = new_row || text[at] == '\n';
      ++at;
      continue;
    }
    const size_t end = std::min(text.find_first_of(" \n", at), text.size());
    if (std::exchange(new_row, false)) rows.emplace_back();
    rows.back().emplace_back(text.substr(at, end - at));
    at = end;
  }
  return rows;
}

// A drawing of as many lines as columns, with one piece in each column: a step moves the piece of a column to a row.
bool IsColumnBoard(const Rows& rows) {
  if (rows.size() < 2) return false;
  for (const auto& row : rows) {
    if (row.size() != rows.size()) return false;
  }
  for (size_t column = 0; column < rows.size(); ++column) {
    const auto pieces = std::ranges::count_if(rows, [&](const auto& row) { return row[column] != "."; });
    if (pieces != 1) return false;
  }
  return true;
}

std::string LeftPadded(const std::string& text, size_t width) {
  return (text.size() < width ? std::string(width - text.size(), ' ') : "") + text;
}

}  // namespace

std::string StepLog::Take(const client::NodeBatch& batch) {
  std::string text;
  for (const client::NodeEvent& node : batch.nodes) text += Line(node);
  return text;
}

std::string StepLog::Line(const client::NodeEvent& node) {
  switch (node.kind) {
    case client::NodeKind::kSource:
      return Begin(node, "start");
    case client::NodeKind::kRestart: {
      const std::string neighbours = Neighbours();  // of the state before
      return neighbours + Begin(node, "restart " + std::to_string(++climb_));
    }
    case client::NodeKind::kGenerating:
      neighbours_.push_back({node.op, node.h, std::string(node.op_name)});
      return "";
    case client::NodeKind::kExpanding: {
      const std::string neighbours = Neighbours();  // of the state before
      if (node.depth != step_) return neighbours + Step(node);
      board_ = node.text;  // the state that a climb begins with
      return neighbours;
    }
    case client::NodeKind::kGoal:
      return End(node, "solved");
    case client::NodeKind::kClosing:
      return End(node, "stuck");
    default:
      return "";
  }
}

std::string StepLog::Begin(const client::NodeEvent& node, const std::string& what) {
  step_ = 0;
  objective_ = node.h;
  board_ = node.text;
  return what + ": " + objective_name_ + " " + std::to_string(node.h) + "\n";
}

std::string StepLog::Step(const client::NodeEvent& node) {
  step_ = node.depth;
  std::string text = "step " + std::to_string(step_) + ": " + objective_name_ + " " + std::to_string(objective_) +
                     " -> " + std::to_string(node.h);
  if (!node.op_name.empty()) text.append(", ").append(node.op_name);
  objective_ = node.h;
  board_ = node.text;
  return text + "\n";
}

std::string StepLog::End(const client::NodeEvent& node, const std::string& how) {
  std::string text = Neighbours();
  // Nobody looks at the neighbours of a goal: the step that led there is told here.
  if (node.depth != step_) text += Step(node);
  return text + how + ": " + objective_name_ + " " + std::to_string(node.h) + " after " + std::to_string(step_) +
         (step_ == 1 ? " step\n" : " steps\n");
}

std::string StepLog::Neighbours() {
  if (neighbours_.empty()) return "";
  const std::vector<Neighbour> neighbours = std::exchange(neighbours_, {});
  Rows rows = SplitRows(board_);
  const size_t side = rows.size();
  const bool board = IsColumnBoard(rows) && std::ranges::all_of(neighbours, [&](const Neighbour& neighbour) {
                       return neighbour.op / side < side;
                     });
  if (!board) {
    std::string text;
    for (const Neighbour& neighbour : neighbours) {
      text += "  " + LeftPadded(std::to_string(neighbour.h), 6) + "  " + neighbour.words + "\n";
    }
    return text;
  }
  for (const Neighbour& neighbour : neighbours) {
    std::string& square = rows[neighbour.op % side][neighbour.op / side];
    if (square == ".") square = std::to_string(neighbour.h);
  }
  size_t width = 0;
  for (const auto& row : rows) {
    for (const std::string& square : row) width = std::max(width, square.size());
  }
  std::string text;
  for (const auto& row : rows) {
    for (const std::string& square : row) text += "  " + LeftPadded(square, width);
    text += "\n";
  }
  return text;
}

}  // namespace astrolabe::cli
