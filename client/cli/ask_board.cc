#include "client/cli/ask_board.h"

#include <algorithm>
#include <charconv>
#include <system_error>
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

// "3", "3 4" and "3 x 4".
std::optional<Size> ParseSize(std::string_view line) {
  std::vector<std::string_view> words;
  for (const std::string_view word : Words(line)) {
    const size_t x = word.find('x');
    if (x == std::string_view::npos) {
      words.push_back(word);
      continue;
    }
    if (x > 0) words.push_back(word.substr(0, x));
    if (x + 1 < word.size()) words.push_back(word.substr(x + 1));
  }
  if (words.empty() || words.size() > 2) return std::nullopt;
  const std::optional<int> rows = Number(words.front());
  const std::optional<int> columns = Number(words.back());
  for (const std::optional<int>& side : {rows, columns}) {
    if (!side.has_value() || *side < kMinSide || *side > kMaxSide) return std::nullopt;
  }
  return Size{*rows, *columns};
}

// A board while its rows are typed.
class Draft {
 public:
  explicit Draft(Size size) : size_(size), row_of_(static_cast<size_t>(size.rows) * size.columns, 0) {}

  bool whole() const { return row_ == size_.rows; }
  int row() const { return row_ + 1; }
  const std::string& text() const { return text_; }

  // Takes the next row, or says what is wrong with it and changes nothing.
  std::string Take(std::string_view line) {
    const std::vector<std::string_view> words = Words(line);
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
    ++row_;
    for (size_t i = 0; i < tiles.size(); ++i) {
      row_of_[tiles[i]] = row_;
      text_ += (i == 0 ? "" : " ") + std::to_string(tiles[i]);
    }
    text_ += '\n';
    return "";
  }

 private:
  const Size size_;
  int row_ = 0;              // rows taken
  std::vector<int> row_of_;  // by tile: the row it is in, from 1; 0 when it has not been typed yet
  std::string text_;
};

std::optional<Size> AskSize(const Dialogue& dialogue) {
  while (true) {
    dialogue.say("Rows and columns (3, or 3 4; Enter for 3): ");
    const std::optional<std::string> line = dialogue.next_line();
    if (!line.has_value()) return std::nullopt;
    if (Words(*line).empty()) return Size{3, 3};
    if (const std::optional<Size> size = ParseSize(*line)) return size;
    dialogue.say("'" + *line + "' is not a size: one or two numbers from " + std::to_string(kMinSide) + " to " +
                 std::to_string(kMaxSide) + "\n");
  }
}

std::optional<std::string> AskRows(const Dialogue& dialogue, Size size, const std::string& what) {
  Draft draft(size);
  while (!draft.whole()) {
    dialogue.say(what + " " + std::to_string(draft.row()) + " of " + std::to_string(size.rows) + ": ");
    const std::optional<std::string> line = dialogue.next_line();
    if (!line.has_value()) return std::nullopt;
    const std::string fault = draft.Take(*line);
    if (!fault.empty()) dialogue.say("This row cannot be: " + fault + ". Type it again.\n");
  }
  return draft.text();
}

std::string BlankFirst(Size size) {
  std::string text;
  for (int tile = 0; tile < size.rows * size.columns; ++tile) {
    text += std::to_string(tile) + ((tile + 1) % size.columns == 0 ? "\n" : " ");
  }
  return text;
}

// The goal section of the instance, empty for the usual goal.
std::optional<std::string> AskGoal(const Dialogue& dialogue, Size size) {
  while (true) {
    dialogue.say("Goal (Enter for 1, 2, 3, ... with the blank last; first for the blank first; own to type it): ");
    const std::optional<std::string> line = dialogue.next_line();
    if (!line.has_value()) return std::nullopt;
    const std::vector<std::string_view> words = Words(*line);
    if (words.empty()) return "";
    if (words.front() == "first") return "goal\n" + BlankFirst(size);
    if (words.front() == "own") {
      const std::optional<std::string> rows = AskRows(dialogue, size, "Goal row");
      if (!rows.has_value()) return std::nullopt;
      return "goal\n" + *rows;
    }
    dialogue.say("'" + *line + "' is neither first nor own.\n");
  }
}

}  // namespace

std::optional<std::string> AskBoard(const Dialogue& dialogue, bool ask_goal) {
  dialogue.say("A sliding-tile board, row by row; the blank is 0, _ or a dot.\n");
  const std::optional<Size> size = AskSize(dialogue);
  if (!size.has_value()) return std::nullopt;
  const std::optional<std::string> start = AskRows(dialogue, *size, "Row");
  if (!start.has_value()) return std::nullopt;
  const std::optional<std::string> goal = ask_goal ? AskGoal(dialogue, *size) : std::string();
  if (!goal.has_value()) return std::nullopt;
  return std::to_string(size->rows) + " " + std::to_string(size->columns) + "\n" + *start + *goal;
}

}  // namespace astrolabe::cli
