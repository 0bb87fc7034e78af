#include "plugins/queens/placement_reader.h"

#include <algorithm>
#include <charconv>
#include <string>
#include <utility>

#include "astrolabe/queens/board.h"
#include "astrolabe/sdk/json_reader.h"
#include "plugins/queens/drawing.h"
#include "plugins/queens/raw_board.h"

namespace queens {
namespace {

constexpr std::string_view kSpellings =
    "a number of queens, the row of the queen in each column, or a drawing with Q and .";

// Whole and not negative; UINT64_MAX stands for all that are larger.
std::optional<uint64_t> ReadNumber(std::string_view text) {
  const bool digits =
      !text.empty() && std::all_of(text.begin(), text.end(), [](char c) { return c >= '0' && c <= '9'; });
  if (!digits) return std::nullopt;
  uint64_t number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  return error == std::errc() ? number : UINT64_MAX;
}

class Checker {
 public:
  Checker(const ReadOptions& options, astro::Diagnostics& diagnostics) : options_(options), diagnostics_(diagnostics) {}

  std::optional<Placement> Check(const RawBoard& board) {
    if (!ChooseFormulation(board) || !FindQueens(board)) return std::nullopt;
    if (!CheckCount(board)) return std::nullopt;
    if (board.rows) ReadRows(*board.rows);
    if (board.drawing) {
      std::optional<std::vector<uint32_t>> rows =
          ReadDrawing(*board.drawing, placement_.queens, options_.field, diagnostics_);
      if (rows) TakeDrawn(*board.drawing, *std::move(rows));
    }
    if (diagnostics_.errors() > 0) return std::nullopt;
    return std::move(placement_);
  }

 private:
  bool complete() const { return placement_.formulation == Formulation::kComplete; }

  bool ChooseFormulation(const RawBoard& board) {
    std::optional<Formulation> said;
    if (board.formulation) {
      if (board.formulation->text == "complete") said = Formulation::kComplete;
      if (board.formulation->text == "incremental") said = Formulation::kIncremental;
      if (!said) {
        Error(*board.formulation)
            .Message(astro::Quoted(board.formulation->text) + " is no formulation")
            .Expected("complete or incremental");
        return false;
      }
    }
    placement_.formulation = options_.formulation.value_or(said.value_or(Formulation::kComplete));
    return true;
  }

  bool FindQueens(const RawBoard& board) {
    uint64_t queens = options_.queens.value_or(0);
    Word place;
    if (board.queens) {
      place = *board.queens;
      const std::optional<uint64_t> said = ReadNumber(place.text);
      if (!said || *said == 0) {
        Error(place)
            .Message(said ? "a board of 0 queens" : astro::Quoted(place.text) + " is not a number of queens")
            .Expected(Range())
            .Hint("a number alone, or alone in the first line, is the number of queens");
        return false;
      }
      if (options_.queens && *said != *options_.queens) {
        Error(place).Message("a board of " + astro::Printable(place.text) + " queens").Expected(TheBoard());
        return false;
      }
      queens = *said;
    } else if (!options_.queens && board.rows) {
      if (!board.rows->empty()) place = board.rows->front();
      queens = board.rows->size();
    } else if (!options_.queens && board.drawing) {
      place = board.drawing->front();
      queens = DrawnLines(*board.drawing);
    }
    if (queens == 0) {
      Error(board.end).Message("there is no number of queens and no row").Expected(std::string(kSpellings));
      return false;
    }
    return FitsLimits(queens, place);
  }
  bool FitsLimits(uint64_t queens, const Word& place) {
    if (queens > kMaxQueens) {
      Error(place).Message(Large(queens) + " queens are too many").Expected(Range());
      return false;
    }
    if (!complete() && queens > kMaxIncrementalQueens) {
      Error(place)
          .Message(Large(queens) + " queens are too many for the incremental formulation")
          .Expected("at most " + std::to_string(kMaxIncrementalQueens))
          .Hint("the complete formulation takes up to " + std::to_string(kMaxQueens));
      return false;
    }
    placement_.queens = static_cast<uint32_t>(queens);
    return true;
  }

