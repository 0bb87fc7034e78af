// Instance text cut into words that know where they stood, so that a fault can name the place.
//
//   astro::WordReader words(text, {.separators = " \t,", .alone = ":"});
//   astro::Word word;
//   while (words.Next(word)) ...
//
// Words are views of the text and live as long as it. Nothing here throws but std::bad_alloc, or keeps anything outside
// its objects: any thread may use objects of its own.
#ifndef ASTROLABE_SDK_WORDS_H_
#define ASTROLABE_SDK_WORDS_H_

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace astro {

struct Word {
  std::string_view text;
  uint32_t line = 0;    // 1-based; 0: no place
  uint32_t column = 0;  // 1-based, in bytes
};

// The text without a byte order mark at its beginning.
inline std::string_view SkipByteOrderMark(std::string_view text) {
  constexpr std::string_view kByteOrderMark = "\xEF\xBB\xBF";
  return text.starts_with(kByteOrderMark) ? text.substr(kByteOrderMark.size()) : text;
}

// What stands between words. Bytes that are named in neither list belong to words; no byte may be in both.
struct WordSyntax {
  std::string_view separators = " \t\v\f";
  std::string_view alone = "";  // each is a word of its own, wherever it stands
};

// Gives the words of a text one by one. Lines end with LF, CR LF or CR; a byte order mark, and comments from # to the
// end of the line, are left out.
class WordReader {
 public:
  explicit WordReader(std::string_view text, const WordSyntax& syntax = {}) : text_(SkipByteOrderMark(text)) {
    for (const char c : syntax.separators) kinds_[Index(c)] = kSeparator;
    for (const char c : syntax.alone) kinds_[Index(c)] = kAlone;
    kinds_[Index('\n')] = kinds_[Index('\r')] = kLineEnd;
    kinds_[Index('#')] = kComment;
  }

  // False at the end; `out` is unchanged then.
  bool Next(Word& out) {
    while (at_ < text_.size()) {
      switch (KindAt(at_)) {
        case kLineEnd:
          at_ += text_[at_] == '\r' && at_ + 1 < text_.size() && text_[at_ + 1] == '\n' ? 2 : 1;
          ++line_;
          line_start_ = at_;
          break;
        case kSeparator:
          ++at_;
          break;
        case kComment:
          while (at_ < text_.size() && KindAt(at_) != kLineEnd) ++at_;
          break;
        case kAlone:
          out = Cut(at_ + 1);
          return true;
        case kLetter:
          size_t end = at_ + 1;
          while (end < text_.size() && KindAt(end) == kLetter) ++end;
          out = Cut(end);
          return true;
      }
    }
    return false;
  }

 private:
  enum Kind : uint8_t { kLetter, kSeparator, kAlone, kComment, kLineEnd };

  static size_t Index(char c) { return static_cast<unsigned char>(c); }
  Kind KindAt(size_t at) const { return kinds_[Index(text_[at])]; }
  Word Cut(size_t end) {
    const Word word = {text_.substr(at_, end - at_), line_, static_cast<uint32_t>(at_ - line_start_ + 1)};
    at_ = end;
    return word;
  }

  std::string_view text_;
  std::array<Kind, 256> kinds_ = {};
  size_t at_ = 0;
  uint32_t line_ = 1;
  size_t line_start_ = 0;
};

// For a message: nothing but printable ASCII, other bytes as \xNN, and "..." in place of what is beyond `max` bytes.
inline std::string Printable(std::string_view text, size_t max = 40) {
  constexpr std::string_view kHex = "0123456789ABCDEF";
  std::string out;
  for (const char c : text.substr(0, max)) {
    const auto byte = static_cast<unsigned char>(c);
    if (byte >= 0x20 && byte < 0x7F) {
      out += c;
    } else {
      out += "\\x";
      out += kHex[byte >> 4];
      out += kHex[byte & 15];
    }
  }
  if (text.size() > max) out += "...";
  return out;
}

// The same between quotes.
inline std::string Quoted(std::string_view text, size_t max = 40) {
  std::string out(1, '\'');
  out += Printable(text, max);
  out += '\'';
  return out;
}

// ASCII letters become small ones.
inline std::string Lower(std::string_view text) {
  std::string lower(text);
  for (char& c : lower) c = static_cast<char>(c >= 'A' && c <= 'Z' ? c - 'A' + 'a' : c);
  return lower;
}

}  // namespace astro

#endif  // ASTROLABE_SDK_WORDS_H_
