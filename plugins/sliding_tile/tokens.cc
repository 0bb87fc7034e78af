#include "plugins/sliding_tile/tokens.h"

namespace sliding_tile {
namespace {

bool IsGoalName(std::string_view word) { return word == "blank-last" || word == "blank-first"; }

bool IsGoalRow(const Row& row) {
  if (row.size() != 1) return false;
  const std::string lower = astro::Lower(row[0].text);
  return lower == "goal" || lower == "goal:";
}

// `goal blank-first`, or, below the line `goal`, the name alone.
bool IsNamedGoal(const Row& row) { return row.size() == 2 && IsGoalRow({row[0]}) && IsGoalName(row[1].text); }

// Takes rows as they end and puts them into sections.
class SectionBuilder {
 public:
  SectionBuilder(std::string_view field, astro::Diagnostics& diagnostics) : field_(field), diagnostics_(diagnostics) {}

  void EndRow() {
    if (row_.empty()) return;
    if (sections_.goal_name) {
      Fault("a line after the goal's name", "the board, then the goal");
    } else if (IsNamedGoal(row_)) {
      if (sections_.goal) Fault("a second line 'goal'", "at most one goal section");
      sections_.goal_name = row_[1];
    } else if (sections_.goal && sections_.goal->rows.empty() && row_.size() == 1 && IsGoalName(row_[0].text)) {
      sections_.goal.reset();
      sections_.goal_name = row_[0];
    } else if (!IsGoalRow(row_)) {
      (sections_.goal ? *sections_.goal : sections_.start).rows.push_back(std::move(row_));
    } else if (sections_.goal) {
      Fault("a second line 'goal'", "at most one goal section");
    } else {
      sections_.goal.emplace();
      sections_.goal->line = row_[0].line;
    }
    row_.clear();
  }
  void Add(const Token& token) {
    if (!row_.empty() && row_.back().line != token.line) EndRow();
    row_.push_back(token);
  }
  std::optional<Sections> Finish() {
    EndRow();
    if (!ok_) return std::nullopt;
    return std::move(sections_);
  }

 private:
  void Fault(std::string_view what, std::string_view expected) {
    if (!ok_) return;
    diagnostics_.Error(std::string(field_))
        .At(row_[0].line, row_[0].column)
        .Message(std::string(what))
        .Expected(std::string(expected));
    ok_ = false;
  }

  std::string_view field_;
  astro::Diagnostics& diagnostics_;
  Sections sections_;
  Row row_;
  bool ok_ = true;
};

}  // namespace

std::optional<Sections> CutText(std::string_view text, std::string_view field, astro::Diagnostics& diagnostics) {
  astro::WordReader words(text, {.separators = " \t\v\f,", .alone = "/;"});
  SectionBuilder builder(field, diagnostics);
  Token token;
  while (words.Next(token)) {
    if (token.text == "/" || token.text == ";") {
      builder.EndRow();
    } else {
      builder.Add(token);
    }
  }
  return builder.Finish();
}

}  // namespace sliding_tile
