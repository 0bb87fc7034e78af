#include "plugins/explicit_graph/line_reader.h"

namespace explicit_graph {

bool LineReader::Next(Line& out) {
  Word word;
  if (next_) {
    word = *next_;
    next_.reset();
  } else if (!words_.Next(word)) {
    return false;
  }
  out.number = word.line;
  out.count = 0;
  do {
    if (word.line != out.number) {
      next_ = word;
      break;
    }
    if (out.count < Line::kMax) out.words[out.count] = word;
    ++out.count;
  } while (words_.Next(word));
  return true;
}

}  // namespace explicit_graph
