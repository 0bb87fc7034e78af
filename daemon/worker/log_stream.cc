#include "daemon/worker/log_stream.h"

#include <algorithm>
#include <string>

#include "daemon/base/utf8.h"

namespace astrolabe::worker {

void LogStream::Write(v1::LogLevel level, std::string_view source, std::string_view text) {
  std::lock_guard<std::mutex> lock(mutex_);
  if (!Admit()) {
    ++left_out_;
    return;
  }
  TellLeftOut();
  Send(level, source, text);
}

void LogStream::Finish() {
  std::lock_guard<std::mutex> lock(mutex_);
  TellLeftOut();
  tokens_ = kBurst;
}

bool LogStream::Admit() {
  using std::chrono::milliseconds;
  const auto now = std::chrono::steady_clock::now();
  const int64_t earned = std::chrono::duration_cast<milliseconds>(now - refilled_).count() * kPerSecond / 1000;
  if (earned > 0) {
    tokens_ = std::min(kBurst, tokens_ + earned);
    refilled_ = now;
  }
  if (tokens_ == 0) return false;
  --tokens_;
  return true;
}

void LogStream::Send(v1::LogLevel level, std::string_view source, std::string_view text) {
  internal::v1::ToDaemon message;
  v1::LogLine& line = *message.mutable_log();
  line.set_level(level);
  line.set_source(std::string(source));
  line.set_text(ToValidUtf8(Utf8Prefix(text, kMaxLine)));
  frames_->Send(message);
}

void LogStream::TellLeftOut() {
  if (left_out_ == 0) return;
  Send(v1::LOG_LEVEL_WARNING, "worker", std::to_string(left_out_) + " log lines were left out: too many a second");
  left_out_ = 0;
}

}  // namespace astrolabe::worker
