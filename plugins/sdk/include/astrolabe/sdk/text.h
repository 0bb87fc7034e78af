// Text across the ABI: views, sinks.
#ifndef ASTROLABE_SDK_TEXT_H_
#define ASTROLABE_SDK_TEXT_H_

#include <concepts>
#include <cstdint>
#include <string>
#include <string_view>

#include "astrolabe/abi/types.h"

namespace astro {

using Op = astro_op;
inline constexpr Op kNoOp = ASTRO_NO_OP;
inline constexpr int64_t kDeadEnd = ASTRO_DEAD_END;

constexpr astro_text ToText(std::string_view text) { return {text.data(), text.size()}; }
inline std::string_view ToView(astro_text text) {
  return text.data == nullptr ? std::string_view() : std::string_view(text.data, text.size);
}

// "1 tile", "3 tiles". `many`: of words that take no s.
inline std::string Counted(std::integral auto n, std::string_view one, std::string_view many = {}) {
  std::string text = std::to_string(n) + ' ';
  if (n == 1) return text.append(one);
  return many.empty() ? text.append(one) + 's' : text.append(many);
}

// Writes text and numbers to a sink of the host, in pieces. Valid as long as the sink.
class Writer {
 public:
  explicit Writer(const astro_sink* sink) : sink_(sink) {}

  Writer& operator<<(std::string_view text) {
    sink_->write(sink_->ctx, text.data(), text.size());
    return *this;
  }
  Writer& operator<<(const char* text) { return *this << std::string_view(text); }
  Writer& operator<<(char c) { return *this << std::string_view(&c, 1); }
  template <std::integral T>
  Writer& operator<<(T number) {
    return *this << std::string_view(std::to_string(number));
  }

 private:
  const astro_sink* sink_;
};

}  // namespace astro

#endif  // ASTROLABE_SDK_TEXT_H_
