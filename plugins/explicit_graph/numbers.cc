#include "plugins/explicit_graph/numbers.h"

#include <charconv>
#include <string>

namespace explicit_graph {
namespace {

bool IsDigits(std::string_view text) {
  return !text.empty() && text.find_first_not_of("0123456789") == std::string_view::npos;
}

bool IsDecimal(std::string_view text) {
  double value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  return error == std::errc() && end == text.data() + text.size() && text.find_first_of("0123456789") != text.npos;
}

}  // namespace

std::optional<int64_t> ReadNumber(const Word& word, std::string_view what, astro::Diagnostics& diagnostics) {
  const std::string_view text = word.text;
  int64_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  const bool whole = error == std::errc() && end == text.data() + text.size();
  if (whole && value >= 0 && value <= kLargest) return value;
  astro::Diagnostic fault = diagnostics.Error("instance", word.line, word.column);
  const std::string name(what);
  fault.Expected("a whole number from 0 to " + std::to_string(kLargest));
  if (text.starts_with('-') && (whole || IsDecimal(text))) {
    fault.Message("negative " + name + " " + std::string(text.substr(0, 40)));
  } else if (IsDigits(text)) {
    fault.Message(name + " " + astro::Quoted(text) + " is too large");
  } else if (IsDecimal(text)) {
    fault.Message(name + " " + astro::Quoted(text) + " is not a whole number");
    fault.Hint("multiply all costs and all h by the same power of ten");
  } else {
    fault.Message(name + " " + astro::Quoted(text) + " is not a number");
  }
  return std::nullopt;
}

}  // namespace explicit_graph
