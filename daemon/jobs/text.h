// Small text helpers: nothing that comes from a worker or a client is trusted to be short or UTF-8.
#ifndef ASTROLABE_DAEMON_JOBS_TEXT_H_
#define ASTROLABE_DAEMON_JOBS_TEXT_H_

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace astrolabe::jobs {

// Largest text or state that a message carries inline.
inline constexpr size_t kMaxInlineBytes = 256 << 10;

// `text` up to its first NUL, at most max_bytes long (cut at a character, "..." added), every byte that is not
// UTF-8 and every control character but tab and newline replaced by '?'.
std::string CleanText(std::string_view text, size_t max_bytes);

// CleanText of a fixed-size field that may lack its terminator.
template <size_t N>
std::string CleanField(const char (&field)[N]) {
  return CleanText(std::string_view(field, N), N);
}

// ", did you mean 'x'?" or empty.
std::string DidYouMean(std::string_view nearest);

// "a, b, c", at most `most` of them, then ", ...".
std::string JoinNames(const std::vector<std::string>& names, size_t most = 12);

// "SIGSEGV"; "signal 77" for one without a name; empty for 0.
std::string SignalName(int signal);

}  // namespace astrolabe::jobs

#endif  // ASTROLABE_DAEMON_JOBS_TEXT_H_
