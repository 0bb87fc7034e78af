// Which log lines of a worker reach the event log: so many and so long, UTF-8. Preparation reports likewise.
#ifndef ASTROLABE_DAEMON_JOBS_LOG_FILTER_H_
#define ASTROLABE_DAEMON_JOBS_LOG_FILTER_H_

#include <chrono>
#include <optional>
#include <string>

#include "astrolabe/v1/event.pb.h"
#include "daemon/jobs/text.h"
#include "daemon/jobs/timer_queue.h"

namespace astrolabe::jobs {

class LogFilter {
 public:
  static constexpr int kMaxLines = 1000;
  static constexpr size_t kMaxLineBytes = 4096;
  static constexpr size_t kMaxBytes = 256 << 10;

  // The line as it is to be logged; the first one too many becomes a remark, those after it nothing.
  std::optional<v1::LogLine> Pass(const v1::LogLine& line) {
    if (full_) return std::nullopt;
    v1::LogLine out;
    const bool known = v1::LogLevel_IsValid(line.level()) && line.level() != v1::LOG_LEVEL_UNSPECIFIED;
    out.set_level(known ? line.level() : v1::LOG_LEVEL_INFO);
    out.set_source(CleanText(line.source(), 128));
    out.set_text(CleanText(line.text(), kMaxLineBytes));
    bytes_ += out.text().size();
    full_ = ++lines_ > kMaxLines || bytes_ > kMaxBytes;
    if (full_) {
      out.set_level(v1::LOG_LEVEL_WARNING);
      out.set_source("engine");
      out.set_text("further log lines of this job are left out");
    }
    return out;
  }

 private:
  int lines_ = 0;
  size_t bytes_ = 0;
  bool full_ = false;
};

// At most ten reports a second of one task; the first and the last always pass.
class PreparingFilter {
 public:
  std::optional<v1::Preparing> Pass(const v1::Preparing& report, TimePoint now) {
    const bool same = report.heuristic() == last_.heuristic() && report.what() == last_.what();
    if (same && report.fraction() < 1.0 && now < next_) return std::nullopt;
    if (same && last_.fraction() >= 1.0) return std::nullopt;
    last_ = report;
    next_ = now + std::chrono::milliseconds(100);
    v1::Preparing out = report;
    out.set_heuristic(CleanText(report.heuristic(), 128));
    out.set_what(CleanText(report.what(), 256));
    return out;
  }

 private:
  v1::Preparing last_;
  TimePoint next_;
};

}  // namespace astrolabe::jobs

#endif  // ASTROLABE_DAEMON_JOBS_LOG_FILTER_H_
