#include "client/cli/ask_board.h"

#include <algorithm>
#include <charconv>
#include <system_error>
#include <utility>
#include <vector>

#include "client/cli/units.h"

namespace astrolabe::cli {
namespace {

constexpr int kMinSide = 2;
constexpr int kMaxSide = 127;

struct Size {
  int rows = 0;
  int columns = 0;
};

std::vector<std::string_view> Words(std::string_view line) {
  constexpr std::string_view kSeparators = " \t,;/\r";
  std::vector<std::string_view> words;
  size_t at = line.find_first_not_of(kSeparators);
  while (at != std::string_view::npos) {
    const size_t end = std::min(line.find_first_of(kSeparators, at), line.size());
    words.push_back(line.substr(at, end - at));
    at = line.find_first_not_of(kSeparators, end);
  }
  return words;
}

std::optional<int> Number(std::string_view word) {
  int number = 0;
  const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), number);
  if (error != std::errc() || end != word.data() + word.size()) return std::nullopt;
  return number;
}

// "3", "3 4", "3x4" and "3 x 4".
std::optional<Size> ParseSize(std::string_view line) {
  std::vector<std::string_view> words;
  for (std::string_view word : Words(line)) {
    for (size_t x = word.find_first_of("xX"); x != std::string_view::npos; x = word.find_first_of("xX")) {
      if (x > 0) words.push_back(word.substr(0, x));
      words.emplace_back("x");
      word.remove_prefix(x + 1);
    }
    if (!word.empty()) words.push_back(word);
  }
  if (words.size() == 3 && words[1] == "x") words.erase(words.begin() + 1);
  if (words.empty() || words.size() > 2) return std::nullopt;
  const std::optional<int> rows = Number(words.front());
  const std::optional<int> columns = Number(words.back());
  for (const std::optional<int>& side : {rows, columns}) {
    if (!side.has_value() || *side < kMinSide || *side > kMaxSide) return std::nullopt;
  }
  return Size{*rows, *columns};
}

bool IsBack(std::string_view line) {
  const std::vector<std::string_view> words = Words(line);
  return words.size() == 1 && words.front() == "back";
}

// A board while its rows are typed.
class Draft {
 public:
  explicit Draft(Size size) : size_(size), row_of_(static_cast<size_t>(size.rows) * size.columns, 0) {}

  bool whole() const { return rows_.size() == static_cast<size_t>(size_.rows); }
  bool empty() const { return rows_.empty(); }
  int row() const { return static_cast<int>(rows_.size()) + 1; }
  std::string text() const {
    std::string text;
    for (const std::vector<int>& row : rows_) {
      for (size_t i = 0; i < row.size(); ++i) {
        if (i > 0) text += ' ';
        text += std::to_string(row[i]);
      }
      text += '\n';
    }
    return text;
  }

  // Takes the next row, or says what is wrong with it and changes nothing.
  std::string Take(std::string_view line) {
    const std::vector<std::string_view> words = Words(line);
    if (words.empty()) return "it is empty; " + Counted(size_.columns, "number") + " belong into it";
    if (words.size() != static_cast<size_t>(size_.columns)) {
      return "it has " + Counted(static_cast<int64_t>(words.size()), "number") + ", not " +
             std::to_string(size_.columns);
    }
    std::vector<int> tiles;
    for (const std::string_view word : words) {
      const std::optional<int> tile = word == "_" || word == "." ? std::optional<int>(0) : Number(word);
      const int last = static_cast<int>(row_of_.size()) - 1;
      if (!tile.has_value() || *tile < 0 || *tile > last) {
        return "'" + std::string(word) + "' is neither a tile (1 to " + std::to_string(last) +
               ") nor the blank (0, _ or .)";
      }
      tiles.push_back(*tile);
    }
    for (size_t i = 0; i < tiles.size(); ++i) {
      const std::string name = tiles[i] == 0 ? "the blank" : "tile " + std::to_string(tiles[i]);
      if (row_of_[tiles[i]] != 0) return name + " is in row " + std::to_string(row_of_[tiles[i]]) + " already";
      for (size_t before = 0; before < i; ++before) {
        if (tiles[before] == tiles[i]) return name + " is in it twice";
      }
    }
    for (const int tile : tiles) row_of_[tile] = row();
    rows_.push_back(std::move(tiles));
    return "";
  }

