// Values of options as people write them.
#ifndef ASTROLABE_DAEMON_SERVER_OPTION_VALUES_H_
#define ASTROLABE_DAEMON_SERVER_OPTION_VALUES_H_

#include <chrono>
#include <cstdint>
#include <string>
#include <string_view>

#include "daemon/base/result.h"

namespace astrolabe::server {

// "10s", "1h30m", "250ms", "1.5s", "0". Units: ms, s, m, h, d. A number without a unit is refused, but for 0.
Result<std::chrono::milliseconds> ParseDuration(std::string_view text);
std::string FormatDuration(std::chrono::milliseconds duration);

// Bytes: "2GiB", "512MiB", "64k", "1.5G", "4096". K, M, G, T with or without "iB" are powers of 1024;
// "kB", "MB", "GB", "TB" powers of 1000.
Result<int64_t> ParseSize(std::string_view text);
std::string FormatSize(int64_t bytes);

// A whole number within [min, max].
Result<int64_t> ParseInteger(std::string_view text, int64_t min, int64_t max);

// true/false, yes/no, on/off, 1/0.
Result<bool> ParseBool(std::string_view text);

}  // namespace astrolabe::server

#endif  // ASTROLABE_DAEMON_SERVER_OPTION_VALUES_H_
