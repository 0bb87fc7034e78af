// The spellings without brackets: a number of queens, rows, both in two lines, a drawing.
#include <utility>

#include "plugins/queens/raw_board.h"

namespace queens {
namespace {

bool BeginsDrawing(const Word& word) {
  const char c = word.text.front();
  return c == 'Q' || c == 'q' || c == '.';
}

}  // namespace

std::optional<RawBoard> ReadWords(std::string_view text, bool whole_board) {
  astro::WordReader reader(text, {.separators = " \t\v\f,"});
  RawBoard board;
  Word first;
  if (!reader.Next(first)) return std::nullopt;
  board.end = first;
  std::vector<Word> words;
  Word word;
  const bool more = reader.Next(word);
  const bool header = !BeginsDrawing(first) && (more ? word.line != first.line : !whole_board);
  if (header) {
    board.queens = first;
  } else {
    words.push_back(first);
  }
  if (more) {
    do words.push_back(word);
    while (reader.Next(word));
    board.end = word;
  }
  if (words.empty()) return board;
  (BeginsDrawing(words.front()) ? board.drawing : board.rows) = std::move(words);
  return board;
}

}  // namespace queens
