#include "plugins/sliding_tile/tokens.h"

namespace sliding_tile {
namespace {

bool IsGoalRow(const Row& row) {
  if (row.size() != 1) return false;
  const std::string lower = astro::Lower(row[0].text);
  return lower == "goal" || lower == "goal:";
}

// Takes rows as they end and puts them into sections.
class SectionBuilder {
 public:
  SectionBuilder(std::string_view field, astro::Diagnostics& diagnostics) : field_(field), diagnostics_(diagnostics) {}

  void EndRow() {
    if (row_.empty()) return;
    if (!IsGoalRow(row_)) {
      (sections_.goal ? *sections_.goal : sections_.start).rows.push_back(std::move(row_));
    } else if (sections_.goal) {
      diagnostics_.Error(std::string(field_))
          .At(row_[0].line, row_[0].column)
          .Message("a second line 'goal'")
          .Expected("at most one goal section");
      ok_ = false;
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