  void ReadRows(const std::vector<Word>& words) {
    const std::string expected = "a row from 0 to " + std::to_string(placement_.queens - 1);
    placement_.rows.reserve(words.size());
    for (const Word& word : words) {
      const std::optional<uint64_t> row = ReadNumber(word.text);
      if (!row) {
        Error(word)
            .OfKind("words that are not rows")
            .Message(astro::Quoted(word.text) + " is not a row")
            .Expected(expected);
      } else if (*row >= placement_.queens) {
        Error(word)
            .OfKind("rows outside the board")
            .Message("row " + astro::Printable(word.text) + " is outside the board")
            .Expected(expected)
            .Hint("rows are counted from 0");
      } else {
        placement_.rows.push_back(static_cast<uint32_t>(*row));
      }
    }
  }

  // A drawing shows every column; those without a queen must be the last ones.
  void TakeDrawn(const std::vector<Word>& drawing, std::vector<uint32_t> rows) {
    const auto empty = std::find(rows.begin(), rows.end(), kNoQueen);
    const auto filled = std::find_if(empty, rows.end(), [](uint32_t row) { return row != kNoQueen; });
    if (filled != rows.end() && !complete()) {
      Error(drawing.front())
          .Message("column " + std::to_string(empty - rows.begin()) + " is empty, and column " +
                   std::to_string(filled - rows.begin()) + " is not")
          .Expected("columns filled from the left: the incremental formulation goes on behind them");
      return;
    }
    if (empty != rows.end() && complete()) {
      Error(drawing.front())
          .Message("column " + std::to_string(empty - rows.begin()) + " has no queen")
          .Expected("one queen in each column")
          .Hint(PartialHint());
      return;
    }
    rows.erase(empty, rows.end());
    placement_.rows = std::move(rows);
  }

  // Of a list of rows; a state must have one, or be drawn. False: there is no use in looking at them.
  bool CheckCount(const RawBoard& board) {
    if (board.drawing || (!board.rows && !options_.queens)) return true;
    const size_t rows = board.rows ? board.rows->size() : 0;
    const uint32_t queens = placement_.queens;
    if (rows > queens) {
      Error((*board.rows)[queens])
          .Message(std::to_string(rows) + " rows for " + Queens(queens))
          .Expected("one row for each column")
          .Hint(board.queens ? "a number alone in the first line is the number of queens" : "");
      return false;
    }
    if (rows < queens && complete()) {
      Error(board.end)
          .Message(std::to_string(rows) + (rows == 1 ? " row for " : " rows for ") + Queens(queens))
          .Expected("one row for each column")
          .Hint(options_.queens ? "" : PartialHint());
    }
    return true;
  }

  static std::string PartialHint() {
    return "with formulation=incremental the queens that are given stay, and the columns behind them are filled";
  }
  static std::string Queens(uint64_t count) { return std::to_string(count) + (count == 1 ? " queen" : " queens"); }
  static std::string Large(uint64_t count) { return count == UINT64_MAX ? "so many" : std::to_string(count); }
  static std::string Range() { return "a number of queens from 1 to " + std::to_string(kMaxQueens); }
  std::string TheBoard() const { return "a board of " + Queens(*options_.queens); }

  astro::Diagnostic Error(const Word& word) {
    return diagnostics_.Error(std::string(options_.field), word.line, word.column);
  }

  const ReadOptions& options_;
  astro::Diagnostics& diagnostics_;
  Placement placement_;
};

}  // namespace

std::optional<Placement> ReadPlacement(std::string_view text, const ReadOptions& options,
                                       astro::Diagnostics& diagnostics) {
  std::optional<RawBoard> board;
  if (astro::LooksLikeJson(text)) {
    board = ReadJson(text, options.field, diagnostics);
    if (!board) return std::nullopt;
  } else {
    board = ReadWords(text, options.queens == 1u);
    if (!board) {
      diagnostics.Error(std::string(options.field))
          .Message("the " + std::string(options.field) + " is empty")
          .Expected(std::string(kSpellings));
      return std::nullopt;
    }
  }
  return Checker(options, diagnostics).Check(*board);
}

}  // namespace queens
