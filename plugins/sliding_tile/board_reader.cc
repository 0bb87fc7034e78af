#include "plugins/sliding_tile/board_reader.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <span>
#include <string>

namespace sliding_tile {
namespace {

constexpr int64_t kHuge = 1'000'000'000;  // larger numbers are read as this

// A whole number or a blank; nullopt: a word.
std::optional<int64_t> Value(std::string_view text) {
  if (text == "_" || text == ".") return 0;
  const bool negative = text.starts_with('-');
  if (negative) text.remove_prefix(1);
  if (text.empty()) return std::nullopt;
  int64_t value = 0;
  for (const char c : text) {
    if (c < '0' || c > '9') return std::nullopt;
    value = std::min(value * 10 + (c - '0'), kHuge);
  }
  return negative ? -value : value;
}

// A side in a header: digits alone.
std::optional<int64_t> Side(const Token& token) {
  if (token.text == "_" || token.text == ".") return std::nullopt;
  return Value(token.text);
}

bool IsPermutation(std::span<const Row> rows) {
  size_t total = 0;
  for (const Row& row : rows) total += row.size();
  std::vector<bool> seen(total);
  for (const Row& row : rows) {
    for (const Token& token : row) {
      const std::optional<int64_t> value = Value(token.text);
      if (!value || *value < 0 || *value >= static_cast<int64_t>(total) || seen[*value]) return false;
      seen[*value] = true;
    }
  }
  return true;
}

std::optional<int> SquareRoot(size_t n) {
  const int root = static_cast<int>(std::lround(std::sqrt(static_cast<double>(n))));
  return static_cast<size_t>(root) * root == n ? std::optional<int>(root) : std::nullopt;
}

// The shape of rows of one length, whatever is in them; else nullopt.
std::optional<Shape> ShapeOfRows(std::span<const Row> rows) {
  if (rows.size() < kMinSide || rows.size() > kMaxSide) return std::nullopt;
  const size_t cols = rows.front().size();
  if (cols < kMinSide || cols > kMaxSide) return std::nullopt;
  const bool even = std::all_of(rows.begin(), rows.end(), [cols](const Row& row) { return row.size() == cols; });
  if (!even) return std::nullopt;
  return Shape{static_cast<int>(rows.size()), static_cast<int>(cols)};
}

bool IsNumber(const Token& token) { return Side(token).has_value(); }

// Digits, with an x between them perhaps: "3", "x", "3x4".
bool LooksLikeSize(std::span<const Token> words) {
  return words.size() <= 3 && std::all_of(words.begin(), words.end(), [](const Token& token) {
           return token.text.find_first_not_of("0123456789xX") == std::string_view::npos;
         });
}
// Not the numbers of a row, which are all different: "2 2 2", "3 x 3".
bool IsOnlySize(std::span<const Token> words) {
  if (!LooksLikeSize(words)) return false;
  const bool same =
      std::all_of(words.begin(), words.end(), [&](const Token& word) { return word.text == words[0].text; });
  return (same && words.size() > 1) || !std::all_of(words.begin(), words.end(), IsNumber);
}

// The shape of rows that have the numbers of a board, each once: one row is that of a square board. Else nullopt.
std::optional<Shape> ShapeOfBoard(std::span<const Row> rows) {
  if (rows.empty() || !IsPermutation(rows)) return std::nullopt;
  const std::optional<Shape> shape = ShapeOfRows(rows);
  if (shape || rows.size() > 1) return shape;
  const std::optional<int> root = SquareRoot(rows.front().size());
  if (!root || *root < kMinSide || *root > kMaxSide) return std::nullopt;
  return Shape{*root, *root};
}

size_t CountTokens(std::span<const Row> rows) {
  size_t total = 0;
  for (const Row& row : rows) total += row.size();
  return total;
}

std::string Times(const Shape& shape) { return std::to_string(shape.rows) + " x " + std::to_string(shape.cols); }
std::string Numbers(size_t n) { return astro::Counted(n, "number"); }

// What the first tokens of a section are.
struct Frame {
  int header = 0;  // tokens of the header: 0, 1 or 2
  int64_t rows = 0;
  int64_t cols = 0;
};

// The rules of the syntax. Where two readings are possible, the one that gives a right board wins: a header
// repeats numbers of the board, so that both never do.
class FrameFinder {
 public:
  FrameFinder(const Section& section, const std::optional<Shape>& known) : rows_(section.rows), known_(known) {}

  Frame Find() const {
    const Row& first = rows_.front();
    if (rows_.size() == 1) return FindInOneRow(first);
    if (first.size() == 1 && Side(first[0]) && !IsShortRow(*Side(first[0]))) return Square(first[0]);
    if (first.size() == 2 && Side(first[0]) && Side(first[1]) && IsRectangleHeader()) {
      return {2, *Side(first[0]), *Side(first[1])};
    }
    return FromRows();
  }

