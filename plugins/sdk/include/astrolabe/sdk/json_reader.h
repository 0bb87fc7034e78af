// Reads the JSON spelling of an instance as it comes, without a tree, and says where it is wrong.
//
//   astro::JsonReader json(text, "instance", diagnostics);
//   json.Object("an object", "cells or start", [&](const astro::Word& key) {
//     if (key.text == "cells") return json.Scalar(cells, "a number of cells");
//     if (key.text == "start") return json.List("a list, [..]", [&] { return json.Scalar(..., "a tile"); });
//     json.Fault(key, "unknown member", "cells or start");
//     return false;
//   }) && json.End();
//
// A function that returns false has reported why. After a syntax error nothing behind it can be trusted, so reading
// ends; other faults (Fault) are reported and reading goes on: ok() tells in the end whether there was any.
//
// Beside the standard it takes a byte order mark, comments from # to the end of the line, and words without quotes.
// Strings have no escapes: an instance is numbers and plain names. Numbers are not converted, so none is too large
// here.
//
// One thread at a time. The text, and what it was given, must outlive it; words are views of the text.
#ifndef ASTROLABE_SDK_JSON_READER_H_
#define ASTROLABE_SDK_JSON_READER_H_

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>

#include "astrolabe/sdk/diagnostics.h"
#include "astrolabe/sdk/words.h"

namespace astro {

// By the first character that counts.
inline bool LooksLikeJson(std::string_view text) {
  WordReader words(text, {.alone = "[{"});
  Word first;
  return words.Next(first) && (first.text == "[" || first.text == "{");
}

class JsonReader {
 public:
  // `field` names the text in faults.
  JsonReader(std::string_view text, std::string_view field, Diagnostics& diagnostics)
      : text_(SkipByteOrderMark(text)), field_(field), diagnostics_(diagnostics) {}

  // No fault was reported.
  bool ok() const { return ok_; }

  // The next character that counts, where reading stands then; NUL at the end.
  char Peek() {
    SkipSpace();
    return Current();
  }
  // Where reading stands, as a word without text.
  Word Here() const { return {text_.substr(at_, 0), line_, static_cast<uint32_t>(at_ - line_start_ + 1)}; }

  void Fault(const Word& at, std::string message, std::string_view expected, std::string hint = "") {
    diagnostics_.Error(std::string(field_), at.line, at.column)
        .Message(std::move(message))
        .Expected(std::string(expected))
        .Hint(std::move(hint));
    ok_ = false;
  }
  // Reports what stands here as a syntax error.
  bool Unexpected(std::string_view expected) {
    Fault(Here(), at_ < text_.size() ? Quoted(text_.substr(at_, 1)) + " in JSON" : "the JSON ends early", expected);
    return false;
  }

  bool Take(char c, std::string_view expected) {
    if (Peek() != c) return Unexpected(expected);
    Step();
    return true;
  }
  // Nothing may follow.
  bool End() {
    SkipSpace();
    if (at_ == text_.size()) return true;
    Fault(Here(), "text after the end of the JSON", "nothing more");
    return false;
  }

  // `[item, item, ...]`. Calls item(), which reads one and returns false after a syntax error.
  template <class Item>
  bool List(std::string_view expected, Item item) {
    return Take('[', expected) && Items(']', item);
  }
  // `{"key": value, ...}`. Calls member(key), which reads the value; as above. `keys` names those there are.
  template <class Member>
  bool Object(std::string_view expected, std::string_view keys, Member member) {
    return Take('{', expected) && Items('}', [&] {
             if (Peek() != '"') return Unexpected(keys);
             Word key;
             if (!String(key) || !Take(':', "':'")) return false;
             SkipSpace();
             return member(std::as_const(key));
           });
  }

  // A number, a word or a string.
  bool Scalar(Word& out, std::string_view expected) {
    if (Peek() == '"') return String(out);
    out = Here();
    const size_t begin = at_;
    while (at_ < text_.size() && IsNumberOrWord(text_[at_])) Step();
    out.text = text_.substr(begin, at_ - begin);
    return !out.text.empty() || Unexpected(expected);
  }
  // At '"'. Without the quotes; the place is that of the first quote.
  bool String(Word& out) {
    Word word = Here();
    Step();
    const size_t begin = at_;
    while (at_ < text_.size() && text_[at_] != '"' && text_[at_] != '\\' && text_[at_] != '\n') Step();
    if (Current() != '"') return Unexpected("a closing '\"'");
    word.text = text_.substr(begin, at_ - begin);
    out = word;
    Step();
    return true;
  }

 private:
  static bool IsNumberOrWord(char c) {
    return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '-' || c == '+' ||
           c == '.' || c == '_';
  }

  char Current() const { return at_ < text_.size() ? text_[at_] : '\0'; }
  bool EndsLine() const {
    const char c = text_[at_];
    return c == '\n' || (c == '\r' && (at_ + 1 == text_.size() || text_[at_ + 1] != '\n'));
  }
  void Step() {
    if (EndsLine()) {
      ++line_;
      line_start_ = at_ + 1;
    }
    ++at_;
  }
  void SkipSpace() {
    while (at_ < text_.size()) {
      const char c = text_[at_];
      if (c == '#') {
        while (at_ < text_.size() && !EndsLine()) Step();
      } else if (c == ' ' || c == '\t' || c == '\n' || c == '\r') {
        Step();
      } else {
        return;
      }
    }
  }

  // Behind the opening bracket, up to and with the closing one.
  template <class Item>
  bool Items(char close, Item item) {
    if (Peek() == close) return Take(close, "");
    while (true) {
      SkipSpace();
      if (!item()) return false;
      if (Peek() == close) return Take(close, "");
      if (Peek() != ',') return Unexpected(std::string("',' or '") + close + "'");
      Step();
    }
  }

  std::string_view text_;
  std::string_view field_;
  Diagnostics& diagnostics_;
  size_t at_ = 0;
  uint32_t line_ = 1;
  size_t line_start_ = 0;
  bool ok_ = true;
};

}  // namespace astro

#endif  // ASTROLABE_SDK_JSON_READER_H_
