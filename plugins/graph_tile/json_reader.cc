// The JSON spelling: {"neighbours": [[1,3],[0,2],..], "start": [..], "goal": [..]}, or "cells" and "edges" in place of
// the lists. A syntax error ends the reading, as nothing behind it can be trusted.
#include <utility>

#include "plugins/graph_tile/raw_board.h"

namespace graph_tile {
namespace {

constexpr std::string_view kMembers = "cells, edges, neighbours, directed, start, goal";

class JsonReader {
 public:
  JsonReader(std::string_view text, astro::Diagnostics& diagnostics)
      : text_(SkipByteOrderMark(text)), diagnostics_(diagnostics) {}

  std::optional<RawBoard> Read() {
    if (!Take('{', "an object, {\"neighbours\": [[..]], \"start\": [..], \"goal\": [..]}")) return std::nullopt;
    if (!Items('}', "',' or '}'", [&] { return Member(); })) return std::nullopt;
    SkipSpace();
    if (at_ != text_.size()) {
      Fault(Here(), "text after the end of the JSON", "nothing more");
      return std::nullopt;
    }
    if (!ok_) return std::nullopt;
    return std::move(board_);
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
  Word Here() const { return {text_.substr(at_, 0), line_, static_cast<uint32_t>(at_ - line_start_ + 1)}; }

  void Fault(const Word& at, std::string message, std::string_view expected) {
    diagnostics_.Error("instance", at.line, at.column).Message(std::move(message)).Expected(std::string(expected));
    ok_ = false;
  }
  bool Unexpected(std::string_view expected) {
    Fault(Here(), at_ < text_.size() ? Quoted(text_.substr(at_, 1)) + " in JSON" : "the JSON ends early", expected);
    return false;
  }
  bool Take(char c, std::string_view expected) {
    SkipSpace();
    if (Peek() != c) return Unexpected(expected);
    Next();
    return true;
  }

  // Behind the opening bracket: calls item for each up to the closing one; false after a syntax error.
  template <class Item>
  bool Items(char close, std::string_view separator, Item item) {
    SkipSpace();
    if (Peek() == close) {
      Next();
      return true;
    }
    while (true) {
      SkipSpace();
      if (!item()) return false;
      SkipSpace();
      if (Peek() == close) {
        Next();
        return true;
      }
      if (!Take(',', separator)) return false;
    }
  }

  bool Member() {
    if (Peek() != '"') return Unexpected(kMembers);
    Word key;
    if (!String(key) || !Take(':', "':'")) return false;
    SkipSpace();
    const std::string_view name = key.text;
    if (name == "cells") return Once(key, board_.cells) && Scalar(*board_.cells, "a number of cells");
    if (name == "edges") return Once(key, board_.edges) && Edges(*board_.edges);
    if (name == "neighbours" || name == "neighbors") return Once(key, board_.lists) && Lists(*board_.lists);
    if (name == "directed") return Once(key, board_.directed) && Bool(*board_.directed);
    if (name == "start") return Once(key, board_.start) && Words(*board_.start, "a list of tiles, [..]");
    if (name == "goal") {
      if (!Once(key, board_.goal)) return false;
      if (Peek() == '"') return String(board_.goal->emplace_back());
      return Words(*board_.goal, "a list of tiles, [..]");
    }
    Fault(key, "unknown member " + Quoted(name), kMembers);
    return false;
  }

  template <class T>
  bool Once(const Word& key, std::optional<T>& member) {
    if (member) {
      Fault(key, Quoted(key.text) + " twice", "each member once");
      return false;
    }
    member.emplace();
    return true;
  }

  bool Words(std::vector<Word>& out, std::string_view what) {
    return Take('[', what) && Items(']', "',' or ']'", [&] { return Scalar(out.emplace_back(), "a number"); });
  }
  bool Lists(std::vector<NeighbourList>& out) {
    return Take('[', "a list of lists, [[..],[..]]") && Items(']', "',' or ']'", [&] {
             NeighbourList& list = out.emplace_back();
             list.cell = Here();
             return Words(list.neighbours, "a list of neighbours, [..]");
           });
  }
  bool Edges(std::vector<std::array<Word, 2>>& out) {
    return Take('[', "a list of edges, [[a, b], ..]") && Items(']', "',' or ']'", [&] {
             const Word begin = Here();
             std::vector<Word> ends;
             if (!Words(ends, "an edge, [a, b]")) return false;
             if (ends.size() != 2) {
               Fault(begin, "an edge with " + std::to_string(ends.size()) + " ends", "two cells, [a, b]");
             } else {
               out.push_back({ends[0], ends[1]});
             }
             return true;
           });
  }
  bool Bool(bool& out) {
    Word word;
    if (!Scalar(word, "true or false")) return false;
    out = word.text == "true";
    if (!out && word.text != "false") Fault(word, Quoted(word.text) + " is neither true nor false", "true or false");
    return true;
  }

  // A number, a word or a string.
  bool Scalar(Word& word, std::string_view what) {
    if (Peek() == '"') return String(word);
    word = Here();
    const size_t begin = at_;
    while (at_ < text_.size() && IsNumberOrWord(text_[at_])) Next();
    word.text = text_.substr(begin, at_ - begin);
    return !word.text.empty() || Unexpected(what);
  }
  static bool IsNumberOrWord(char c) {
    return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '-' || c == '+' ||
           c == '.' || c == '_';
  }
  // Without escapes: no name here needs one.
  bool String(Word& word) {
    word = Here();
    Next();
    const size_t begin = at_;
    while (at_ < text_.size() && text_[at_] != '"' && text_[at_] != '\\' && text_[at_] != '\n') Next();
    if (Peek() != '"') return Unexpected("a closing '\"'");
    word.text = text_.substr(begin, at_ - begin);
    Next();
    return true;
  }

  std::string_view text_;
  astro::Diagnostics& diagnostics_;
  RawBoard board_;
  size_t at_ = 0;
  uint32_t line_ = 1;
  size_t line_start_ = 0;
  bool ok_ = true;
};

}  // namespace

std::optional<RawBoard> ReadJson(std::string_view text, astro::Diagnostics& diagnostics) {
  return JsonReader(text, diagnostics).Read();
}

}  // namespace graph_tile
