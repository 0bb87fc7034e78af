// The plain spelling: `0: 1 3` for each cell, then `start` and `goal` with their tiles. A number with a colon behind it
// begins a list, so that lists may stand on lines or between commas.
#include <algorithm>
#include <utility>

#include "plugins/graph_tile/raw_board.h"

namespace graph_tile {
namespace {

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
    } else if (astro::Lower(word.text) == "directed") {
      board_.directed = true;
      into_ = nullptr;
      ++at_;
    } else if (IsSectionName(word)) {
      Section(word);
    } else if (word.text == ":") {
      Fault(word, "a colon without a cell before it", "a cell's number, then ':' and its neighbours", "");
      ++at_;
    } else if (into_ == nullptr) {
      Fault(word, astro::Quoted(word.text) + " is in no list", "lists like '0: 1 3', then start and goal",
            HasColon() ? "a cell's number has a colon behind it"
                       : "a cell's number has a colon behind it; boards of rows belong to --problem sliding_tile");
      SkipSection();
    } else {
      into_->push_back(word);
      ++at_;
    }
  }

  static bool IsSectionName(const Word& word) {
    const std::string name = astro::Lower(word.text);
    return name == "start" || name == "goal" || name == "cells";
  }

  void Section(const Word& word) {
    const std::string name = astro::Lower(word.text);
    at_ += ColonFollows() ? 2 : 1;
    if (name == "cells") return Cells(word);
    std::optional<std::vector<Word>>& section = name == "start" ? board_.start : board_.goal;
    if (section) Fault(word, "a second " + name, "one " + name, "");
    into_ = &section.emplace();
    (name == "start" ? board_.start_place : board_.goal_place) = word;
  }
  void Cells(const Word& word) {
    into_ = nullptr;
    if (at_ == words_.size()) return Fault(word, "cells without a number", "how many cells there are", "");
    if (board_.cells) Fault(word, "cells twice", "one line cells", "");
    board_.cells = words_[at_++];
  }

  bool HasColon() const {
    return std::any_of(words_.begin(), words_.end(), [](const Word& word) { return word.text == ":"; });
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

std::vector<Word> CutWords(std::string_view text) {
  astro::WordReader reader(text, {.separators = " \t\v\f,;", .alone = ":"});
  std::vector<Word> words;
  Word word;
  while (reader.Next(word)) words.push_back(word);
  return words;
}

std::optional<RawBoard> ReadText(std::string_view text, astro::Diagnostics& diagnostics) {
  return TextReader(CutWords(text), diagnostics).Read();
}

}  // namespace graph_tile