  // The shape that most rows agree on, so that the odd ones can be named; else that of the first.
  Frame FromRows() const {
    std::map<size_t, size_t> rows_of;  // by length
    for (const Row& row : rows_) ++rows_of[row.size()];
    const size_t expected = known_ ? static_cast<size_t>(known_->cols) : rows_.front().size();
    size_t cols = rows_of.count(expected) != 0 ? expected : rows_.front().size();
    for (const auto& [length, rows] : rows_of) {
      if (rows > rows_of[cols]) cols = length;
    }
    return {0, static_cast<int64_t>(rows_.size()), static_cast<int64_t>(cols)};
  }

 private:
  static Frame Square(const Token& side) { return {1, *Side(side), *Side(side)}; }

  bool IsRectangleHeader() const {
    const Row& first = rows_.front();
    const bool two_columns = std::all_of(rows_.begin(), rows_.end(), [](const Row& row) { return row.size() == 2; });
    const int64_t rows = *Side(first[0]);
    const int64_t cols = *Side(first[1]);
    if (two_columns && (IsPermutation(rows_) || rows < kMinSide || cols < kMinSide)) return false;
    if (rows * cols == Rest()) return true;
    if (rows < kMinSide || cols < kMinSide || IsShortRow(cols)) return false;
    if (known_) return rows == known_->rows && cols == known_->cols;
    return !two_columns || cols == 2;
  }

  // The first row is one of the board that lacks numbers: those below it have one length, which is not that of the
  // header that it would be, and its numbers and theirs are all different and belong to such a board.
  bool IsShortRow(int64_t header_cols) const {
    const size_t cols = rows_[1].size();
    if (static_cast<int64_t>(cols) == header_cols || cols <= rows_[0].size() || !ShapeOfRows(rows_.subspan(1))) {
      return false;
    }
    std::vector<bool> seen(rows_.size() * cols);
    for (const Row& row : rows_) {
      for (const Token& token : row) {
        const std::optional<int64_t> value = Value(token.text);
        if (!value || *value < 0 || *value >= static_cast<int64_t>(seen.size()) || seen[*value]) return false;
        seen[*value] = true;
      }
    }
    return true;
  }

  // Numbers behind a header of two.
  int64_t Rest() const { return static_cast<int64_t>(CountTokens(rows_)) - 2; }

  // Everything in one line: with or without header.
  Frame FindInOneRow(const Row& row) const {
    const auto n = static_cast<int64_t>(row.size());
    const std::optional<int> root = SquareRoot(row.size());
    const std::optional<int64_t> a = Side(row[0]);
    if (known_ && n == known_->cells()) return {0, known_->rows, known_->cols};
    if (a && n == 1) return {1, *a, *a};
    if (root && IsPermutation(rows_)) return {0, *root, *root};
    if (a && *a < kHuge && n == *a * *a + 1) return {1, *a, *a};
    if (a && n > 2) {
      const std::optional<int64_t> b = Side(row[1]);
      if (b && *a < kHuge && *b < kHuge && n == *a * *b + 2) return {2, *a, *b};
    }
    if (root) return {0, *root, *root};
    return {0, 1, n};
  }

  std::span<const Row> rows_;
  const std::optional<Shape>& known_;
};

class SectionReader {
 public:
  SectionReader(const Section& section, const BoardContext& context, astro::Diagnostics& diagnostics)
      : section_(section), context_(context), diagnostics_(diagnostics) {}

  std::optional<BoardText> Read() {
    FrameFinder finder(section_, context_.shape);
    const Frame frame = section_.has_header ? WithoutWrongHeader(finder.Find()) : finder.FromRows();
    FindBody(frame);
    if (!ReadValues()) return std::nullopt;
    if (frame.rows < kMinSide || frame.rows > kMaxSide || frame.cols < kMinSide || frame.cols > kMaxSide) {
      SizeFault(frame);
      return std::nullopt;
    }
    const Shape shape{static_cast<int>(frame.rows), static_cast<int>(frame.cols)};
    if (context_.shape && shape != *context_.shape) {
      Fault(section_.rows[0][0])
          .Message("the " + std::string(context_.name) + " is " + Times(shape) + ", the start is " +
                   Times(*context_.shape))
          .Expected("a board of " + Times(*context_.shape));
      return std::nullopt;
    }
    CheckRows(shape);
    CheckTiles(shape);
    if (faults_ > 0) return std::nullopt;
    return BoardText{shape, tiles_};
  }

