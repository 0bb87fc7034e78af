// Durations, sizes and counts as people write and read them.
#ifndef ASTROLABE_CLIENT_CLI_UNITS_H_
#define ASTROLABE_CLIENT_CLI_UNITS_H_

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace astrolabe::cli {

// "10s", "1.5s", "500ms", "2m", "1h30m", "90" (seconds). Nothing for anything else, negative values and overflow.
std::optional<std::chrono::nanoseconds> ParseDuration(std::string_view text);

// "2GiB", "512 MiB", "1.5G" (as GiB), "2GB" (powers of 1000), "4096" (bytes).
std::optional<int64_t> ParseSize(std::string_view text);

// "1000", "1_000_000", "10k", "2.5M", "1e6". Whole numbers only.
std::optional<int64_t> ParseCount(std::string_view text);

// "3/2", "2", "0.75" exactly, as numerator and denominator.
struct Ratio {
  int64_t numerator = 1;
  int64_t denominator = 1;
};
std::optional<Ratio> ParseRatio(std::string_view text);

std::string FormatDuration(std::chrono::nanoseconds duration);  // "0.35 ms", "2.1 s", "3 min 20 s", "2 h 5 min"
std::string FormatSize(int64_t bytes);                          // "812 B", "1.2 MiB"
std::string FormatCount(double count);                          // "999", "36.3 M"
std::string Counted(int64_t n, std::string_view one);           // "1 move", "3 moves"

}  // namespace astrolabe::cli

#endif  // ASTROLABE_CLIENT_CLI_UNITS_H_
