#include "plugins/sliding_tile/tokens.h"

namespace sliding_tile {
namespace {

constexpr std::string_view kByteOrderMark = "\xEF\xBB\xBF";

bool IsSpace(char c) { return c == ' ' || c == '\t' || c == ',' || c == '\r' || c == '\v' || c == '\f'; }
bool EndsToken(char c) { return IsSpace(c) || c == '\n' || c == '/' || c == ';' || c == '#'; }

bool IsGoalRow(const Row& row) {
  if (row.size() != 1) return false;
  std::string lower(row[0].text);
  for (char& c : lower) c = static_cast<char>(c >= 'A' && c <= 'Z' ? c - 'A' + 'a' : c);
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
  void Add(const Token& token) { row_.push_back(token); }
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

std::string_view SkipByteOrderMark(std::string_view text) {
  return text.starts_with(kByteOrderMark) ? text.substr(kByteOrderMark.size()) : text;
}

std::optional<Sections> CutText(std::string_view text, std::string_view field, astro::Diagnostics& diagnostics) {
  text = SkipByteOrderMark(text);
  SectionBuilder builder(field, diagnostics);
  uint32_t line = 1;
  size_t line_start = 0;
  for (size_t i = 0; i < text.size();) {
    const char c = text[i];
    // A lone CR ends a line too; CR LF ends one.
    const bool lone_return = c == '\r' && (i + 1 == text.size() || text[i + 1] != '\n');
    if (c == '\n' || lone_return) {
      builder.EndRow();
      ++line;
      line_start = ++i;
    } else if (c == '/' || c == ';') {
      builder.EndRow();
      ++i;
    } else if (c == '#') {
      while (i < text.size() && text[i] != '\n') ++i;
    } else if (IsSpace(c)) {
      ++i;
    } else {
      const size_t begin = i;
      while (i < text.size() && !EndsToken(text[i])) ++i;
      builder.Add({text.substr(begin, i - begin), line, static_cast<uint32_t>(begin - line_start + 1)});
    }
  }
  return builder.Finish();
}

bool LooksLikeJson(std::string_view text) {
  text = SkipByteOrderMark(text);
  for (size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (c == '#') {
      while (i < text.size() && text[i] != '\n') ++i;
    } else if (!IsSpace(c) && c != '\n') {
      return c == '[' || c == '{';
    }
  }
  return false;
}

std::string Printable(std::string_view text) {
  constexpr size_t kMax = 24;
  std::string out;
  for (const char c : text.substr(0, kMax)) {
    const auto byte = static_cast<unsigned char>(c);
    if (byte >= 0x20 && byte < 0x7F) {
      out += c;
    } else {
      out += "\\x";
      out += "0123456789ABCDEF"[byte >> 4];
      out += "0123456789ABCDEF"[byte & 15];
    }
  }
  if (text.size() > kMax) out += "...";
  return out;
}

std::string Quoted(std::string_view text) {
  std::string out(1, '\'');
  out += Printable(text);
  out += '\'';
  return out;
}

}  // namespace sliding_tile
