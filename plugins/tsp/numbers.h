// Numbers as an instance spells them.
#ifndef ASTROLABE_PLUGINS_TSP_NUMBERS_H_
#define ASTROLABE_PLUGINS_TSP_NUMBERS_H_

#include <charconv>
#include <optional>
#include <string_view>
#include <system_error>

namespace tsp {

// The whole text is to be one number of that type, perhaps behind a plus sign.
template <class Number>
std::errc ReadNumber(std::string_view text, Number& number) {
  if (text.starts_with("+-")) return std::errc::invalid_argument;
  if (text.starts_with('+')) text.remove_prefix(1);
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  return end == text.data() + text.size() ? error : std::errc::invalid_argument;
}

template <class Number>
std::optional<Number> ReadNumber(std::string_view text) {
  Number number{};
  if (ReadNumber(text, number) != std::errc()) return std::nullopt;
  return number;
}

// What is to be said of a text that gives none.
template <class Number>
std::string_view WhyNoNumber(std::string_view text) {
  Number number{};
  return ReadNumber(text, number) == std::errc::result_out_of_range ? " is out of range" : " is no number";
}

}  // namespace tsp

#endif  // ASTROLABE_PLUGINS_TSP_NUMBERS_H_