  // Gives the last row back; there is one.
  void DropLast() {
    for (const int tile : rows_.back()) row_of_[tile] = 0;
    rows_.pop_back();
  }

 private:
  const Size size_;
  std::vector<std::vector<int>> rows_;  // those taken
  std::vector<int> row_of_;             // by tile: the row it is in, from 1; 0 when it has not been typed yet
};

enum class Answer { kGiven, kBack, kEnd };

Answer AskSize(const Dialogue& dialogue, Size* size) {
  while (true) {
    dialogue.say("Rows and columns (3, or 3 4; Enter for 3): ");
    const std::optional<std::string> line = dialogue.next_line();
    if (!line.has_value()) return Answer::kEnd;
    if (IsBack(*line)) {
      dialogue.say("This is the first question: there is nothing to go back to.\n");
      continue;
    }
    const std::optional<Size> typed = Words(*line).empty() ? Size{3, 3} : ParseSize(*line);
    if (typed.has_value()) {
      *size = *typed;
      return Answer::kGiven;
    }
    dialogue.say("'" + *line + "' is not a size: one or two numbers from " + std::to_string(kMinSide) + " to " +
                 std::to_string(kMaxSide) + ", such as 3, 3 4 or 3 x 4\n");
  }
}

// Asks for the rows that the draft has not yet. kBack: before its first row.
Answer AskRows(const Dialogue& dialogue, Size size, const std::string& what, Draft* draft) {
  while (!draft->whole()) {
    dialogue.say(what + " " + std::to_string(draft->row()) + " of " + std::to_string(size.rows) + ": ");
    const std::optional<std::string> line = dialogue.next_line();
    if (!line.has_value()) return Answer::kEnd;
    if (IsBack(*line)) {
      if (draft->empty()) return Answer::kBack;
      draft->DropLast();
      continue;
    }
    const std::string fault = draft->Take(*line);
    if (!fault.empty()) dialogue.say("This row cannot be: " + fault + ". Type it again.\n");
  }
  return Answer::kGiven;
}

std::string BlankFirst(Size size) {
  std::string text;
  for (int tile = 0; tile < size.rows * size.columns; ++tile) {
    text += std::to_string(tile) + ((tile + 1) % size.columns == 0 ? "\n" : " ");
  }
  return text;
}

// The goal section of the instance, empty for the usual goal.
Answer AskGoal(const Dialogue& dialogue, Size size, std::string* goal) {
  while (true) {
    dialogue.say("Goal (Enter or last: 1, 2, 3, ... with the blank last; first: the blank first; own: to type it): ");
    const std::optional<std::string> line = dialogue.next_line();
    if (!line.has_value()) return Answer::kEnd;
    if (IsBack(*line)) return Answer::kBack;
    const std::vector<std::string_view> words = Words(*line);
    const std::string_view word = words.empty() ? "last" : words.size() == 1 ? words.front() : "";
    if (word == "last" || word == "blank-last") {
      goal->clear();
      return Answer::kGiven;
    }
    if (word == "first" || word == "blank-first") {
      *goal = "goal\n" + BlankFirst(size);
      return Answer::kGiven;
    }
    if (word == "own") {
      Draft draft(size);
      const Answer answer = AskRows(dialogue, size, "Goal row", &draft);
      if (answer == Answer::kBack) continue;
      *goal = "goal\n" + draft.text();
      return answer;
    }
    dialogue.say("'" + *line + "' is not a goal: last, first or own, or Enter for last\n");
  }
}

}  // namespace

std::optional<std::string> AskBoard(const Dialogue& dialogue, bool ask_goal) {
  dialogue.say("A sliding-tile board, row by row; the blank is 0, _ or a dot; back goes back to the line before.\n");
  while (true) {
    Size size;
    if (AskSize(dialogue, &size) == Answer::kEnd) return std::nullopt;
    Draft start(size);
    std::string goal;
    Answer answer = AskRows(dialogue, size, "Row", &start);
    while (answer == Answer::kGiven && ask_goal) {
      answer = AskGoal(dialogue, size, &goal);
      if (answer != Answer::kBack) break;
      start.DropLast();
      answer = AskRows(dialogue, size, "Row", &start);
    }
    if (answer == Answer::kEnd) return std::nullopt;
    if (answer == Answer::kBack) continue;
    return std::to_string(size.rows) + " " + std::to_string(size.columns) + "\n" + start.text() + goal;
  }
}

}  // namespace astrolabe::cli
