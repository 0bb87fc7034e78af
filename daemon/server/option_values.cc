#include "daemon/server/option_values.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <charconv>
#include <cmath>
#include <limits>

namespace astrolabe::server {
namespace {

struct Unit {
  std::string_view name;
  double factor;
};

constexpr Unit kTimeUnits[] = {{"ms", 1}, {"s", 1e3}, {"m", 60e3}, {"h", 3600e3}, {"d", 86400e3}};

constexpr double kKi = 1024;
constexpr Unit kSizeUnits[] = {
    {"", 1},
    {"b", 1},
    {"k", kKi},
    {"kib", kKi},
    {"m", kKi* kKi},
    {"mib", kKi* kKi},
    {"g", kKi* kKi* kKi},
    {"gib", kKi* kKi* kKi},
    {"t", kKi* kKi* kKi* kKi},
    {"tib", kKi* kKi* kKi* kKi},
    {"kb", 1e3},
    {"mb", 1e6},
    {"gb", 1e9},
    {"tb", 1e12},
};

constexpr double kMaxDurationMs = 3650.0 * 86400e3;  // ten years
constexpr double kMaxSize = 9e18;

Error Bad(std::string_view text, const std::string& expected) {
  return MakeError(ErrorCode::kInvalidArgument, "BAD_OPTION_VALUE", "\"" + std::string(text) + "\" is not " + expected);
}

std::string Lower(std::string_view text) {
  std::string out(text);
  std::transform(out.begin(), out.end(), out.begin(), [](unsigned char c) { return std::tolower(c); });
  return out;
}

// Takes a non-negative decimal number off the front.
bool TakeNumber(std::string_view* text, double* out) {
  size_t end = 0;
  while (end < text->size() && (std::isdigit(static_cast<unsigned char>((*text)[end])) != 0 || (*text)[end] == '.')) {
    ++end;
  }
  const auto [next, error] = std::from_chars(text->data(), text->data() + end, *out, std::chars_format::fixed);
  if (error != std::errc() || next != text->data() + end) return false;
  text->remove_prefix(end);
  return true;
}

std::string_view TakeLetters(std::string_view* text) {
  size_t end = 0;
  while (end < text->size() && std::isalpha(static_cast<unsigned char>((*text)[end])) != 0) ++end;
  const std::string_view letters = text->substr(0, end);
  text->remove_prefix(end);
  return letters;
}

template <size_t N>
const Unit* FindUnit(const Unit (&units)[N], std::string_view name) {
  const auto* found = std::find_if(std::begin(units), std::end(units), [&](const Unit& u) { return u.name == name; });
  return found == std::end(units) ? nullptr : found;
}

}  // namespace

Result<std::chrono::milliseconds> ParseDuration(std::string_view text) {
  const Error bad = Bad(text, "a duration such as 250ms, 10s, 15m or 1h30m");
  if (text == "0") return std::chrono::milliseconds(0);
  std::string_view rest = text;
  double total = 0;
  if (rest.empty()) return bad;
  while (!rest.empty()) {
    double number = 0;
    if (!TakeNumber(&rest, &number)) return bad;
    const Unit* unit = FindUnit(kTimeUnits, TakeLetters(&rest));
    if (unit == nullptr) return bad;
    total += number * unit->factor;
  }
  if (total > kMaxDurationMs) return Bad(text, "a duration of at most ten years");
  if (total > 0 && total < 1) return Bad(text, "a duration of at least 1ms");
  return std::chrono::milliseconds(std::llround(total));
}

std::string FormatDuration(std::chrono::milliseconds duration) {
  if (duration.count() == 0) return "0";
  static constexpr std::array<std::pair<int64_t, const char*>, 5> kUnits = {
      {{86400000, "d"}, {3600000, "h"}, {60000, "m"}, {1000, "s"}, {1, "ms"}}};
  std::string out;
  int64_t left = duration.count();
  for (const auto& [factor, name] : kUnits) {
    if (left >= factor) out += std::to_string(left / factor) + name;
    left %= factor;
  }
  return out;
}

Result<int64_t> ParseSize(std::string_view text) {
  const Error bad = Bad(text, "a size in bytes such as 4096, 512MiB or 2GiB");
  std::string_view rest = text;
  double number = 0;
  if (!TakeNumber(&rest, &number)) return bad;
  while (!rest.empty() && rest.front() == ' ') rest.remove_prefix(1);
  const std::string unit_name = Lower(TakeLetters(&rest));
  const Unit* unit = FindUnit(kSizeUnits, unit_name);
  if (unit == nullptr || !rest.empty()) return bad;
  const double bytes = number * unit->factor;
  if (bytes > kMaxSize) return Bad(text, "a size that fits 63 bits");
  return static_cast<int64_t>(std::llround(bytes));
}

std::string FormatSize(int64_t bytes) {
  static constexpr std::array<std::pair<int64_t, const char*>, 3> kUnits = {
      {{1ll << 30, "GiB"}, {1ll << 20, "MiB"}, {1ll << 10, "KiB"}}};
  for (const auto& [factor, name] : kUnits) {
    if (bytes >= factor && bytes % factor == 0) return std::to_string(bytes / factor) + name;
  }
  return std::to_string(bytes);
}

Result<int64_t> ParseInteger(std::string_view text, int64_t min, int64_t max) {
  int64_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size() || value < min || value > max) {
    const std::string bound = max == std::numeric_limits<int64_t>::max()
                                  ? "of at least " + std::to_string(min)
                                  : "from " + std::to_string(min) + " to " + std::to_string(max);
    return Bad(text, "a whole number " + bound);
  }
  return value;
}

Result<bool> ParseBool(std::string_view text) {
  const std::string lower = Lower(text);
  if (lower == "true" || lower == "yes" || lower == "on" || lower == "1") return true;
  if (lower == "false" || lower == "no" || lower == "off" || lower == "0") return false;
  return Bad(text, "true or false");
}

}  // namespace astrolabe::server
