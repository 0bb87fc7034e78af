#include "client/cli/units.h"

#include <charconv>
#include <cmath>
#include <cstdio>

namespace astrolabe::cli {
namespace {

struct Unit {
  std::string_view name;
  double factor;
};

constexpr Unit kTimes[] = {{"ns", 1}, {"us", 1e3}, {"ms", 1e6}, {"s", 1e9}, {"min", 60e9}, {"m", 60e9}, {"h", 3600e9}};
constexpr Unit kSizes[] = {{"", 1},
                           {"B", 1},
                           {"K", 1024.0},
                           {"KiB", 1024.0},
                           {"KB", 1e3},
                           {"kB", 1e3},
                           {"M", 1048576.0},
                           {"MiB", 1048576.0},
                           {"MB", 1e6},
                           {"G", 1073741824.},
                           {"GiB", 1073741824.},
                           {"GB", 1e9},
                           {"T", 1099511627776.},
                           {"TiB", 1099511627776.},
                           {"TB", 1e12}};
constexpr Unit kCounts[] = {{"", 1}, {"k", 1e3}, {"K", 1e3}, {"M", 1e6}, {"G", 1e9}, {"B", 1e9}};
constexpr double kMaxInt64 = 9.2e18;

std::string_view Trim(std::string_view text) {
  while (!text.empty() && text.front() == ' ') text.remove_prefix(1);
  while (!text.empty() && text.back() == ' ') text.remove_suffix(1);
  return text;
}

// Takes a non-negative decimal number off the front.
std::optional<double> TakeNumber(std::string_view* text, std::chars_format format = std::chars_format::fixed) {
  double value = 0;
  const auto [end, error] = std::from_chars(text->data(), text->data() + text->size(), value, format);
  if (error != std::errc() || !(value >= 0) || std::isinf(value)) return std::nullopt;
  text->remove_prefix(end - text->data());
  return value;
}

template <size_t kSize>
std::optional<double> Factor(const Unit (&units)[kSize], std::string_view name) {
  for (const Unit& unit : units) {
    if (unit.name == name) return unit.factor;
  }
  return std::nullopt;
}

std::string Print(const char* format, double value, const char* unit) {
  char text[64];
  std::snprintf(text, sizeof text, format, value, unit);
  return text;
}

// Three digits that mean something.
std::string Scaled(double value, const char* unit) {
  return Print(value < 9.995 ? "%.2f %s" : value < 99.95 ? "%.1f %s" : "%.0f %s", value, unit);
}

}  // namespace

std::optional<std::chrono::nanoseconds> ParseDuration(std::string_view text) {
  text = Trim(text);
  double total = 0;
  if (text.empty()) return std::nullopt;
  bool first = true;
  while (!text.empty()) {
    const auto number = TakeNumber(&text);
    if (!number) return std::nullopt;
    text = Trim(text);
    size_t length = 0;
    while (length < text.size() && text[length] >= 'a' && text[length] <= 'z') ++length;
    const std::string_view name = text.substr(0, length);
    text = Trim(text.substr(length));
    const auto factor = name.empty() && first && text.empty() ? std::optional<double>(1e9) : Factor(kTimes, name);
    if (!factor) return std::nullopt;
    total += *number * *factor;
    first = false;
  }
  if (total > kMaxInt64) return std::nullopt;
  return std::chrono::nanoseconds(static_cast<int64_t>(std::llround(total)));
}

std::optional<int64_t> ParseSize(std::string_view text) {
  text = Trim(text);
  const auto number = TakeNumber(&text);
  if (!number) return std::nullopt;
  const auto factor = Factor(kSizes, Trim(text));
  if (!factor || *number * *factor > kMaxInt64) return std::nullopt;
  return std::llround(*number * *factor);
}

std::optional<int64_t> ParseCount(std::string_view text) {
  std::string digits;
  for (const char c : Trim(text)) {
    if (c != '_') digits += c;
  }
  int64_t exact = 0;
  const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), exact);
  if (error == std::errc() && end == digits.data() + digits.size()) {
    return exact >= 0 ? std::optional<int64_t>(exact) : std::nullopt;
  }
  std::string_view rest = digits;
  const auto number = TakeNumber(&rest, std::chars_format::general);
  if (!number) return std::nullopt;
  const auto factor = Factor(kCounts, Trim(rest));
  if (!factor || *number * *factor > kMaxInt64) return std::nullopt;
  const double value = *number * *factor;
  return value == std::floor(value) ? std::optional<int64_t>(static_cast<int64_t>(value)) : std::nullopt;
}

std::optional<Ratio> ParseRatio(std::string_view text) {
  const auto whole = [](std::string_view digits) -> std::optional<int64_t> {
    int64_t value = 0;
    const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), value);
    if (error != std::errc() || end != digits.data() + digits.size() || value < 0) return std::nullopt;
    return value;
  };
  if (const size_t slash = text.find('/'); slash != std::string_view::npos) {
    const auto numerator = whole(text.substr(0, slash));
    const auto denominator = whole(text.substr(slash + 1));
    if (!numerator || !denominator || *denominator == 0) return std::nullopt;
    return Ratio{*numerator, *denominator};
  }
  const size_t point = text.find('.');
  if (point == std::string_view::npos) {
    const auto value = whole(text);
    return value ? std::optional<Ratio>(Ratio{*value, 1}) : std::nullopt;
  }
  std::string digits(text);
  digits.erase(point, 1);
  const size_t places = digits.size() - point;
  const auto value = whole(digits);
  if (!value || places == 0 || places > 15) return std::nullopt;
  Ratio ratio{*value, 1};
  for (size_t i = 0; i < places; ++i) ratio.denominator *= 10;
  return ratio;
}

std::string FormatDuration(std::chrono::nanoseconds duration) {
  const double ns = static_cast<double>(duration.count());
  if (ns < 1e6) return Scaled(ns / 1e3, "us");
  if (ns < 1e9) return Scaled(ns / 1e6, "ms");
  if (ns < 59.95e9) return Scaled(ns / 1e9, "s");
  const int64_t seconds = std::llround(ns / 1e9);
  char text[64];
  if (seconds < 3600) {
    std::snprintf(text, sizeof text, "%lld min %lld s", static_cast<long long>(seconds / 60),
                  static_cast<long long>(seconds % 60));
  } else {
    std::snprintf(text, sizeof text, "%lld h %lld min", static_cast<long long>(seconds / 3600),
                  static_cast<long long>(seconds % 3600 / 60));
  }
  return text;
}

std::string FormatSize(int64_t bytes) {
  if (bytes < 1024) return std::to_string(bytes) + " B";
  double value = static_cast<double>(bytes);
  const char* const units[] = {"KiB", "MiB", "GiB", "TiB"};
  size_t unit = 0;
  for (value /= 1024; value >= 1023.5 && unit + 1 < std::size(units); ++unit) value /= 1024;
  return Print(value < 99.95 ? "%.1f %s" : "%.0f %s", value, units[unit]);
}

std::string FormatCount(double count) {
  if (count < 99'999.5) return Print("%.0f%s", count, "");
  const char* const units[] = {"k", "M", "G", "T"};
  size_t unit = 0;
  for (count /= 1000; count >= 999.5 && unit + 1 < std::size(units); ++unit) count /= 1000;
  return Print(count < 99.95 ? "%.1f %s" : "%.0f %s", count, units[unit]);
}

std::string Counted(int64_t n, std::string_view one) {
  std::string text = std::to_string(n) + ' ';
  text.append(one);
  return n == 1 ? text : text + 's';
}

}  // namespace astrolabe::cli
