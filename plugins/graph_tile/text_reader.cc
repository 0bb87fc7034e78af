// The plain spelling: `0: 1 3` for each cell, then `start` and `goal` with their tiles. A number with a colon behind it
// begins a list, so that lists may stand on lines or between commas.
#include <utility>

#include "plugins/graph_tile/raw_board.h"

namespace graph_tile {
namespace {

constexpr std::string_view kByteOrderMark = "\xEF\xBB\xBF";

bool IsSpace(char c) {
  return c == ' ' || c == '\t' || c == ',' || c == ';' || c == '\n' || c == '\r' || c == '\v' || c == '\f';
}

std::string Lower(std::string_view text) {
  std::string lower(text);
  for (char& c : lower) c = static_cast<char>(c >= 'A' && c <= 'Z' ? c - 'A' + 'a' : c);
  return lower;
}

// Puts word after word where it belongs.
class TextReader {
 public:
  TextReader(const std::vector<Word>& words, astro::Diagnostics& diagnostics)
      : words_(words), diagnostics_(diagnostics) {}

  std::optional<RawBoard> Read() {
    while (at_ < words_.size()) Next();
    if (!ok_) return std::nullopt;
    return std::move(board_);
  }

 private:
  bool ColonFollows() const { return at_ + 1 < words_.size() && words_[at_ + 1].text == ":"; }

  void Next() {
    const Word& word = words_[at_];
    if (ColonFollows() && !IsSectionName(word)) {
      if (!board_.lists) board_.lists.emplace();
      board_.lists->push_back({word, {}});
      into_ = &board_.lists->back().neighbours;
      at_ += 2;
    } else if (Lower(word.text) == "directed") {
      board_.directed = true;
      into_ = nullptr;
      ++at_;
    } else if (IsSectionName(word)) {
      Section(word);
    } else if (word.text == ":") {
      Fault(word, "a colon without a cell before it", "a cell's number, then ':' and its neighbours", "");
      ++at_;
    } else if (into_ == nullptr) {
      Fault(word, Quoted(word.text) + " is in no list", "lists like '0: 1 3', then start and goal",
            "a cell's number has a colon behind it");
      SkipSection();
    } else {
      into_->push_back(word);
      ++at_;
    }
  }

  static bool IsSectionName(const Word& word) {
    const std::string name = Lower(word.text);
    return name == "start" || name == "goal" || name == "cells";
  }

  void Section(const Word& word) {
    const std::string name = Lower(word.text);
    at_ += ColonFollows() ? 2 : 1;
    if (name == "cells") return Cells(word);
    std::optional<std::vector<Word>>& section = name == "start" ? board_.start : board_.goal;
    if (section) Fault(word, "a second " + name, "one " + name, "");
    into_ = &section.emplace();
  }
  void Cells(const Word& word) {
    into_ = nullptr;
    if (at_ == words_.size()) return Fault(word, "cells without a number", "how many cells there are", "");
    if (board_.cells) Fault(word, "cells twice", "one line cells", "");
    board_.cells = words_[at_++];
  }

  // One fault is enough for a run of words that belong nowhere.
  void SkipSection() {
    while (at_ < words_.size() && !ColonFollows() && !IsSectionName(words_[at_])) ++at_;
  }

  void Fault(const Word& word, std::string message, std::string expected, std::string hint) {
    diagnostics_.Error("instance", word.line, word.column)
        .Message(std::move(message))
        .Expected(std::move(expected))
        .Hint(std::move(hint));
    ok_ = false;
  }

  const std::vector<Word>& words_;
  astro::Diagnostics& diagnostics_;
  RawBoard board_;
  std::vector<Word>* into_ = nullptr;  // where plain words go
  size_t at_ = 0;
  bool ok_ = true;
};

}  // namespace

std::string_view SkipByteOrderMark(std::string_view text) {
  return text.starts_with(kByteOrderMark) ? text.substr(kByteOrderMark.size()) : text;
}

std::vector<Word> CutWords(std::string_view text) {
  text = SkipByteOrderMark(text);
  std::vector<Word> words;
  uint32_t line = 1;
  size_t line_start = 0;
  for (size_t i = 0; i < text.size();) {
    const char c = text[i];
    // A lone CR ends a line too; CR LF ends one.
    if (c == '\n' || (c == '\r' && (i + 1 == text.size() || text[i + 1] != '\n'))) {
      ++line;
      line_start = ++i;
    } else if (c == '#') {
      while (i < text.size() && text[i] != '\n' && text[i] != '\r') ++i;
    } else if (IsSpace(c)) {
      ++i;
    } else {
      const size_t begin = i++;
      while (c != ':' && i < text.size() && !IsSpace(text[i]) && text[i] != ':' && text[i] != '#') ++i;
      words.push_back({text.substr(begin, i - begin), line, static_cast<uint32_t>(begin - line_start + 1)});
    }
  }
  return words;
}

std::optional<RawBoard> ReadText(std::string_view text, astro::Diagnostics& diagnostics) {
  return TextReader(CutWords(text), diagnostics).Read();
}

bool LooksLikeJson(std::string_view text) {
  const std::vector<Word> words = CutWords(text.substr(0, text.find_first_of("[{") + 1));
  return words.size() == 1 && (words[0].text == "{" || words[0].text == "[");
}

std::string Quoted(std::string_view text) {
  constexpr size_t kMax = 40;
  std::string out = "'";
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
  return out + (text.size() > kMax ? "...'" : "'");
}

}  // namespace graph_tile
