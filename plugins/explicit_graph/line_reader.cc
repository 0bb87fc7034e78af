#include "plugins/explicit_graph/line_reader.h"

namespace explicit_graph {
namespace {

constexpr std::string_view kByteOrderMark = "\xEF\xBB\xBF";

bool IsBlank(char c) { return c == ' ' || c == '\t' || c == '\v' || c == '\f'; }
bool EndsLine(char c) { return c == '\n' || c == '\r'; }

}  // namespace

LineReader::LineReader(std::string_view text)
    : text_(text.starts_with(kByteOrderMark) ? text.substr(kByteOrderMark.size()) : text) {}

bool LineReader::Next(Line& out) {
  Line line;
  size_t line_start = at_;
  while (at_ < text_.size()) {
    const char c = text_[at_];
    if (EndsLine(c)) {
      at_ += c == '\r' && at_ + 1 < text_.size() && text_[at_ + 1] == '\n' ? 2 : 1;
      ++line_;
      if (line.count > 0) break;
      line_start = at_;
    } else if (c == '#') {
      while (at_ < text_.size() && !EndsLine(text_[at_])) ++at_;
    } else if (IsBlank(c)) {
      ++at_;
    } else {
      const size_t begin = at_;
      while (at_ < text_.size() && !EndsLine(text_[at_]) && !IsBlank(text_[at_]) && text_[at_] != '#') ++at_;
      if (line.count == 0) line.number = line_;
      if (line.count < Line::kMax) {
        line.words[line.count] = {text_.substr(begin, at_ - begin), line_,
                                  static_cast<uint32_t>(begin - line_start + 1)};
      }
      ++line.count;
    }
  }
  if (line.count == 0) return false;
  out = line;
  return true;
}

std::string Quoted(std::string_view text) {
  constexpr size_t kMax = 40;
  std::string out = "'";
  for (const char c : text.substr(0, kMax)) {
    const auto byte = static_cast<unsigned char>(c);
    if (byte >= 0x20 && byte < 0x7F) {
      out += c;
    } else {
      out += "\\x";
      out += "0123456789ABCDEF"[byte >> 4];
      out += "0123456789ABCDEF"[byte & 15];
    }
  }
  return out + (text.size() > kMax ? "...'" : "'");
}

}  // namespace explicit_graph
