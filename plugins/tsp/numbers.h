// Numbers as an instance spells them.
#ifndef ASTROLABE_PLUGINS_TSP_NUMBERS_H_
#define ASTROLABE_PLUGINS_TSP_NUMBERS_H_

#include <charconv>
#include <optional>
#include <string_view>
#include <system_error>

namespace tsp {

// The whole text is one number of that type, perhaps behind a plus sign.
template <class Number>
std::optional<Number> ReadNumber(std::string_view text) {
  if (text.starts_with('+')) text.remove_prefix(1);
  Number number{};
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return number;
}

}  // namespace tsp

#endif  // ASTROLABE_PLUGINS_TSP_NUMBERS_H_
