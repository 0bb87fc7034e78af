#include "plugins/queens/drawing.h"

#include <string>
#include <utility>

namespace queens {
namespace {

using astro::Word;

class Reader {
 public:
  Reader(uint32_t queens, std::string_view field, astro::Diagnostics& diagnostics)
      : queens_(queens), field_(field), diagnostics_(diagnostics), rows_(queens, kNoQueen) {}

  std::optional<std::vector<uint32_t>> Read(const std::vector<Word>& drawing) {
    const uint64_t before = diagnostics_.errors();
    const uint32_t lines = DrawnLines(drawing);
    if (lines != queens_) {
      Error(drawing.back())
          .Message("a drawing of " + std::to_string(lines) + (lines == 1 ? " line" : " lines"))
          .Expected(std::to_string(queens_) + (queens_ == 1 ? " line" : " lines") + ", one for each row");
      return std::nullopt;
    }
    const Word* begin = &drawing.front();
    for (const Word& word : drawing) {
      if (word.line != begin->line) {
        EndLine(*begin);
        begin = &word;
      }
      for (size_t i = 0; i < word.text.size(); ++i) {
        Square({word.text.substr(i, 1), word.line, static_cast<uint32_t>(word.column + i)});
      }
    }
    EndLine(*begin);
    if (diagnostics_.errors() > before) return std::nullopt;
    return std::move(rows_);
  }

 private:
  void Square(const Word& square) {
    const uint32_t column = column_++;
    const char c = square.text.front();
    if (c == '.') return;
    if (c != 'Q' && c != 'q') {
      Error(square)
          .OfKind("letters that are no squares")
          .Message(astro::Quoted(square.text) + " in a drawing of a board")
          .Expected("Q for a queen, or . for an empty square");
    } else if (column < queens_ && rows_[column] != kNoQueen) {
      Error(square)
          .OfKind("second queens in a column")
          .Message("column " + std::to_string(column) + " has a second queen")
          .Expected("one queen in each column")
          .Hint("the first one is in row " + std::to_string(rows_[column]) + "; rows and columns are counted from 0");
    } else if (column < queens_) {
      rows_[column] = row_;
    }
  }
  void EndLine(const Word& begin) {
    if (column_ != queens_) {
      Error(begin)
          .OfKind("lines of another length")
          .Message("a line of " + std::to_string(column_) + (column_ == 1 ? " square" : " squares"))
          .Expected(std::to_string(queens_) + ", as many as the board has lines");
    }
    column_ = 0;
    ++row_;
  }

  astro::Diagnostic Error(const Word& word) { return diagnostics_.Error(std::string(field_), word.line, word.column); }

  const uint32_t queens_;
  const std::string_view field_;
  astro::Diagnostics& diagnostics_;
  std::vector<uint32_t> rows_;
  uint32_t row_ = 0;
  uint32_t column_ = 0;
};

}  // namespace

uint32_t DrawnLines(const std::vector<astro::Word>& drawing) {
  uint32_t lines = 0;
  uint32_t line = 0;
  for (const Word& word : drawing) {
    if (word.line != line) ++lines;
    line = word.line;
  }
  return lines;
}

std::optional<std::vector<uint32_t>> ReadDrawing(const std::vector<astro::Word>& drawing, uint32_t queens,
                                                 std::string_view field, astro::Diagnostics& diagnostics) {
  return Reader(queens, field, diagnostics).Read(drawing);
}

void Draw(const Board& board, astro::Writer& out) {
  for (uint32_t row = 0; row < board.queens(); ++row) {
    if (row > 0) out << '\n';
    for (uint32_t column = 0; column < board.queens(); ++column) {
      if (column > 0) out << ' ';
      out << (board.row(column) == row ? 'Q' : '.');
    }
  }
}

}  // namespace queens
