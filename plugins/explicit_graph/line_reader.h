// Instance text cut into lines of words that know where they stood.
#ifndef ASTROLABE_PLUGINS_EXPLICIT_GRAPH_LINE_READER_H_
#define ASTROLABE_PLUGINS_EXPLICIT_GRAPH_LINE_READER_H_

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>

#include "astrolabe/sdk/words.h"

namespace explicit_graph {

using astro::Word;

// The words of one line; never none. Of a longer line than any right one the first kMax, and `count` above it.
struct Line {
  static constexpr size_t kMax = 5;
  std::array<Word, kMax> words;
  size_t count = 0;
  uint32_t number = 0;
};

// Gives the lines that hold words, one by one. Words are separated by blanks and tabs; lines end with LF, CR LF or CR;
// a byte order mark, empty lines and comments from # to the end of the line are left out.
class LineReader {
 public:
  explicit LineReader(std::string_view text) : words_(text) {}
  // False at the end; `out` is unchanged then. The words point into the text.
  bool Next(Line& out);

 private:
  astro::WordReader words_;
  std::optional<Word> next_;  // read, and in no line yet
};

}  // namespace explicit_graph

#endif  // ASTROLABE_PLUGINS_EXPLICIT_GRAPH_LINE_READER_H_
