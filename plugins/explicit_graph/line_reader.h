// Instance text cut into lines of words that know where they stood.
#ifndef ASTROLABE_PLUGINS_EXPLICIT_GRAPH_LINE_READER_H_
#define ASTROLABE_PLUGINS_EXPLICIT_GRAPH_LINE_READER_H_

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace explicit_graph {

struct Word {
  std::string_view text;
  uint32_t line = 0;    // 1-based
  uint32_t column = 0;  // 1-based, in bytes
};

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
  explicit LineReader(std::string_view text);
  // False at the end; `out` is unchanged then. The words point into the text.
  bool Next(Line& out);

 private:
  std::string_view text_;
  size_t at_ = 0;
  uint32_t line_ = 1;
};

// A word for a message: between quotes, shortened, and nothing but printable ASCII.
std::string Quoted(std::string_view text);

}  // namespace explicit_graph

#endif  // ASTROLABE_PLUGINS_EXPLICIT_GRAPH_LINE_READER_H_
