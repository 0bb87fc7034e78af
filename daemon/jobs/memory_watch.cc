#include "daemon/jobs/memory_watch.h"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <charconv>
#include <string>

#include "daemon/base/fd.h"

namespace astrolabe::jobs {

std::optional<int64_t> ParseStatm(std::string_view text, int64_t page_bytes) {
  int64_t fields[3] = {};
  const char* at = text.data();
  const char* const end = at + text.size();
  for (int64_t& field : fields) {
    while (at != end && *at == ' ') ++at;
    const auto [next, error] = std::from_chars(at, end, field);
    if (error != std::errc() || field < 0) return std::nullopt;
    at = next;
  }
  return std::max<int64_t>(0, fields[1] - fields[2]) * page_bytes;
}

std::optional<int64_t> PrivateBytes(int pid) {
  const Fd file(::open(("/proc/" + std::to_string(pid) + "/statm").c_str(), O_RDONLY | O_CLOEXEC));
  if (!file.valid()) return std::nullopt;
  char text[256];
  const ssize_t n = ::read(file.get(), text, sizeof text);
  if (n <= 0) return std::nullopt;
  return ParseStatm(std::string_view(text, static_cast<size_t>(n)), ::sysconf(_SC_PAGESIZE));
}

}  // namespace astrolabe::jobs