 private:
  astro::Diagnostic Fault(const Token& token) {
    ++faults_;
    return diagnostics_.Error(std::string(context_.field), token.line, token.column);
  }

  // What stands before a board and is not its size is told as that, and not as faults of the board. The frame without
  // it.
  Frame WithoutWrongHeader(const Frame& frame) {
    const std::span<const Row> rows = section_.rows;
    const Row& first = rows.front();
    if (IsPermutation(rows)) return frame;
    if (rows.size() == 1) return WithoutWrongWords(frame);
    const std::span<const Row> below = rows.subspan(1);
    std::optional<Shape> shape = ShapeOfBoard(below);
    // Rows of another length under what can be nothing but a size are a board, whatever is wrong with it.
    if (!shape && frame.header == 0 && IsOnlySize(first)) {
      shape = ShapeOfRows(below);
      if (shape && first.size() == static_cast<size_t>(shape->cols)) return frame;
    }
    if (!shape) return frame;
    if (frame.header == static_cast<int>(first.size())) {
      if (frame.rows * frame.cols == shape->cells() && (below.size() == 1 || frame.rows == shape->rows)) return frame;
      Fault(first[0])
          .Message("the size is " + Quoted(TextOf(first)) + ", but the board below is " + Times(*shape))
          .Expected(HeaderOf(*shape) + ", or no size at all")
          .Hint("if the size is right, rows or columns of the board are missing");
    } else {
      const bool is_row = first.size() == static_cast<size_t>(shape->cols) && !IsOnlySize(first);
      if (is_row) return frame;
      Fault(first[0])
          .Message(Quoted(TextOf(first)) + " is neither a size nor a row of the board below, which is " + Times(*shape))
          .Expected(HeaderOf(*shape) + ", or no size at all");
    }
    return {static_cast<int>(first.size()), shape->rows, shape->cols};
  }

  // The same for all in one line.
  Frame WithoutWrongWords(const Frame& frame) {
    const Row& row = section_.rows.front();
    if (frame.header > 0) return frame;
    for (size_t words = 1; words <= 3 && words < row.size(); ++words) {
      const std::span<const Token> before(row.data(), words);
      const Row rest(row.begin() + static_cast<std::ptrdiff_t>(words), row.end());
      const std::optional<Shape> shape = ShapeOfBoard({&rest, 1});
      if (!shape || !LooksLikeSize(before)) continue;
      Fault(row[0])
          .Message(Quoted(TextOf(before)) + " is not the size of the board behind it, which is " + Times(*shape))
          .Expected(HeaderOf(*shape) + ", or no size at all");
      return {static_cast<int>(words), shape->rows, shape->cols};
    }
    return frame;
  }
  static std::string TextOf(std::span<const Token> tokens) {
    std::string words;
    for (const Token& token : tokens) {
      if (!words.empty()) words += ' ';
      words += token.text;
    }
    return words;
  }
  static std::string HeaderOf(const Shape& shape) {
    const std::string both = std::to_string(shape.rows) + " " + std::to_string(shape.cols);
    return shape.rows == shape.cols ? std::to_string(shape.rows) + " or " + both : both;
  }

  // The rows without the header.
  void FindBody(const Frame& frame) {
    body_ = section_.rows;
    if (frame.header == 0) return;
    Row& first = body_.front();
    first.erase(first.begin(), first.begin() + frame.header);
    if (first.empty()) body_.erase(body_.begin());
  }

  // False: a fault that makes what follows it no part of this board.
  bool ReadValues() {
    for (const Row& row : body_) {
      for (const Token& token : row) {
        const std::optional<int64_t> value = Value(token.text);
        values_.push_back(value);
        if (value) continue;
        Fault(token)
            .Message(Quoted(token.text) + " is not a number")
            .Expected("a tile number, or 0, _ or . for the blank")
            .Hint(BeginsGoal(token) ? "'goal' stands on a line of its own" : "")
            .OfKind("words that are no numbers");
        if (BeginsGoal(token)) return false;
      }
    }
    return true;
  }
  static bool BeginsGoal(const Token& token) {
    const std::string word = astro::Lower(token.text);
    return word == "goal" || word == "goal:";
  }

  void SizeFault(const Frame& frame) {
    const auto side = [](int64_t n) { return n >= kHuge ? std::string("huge") : std::to_string(n); };
    const bool one_row = frame.header == 0 && frame.rows == 1;
    Fault(section_.rows[0][0])
        .Message("a board of " + side(frame.rows) + " x " + side(frame.cols) + " is outside the size limit 2..127")
        .Expected("2 to 127 rows and columns")
        .Hint(one_row ? "one line holds a whole board only if it is square, or after a header N or R C" : "");
  }

