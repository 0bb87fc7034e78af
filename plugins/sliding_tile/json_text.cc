// The JSON spelling of an instance: [[1,2,3],[4,0,6],[7,5,8]] or {"start": [[..]], "goal": [[..]]}.
// A syntax error ends the reading, as nothing behind it can be trusted; other faults are all reported.
#include "plugins/sliding_tile/tokens.h"

namespace sliding_tile {
namespace {

class JsonCutter {
 public:
  JsonCutter(std::string_view text, std::string_view field, astro::Diagnostics& diagnostics)
      : text_(SkipByteOrderMark(text)), field_(field), diagnostics_(diagnostics) {}

  std::optional<Sections> Cut() {
    SkipSpace();
    const bool read = Peek() == '{' ? Object() : Board(sections_.start);
    if (!read) return std::nullopt;
    SkipSpace();
    if (at_ != text_.size()) {
      Fault("text after the end of the JSON", "nothing more");
      return std::nullopt;
    }
    if (!ok_) return std::nullopt;
    return std::move(sections_);
  }

 private:
  char Peek() const { return at_ < text_.size() ? text_[at_] : '\0'; }
  void Next() {
    if (text_[at_] == '\n') {
      ++line_;
      line_start_ = at_ + 1;
    }
    ++at_;
  }
  void SkipSpace() {
    while (at_ < text_.size()) {
      const char c = text_[at_];
      if (c == '#') {
        while (at_ < text_.size() && text_[at_] != '\n') Next();
      } else if (c == ' ' || c == '\t' || c == '\n' || c == '\r') {
        Next();
      } else {
        return;
      }
    }
  }
  uint32_t column() const { return static_cast<uint32_t>(at_ - line_start_ + 1); }

  void FaultAt(uint32_t line, uint32_t column, std::string message, std::string expected) {
    diagnostics_.Error(std::string(field_)).At(line, column).Message(std::move(message)).Expected(std::move(expected));
    ok_ = false;
  }
  void Fault(std::string message, std::string expected) {
    FaultAt(line_, column(), std::move(message), std::move(expected));
  }
  void Unexpected(const std::string& expected) {
    Fault(at_ < text_.size() ? Quoted(text_.substr(at_, 1)) + " in JSON" : "the JSON ends early", expected);
  }

  bool Take(char c, const std::string& expected) {
    SkipSpace();
    if (Peek() != c) {
      Unexpected(expected);
      return false;
    }
    Next();
    return true;
  }

  // At '['. Calls element for each; false after a syntax error.
  template <class Element>
  bool List(const std::string& what, Element element) {
    if (!Take('[', what)) return false;
    SkipSpace();
    if (Peek() == ']') {
      Next();
      return true;
    }
    while (true) {
      SkipSpace();
      if (!element()) return false;
      SkipSpace();
      if (Peek() == ']') {
        Next();
        return true;
      }
      if (!Take(',', "',' or ']'")) return false;
    }
  }

  bool Board(Section& section) {
    section.has_header = false;
    section.line = line_;
    return List("a list of rows, [[..],[..]]", [&] {
      Row row;
      const uint32_t line = line_;
      const uint32_t start = column();
      if (!List("a row, [..]", [&] { return Tile(row); })) return false;
      if (row.empty()) {
        FaultAt(line, start, "an empty row", "the tiles of a row");
      } else {
        section.rows.push_back(std::move(row));
      }
      return true;
    });
  }

  bool Tile(Row& row) {
    Token token;
    if (Peek() == '"') {
      if (!String(token)) return false;
    } else {
      token = {text_.substr(at_, 0), line_, column()};
      const size_t begin = at_;
      while (at_ < text_.size() && IsNumberOrWord(text_[at_])) Next();
      token.text = text_.substr(begin, at_ - begin);
      if (token.text.empty()) {
        Unexpected("a tile number");
        return false;
      }
    }
    row.push_back(token);
    return true;
  }
  static bool IsNumberOrWord(char c) {
    return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '-' || c == '+' ||
           c == '.' || c == '_';
  }

  // Without escapes: no name here needs one.
  bool String(Token& token) {
    const uint32_t line = line_;
    const uint32_t start = column();
    Next();
    const size_t begin = at_;
    while (at_ < text_.size() && text_[at_] != '"' && text_[at_] != '\\' && text_[at_] != '\n') Next();
    if (Peek() != '"') {
      Unexpected("a closing '\"'");
      return false;
    }
    token = {text_.substr(begin, at_ - begin), line, start};
    Next();
    return true;
  }

  bool Object() {
    Next();
    bool has_start = false;
    SkipSpace();
    if (Peek() == '}') {
      Next();
    } else {
      while (true) {
        if (!Member(has_start)) return false;
        SkipSpace();
        if (Peek() == '}') {
          Next();
          break;
        }
        if (!Take(',', "',' or '}'")) return false;
      }
    }
    if (!has_start) Fault("no \"start\"", "{\"start\": [[..]], \"goal\": [[..]]}");
    return true;
  }

  bool Member(bool& has_start) {
    SkipSpace();
    Token key;
    if (Peek() != '"') {
      Unexpected("\"start\" or \"goal\"");
      return false;
    }
    if (!String(key)) return false;
    if (!Take(':', "':'")) return false;
    SkipSpace();
    if (key.text == "start") {
      if (has_start) FaultAt(key.line, key.column, "\"start\" twice", "one start");
      has_start = true;
      sections_.start = Section();
      return Board(sections_.start);
    }
    if (key.text == "goal") {
      if (sections_.goal || sections_.goal_name) FaultAt(key.line, key.column, "\"goal\" twice", "one goal");
      if (Peek() == '"') return String(sections_.goal_name.emplace());
      return Board(sections_.goal.emplace());
    }
    FaultAt(key.line, key.column, "unknown member " + Quoted(key.text), "start and goal");
    return false;
  }

  std::string_view text_;
  std::string_view field_;
  astro::Diagnostics& diagnostics_;
  Sections sections_;
  size_t at_ = 0;
  uint32_t line_ = 1;
  size_t line_start_ = 0;
  bool ok_ = true;
};

}  // namespace

std::optional<Sections> CutJson(std::string_view text, std::string_view field, astro::Diagnostics& diagnostics) {
  return JsonCutter(text, field, diagnostics).Cut();
}

}  // namespace sliding_tile
