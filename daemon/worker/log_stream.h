// Log lines to the daemon, at most so many a second: a plugin in a loop must not drown the job's log.
#ifndef ASTROLABE_DAEMON_WORKER_LOG_STREAM_H_
#define ASTROLABE_DAEMON_WORKER_LOG_STREAM_H_

#include <chrono>
#include <cstdint>
#include <mutex>
#include <string_view>

#include "astrolabe/v1/event.pb.h"
#include "daemon/worker/frame_writer.h"

namespace astrolabe::worker {

class LogStream {
 public:
  static constexpr int64_t kBurst = 200;
  static constexpr int64_t kPerSecond = 100;
  static constexpr size_t kMaxLine = 4 << 10;

  explicit LogStream(FrameWriter* frames) : frames_(frames) {}

  // Thread-safe. A line that is too many is counted; the count is told before the next line that passes.
  void Write(v1::LogLevel level, std::string_view source, std::string_view text);

  // Tells of lines left out and starts anew: at the end of a job.
  void Finish();

 private:
  bool Admit();
  void Send(v1::LogLevel level, std::string_view source, std::string_view text);
  void TellLeftOut();

  FrameWriter* const frames_;
  std::mutex mutex_;
  int64_t tokens_ = kBurst;
  std::chrono::steady_clock::time_point refilled_ = std::chrono::steady_clock::now();
  int64_t left_out_ = 0;
};

}  // namespace astrolabe::worker

#endif  // ASTROLABE_DAEMON_WORKER_LOG_STREAM_H_
