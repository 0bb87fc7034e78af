// What a worker prints on stdout or stderr, as lines fit for a log: valid UTF-8, bounded, rate-limited.
#ifndef ASTROLABE_DAEMON_WORKERS_PRINTED_LINES_H_
#define ASTROLABE_DAEMON_WORKERS_PRINTED_LINES_H_

#include <chrono>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace astrolabe::workers {

// `text` with everything that is not valid UTF-8, and control characters but tab, replaced by '?'.
std::string CleanText(std::string_view text);

class PrintedLines {
 public:
  using Clock = std::chrono::steady_clock;
  static constexpr size_t kMaxLineBytes = 2048;  // longer lines are cut
  static constexpr int kBurst = 200;             // lines let through at once
  static constexpr int kPerSecond = 20;          // and then

  // Whole lines in `bytes` (with what was left before) that may pass now. When lines were held back, the
  // next that passes is preceded by one that says how many.
  std::vector<std::string> Add(std::string_view bytes, Clock::time_point now);
  // The last unfinished line, and the count of held-back ones. At end of file and between jobs.
  std::vector<std::string> Flush(Clock::time_point now);

 private:
  void Emit(std::string_view line, Clock::time_point now, std::vector<std::string>* lines);
  void TellDropped(std::vector<std::string>* lines);

  std::string partial_;
  bool cut_ = false;  // the rest of an overlong line is being skipped
  double tokens_ = kBurst;
  Clock::time_point last_{};
  int64_t dropped_ = 0;
};

}  // namespace astrolabe::workers

#endif  // ASTROLABE_DAEMON_WORKERS_PRINTED_LINES_H_