  // Every row that is too long or too short, and the count if it is wrong.
  void CheckRows(const Shape& shape) {
    const size_t total = values_.size();
    const auto cells = static_cast<size_t>(shape.cells());
    const Token& last = body_.empty() ? section_.rows.back().back() : body_.back().back();
    if (total != cells) {
      Fault(last)
          .Message(Numbers(total) + ", expected " + std::to_string(cells))
          .Expected(std::to_string(cells) + " numbers for a board of " + Times(shape));
    }
    if (body_.size() <= 1) return;
    bool even = true;
    for (const Row& row : body_) {
      if (row.size() == static_cast<size_t>(shape.cols)) continue;
      even = false;
      Fault(row.back())
          .Message("row lengths differ: this row has " + Numbers(row.size()))
          .Expected(std::to_string(shape.cols) + " numbers in each row")
          .OfKind("rows of another length");
    }
    if (even && body_.size() != static_cast<size_t>(shape.rows)) {
      Fault(last)
          .Message(astro::Counted(body_.size(), "row") + ", expected " + std::to_string(shape.rows))
          .Expected(std::to_string(shape.rows) + " rows of " + Numbers(shape.cols) + ", or all in one line");
    }
  }

  void CheckTiles(const Shape& shape) {
    const int cells = shape.cells();
    std::vector<const Token*> first(cells, nullptr);
    size_t i = 0;
    for (const Row& row : body_) {
      for (const Token& token : row) {
        const std::optional<int64_t> value = values_[i++];
        if (value) CheckTile(token, *value, cells, first);
      }
    }
    // A word that is no number may stand for the blank, and one that is not there may be it.
    const bool all_numbers = std::count(values_.begin(), values_.end(), std::nullopt) == 0;
    if (first[0] == nullptr && all_numbers && values_.size() >= static_cast<size_t>(cells)) {
      Fault(body_.empty() ? section_.rows[0][0] : body_.front().front())
          .Message("no blank in the " + std::string(context_.name))
          .Expected("the blank, written 0, _ or .");
    }
    // What is missing follows from a count or a word that was reported already.
    if (values_.size() == static_cast<size_t>(cells) && all_numbers) NameMissing(first);
  }

  void CheckTile(const Token& token, int64_t value, int cells, std::vector<const Token*>& first) {
    const std::string range = "0.." + std::to_string(cells - 1) + ", each once";
    if (value < 0 || value >= cells) {
      const std::string number = Printable(token.text);
      if (context_.of_start) {
        Fault(token).Message(number + " out of range").Expected(range).OfKind("numbers out of range");
      } else {
        Fault(token)
            .Message(number + " not in start")
            .Expected("the tiles of the start: " + range)
            .OfKind("numbers not in start");
      }
      return;
    }
    tiles_.push_back(static_cast<uint16_t>(value));
    if (first[value] == nullptr) {
      first[value] = &token;
      return;
    }
    Fault(token)
        .Message(std::to_string(value) + " twice" + (value == 0 ? ": two blanks" : ""))
        .Expected(range)
        .Hint("first in line " + std::to_string(first[value]->line) + ", column " +
              std::to_string(first[value]->column))
        .OfKind("numbers that stand twice");
  }

  void NameMissing(const std::vector<const Token*>& first) {
    constexpr size_t kNamed = 10;
    std::vector<size_t> missing;
    for (size_t tile = 1; tile < first.size(); ++tile) {
      if (first[tile] == nullptr) missing.push_back(tile);
    }
    if (missing.empty()) return;
    std::string names;
    for (size_t i = 0; i < std::min(missing.size(), kNamed); ++i) {
      names += (i == 0 ? "" : ", ") + std::to_string(missing[i]);
    }
    if (missing.size() > kNamed) names += ", ...";
    Fault(body_.front().front())
        .Message((missing.size() == 1 ? "missing tile: " : "missing tiles: ") + names)
        .Expected("each tile once");
  }

  const Section& section_;
  const BoardContext& context_;
  astro::Diagnostics& diagnostics_;
  std::vector<Row> body_;
  std::vector<std::optional<int64_t>> values_;
  Tiles tiles_;
  int faults_ = 0;
};

}  // namespace

std::optional<BoardText> ReadSection(const Section& section, const BoardContext& context,
                                     astro::Diagnostics& diagnostics) {
  if (section.rows.empty()) {
    diagnostics.Error(std::string(context.field))
        .At(section.line, 1)
        .Message(context.of_start ? "empty file: there is no board" : "there is no board after 'goal'")
        .Expected("rows of numbers, for example 1 2 3/4 5 6/7 8 0");
    return std::nullopt;
  }
  return SectionReader(section, context, diagnostics).Read();
}

}  // namespace sliding_tile
