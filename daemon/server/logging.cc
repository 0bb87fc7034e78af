#include "daemon/server/logging.h"

#include <fcntl.h>
#include <grpc/support/log.h>
#include <spdlog/details/os.h>
#include <spdlog/formatter.h>
#include <spdlog/pattern_formatter.h>
#include <spdlog/sinks/base_sink.h>
#include <spdlog/spdlog.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <cstring>
#include <mutex>
#include <nlohmann/json.hpp>
#include <utility>

#include "daemon/base/fd.h"

namespace astrolabe::server {
namespace {

spdlog::level::level_enum LevelOf(std::string_view name) {
  if (name == "debug") return spdlog::level::debug;
  if (name == "warning") return spdlog::level::warn;
  if (name == "error") return spdlog::level::err;
  return spdlog::level::info;
}

std::string TimeOf(const spdlog::details::log_msg& message) {  // 2024-01-31T12:34:56.789Z
  const std::time_t seconds = spdlog::log_clock::to_time_t(message.time);
  const std::tm tm = spdlog::details::os::gmtime(seconds);
  const auto ms = std::chrono::duration_cast<std::chrono::milliseconds>(message.time.time_since_epoch()).count() % 1000;
  char date[32];
  char out[48];
  std::strftime(date, sizeof date, "%Y-%m-%dT%H:%M:%S", &tm);
  std::snprintf(out, sizeof out, "%s.%03dZ", date, static_cast<int>(ms));
  return out;
}

const char* NameOf(spdlog::level::level_enum level) {
  switch (level) {
    case spdlog::level::debug:
      return "debug";
    case spdlog::level::warn:
      return "warning";
    case spdlog::level::err:
      return "error";
    default:
      return "info";
  }
}

std::string OneLine(std::string_view text) {
  std::string out;
  for (const char c : text) {
    if (c == '\n') {
      out += "\\n";
    } else if (static_cast<unsigned char>(c) < 0x20 || c == 0x7f) {
      out += c == '\t' ? '\t' : '?';  // no terminal is driven by what a plugin says
    } else {
      out += c;
    }
  }
  return out;
}

class LineFormatter final : public spdlog::formatter {
 public:
  explicit LineFormatter(bool json) : json_(json) {}

  void format(const spdlog::details::log_msg& message, spdlog::memory_buf_t& out) override {
    const std::string_view text(message.payload.data(), message.payload.size());
    std::string line;
    if (json_) {
      const nlohmann::ordered_json object = {
          {"time", TimeOf(message)}, {"level", NameOf(message.level)}, {"message", text}};
      line = object.dump(-1, ' ', false, nlohmann::ordered_json::error_handler_t::replace);
    } else {
      line = TimeOf(message) + " " + NameOf(message.level) + " " + OneLine(text);
    }
    line += '\n';
    out.append(line.data(), line.data() + line.size());
  }
  std::unique_ptr<spdlog::formatter> clone() const override { return std::make_unique<LineFormatter>(json_); }

 private:
  const bool json_;
};

std::atomic<Log*> grpc_log{nullptr};

void OnGrpcLog(gpr_log_func_args* args) {
  Log* log = grpc_log.load();
  if (log == nullptr) return;
  const std::string text = std::string("gRPC: ") + args->message;
  log->Write(args->severity == GPR_LOG_SEVERITY_ERROR ? "error" : "debug", text);
}

}  // namespace

// Appends whole lines by write(2): nothing is buffered, nothing is lost when the process is killed.
class LogSink final : public spdlog::sinks::base_sink<std::mutex> {
 public:
  explicit LogSink(std::string file) : file_(std::move(file)) {}

  Status Open() {
    if (file_.empty()) return {};
    Fd fd(::open(file_.c_str(), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600));
    if (!fd.valid()) {
      return MakeError(ErrorCode::kFailedPrecondition, "LOG_FILE",
                       "cannot open the log file " + file_ + ": " + std::strerror(errno));
    }
    const std::lock_guard lock(mutex_);
    fd_ = std::move(fd);
    return {};
  }

 protected:
  void sink_it_(const spdlog::details::log_msg& message) override {
    spdlog::memory_buf_t line;
    formatter_->format(message, line);
    const int fd = fd_.valid() ? fd_.get() : STDERR_FILENO;
    for (size_t done = 0; done < line.size();) {
      const ssize_t n = ::write(fd, line.data() + done, line.size() - done);
      if (n < 0 && errno == EINTR) continue;
      if (n <= 0) return;  // a log that cannot be written must not stop the server
      done += static_cast<size_t>(n);
    }
  }
  void flush_() override {}

 private:
  const std::string file_;
  Fd fd_;
};

struct Log::Impl {
  std::shared_ptr<LogSink> sink;
  std::unique_ptr<spdlog::logger> logger;
};

Log::Log(std::unique_ptr<Impl> impl) : impl_(std::move(impl)) {}

Log::~Log() {
  Log* self = this;
  grpc_log.compare_exchange_strong(self, nullptr);
}

Result<std::unique_ptr<Log>> Log::Create(const Settings& settings) {
  auto impl = std::make_unique<Impl>();
  impl->sink = std::make_shared<LogSink>(settings.file);
  if (Status status = impl->sink->Open(); !status.ok()) return std::move(status).error();
  impl->sink->set_formatter(std::make_unique<LineFormatter>(settings.format == "json"));
  impl->logger = std::make_unique<spdlog::logger>("astrolabed", impl->sink);
  impl->logger->set_level(LevelOf(settings.level));
  return std::unique_ptr<Log>(new Log(std::move(impl)));
}

void Log::Write(std::string_view level, std::string_view text) {
  impl_->logger->log(LevelOf(level), spdlog::string_view_t(text.data(), text.size()));
}

void Log::SetLevel(std::string_view level) { impl_->logger->set_level(LevelOf(level)); }

Status Log::Reopen() { return impl_->sink->Open(); }

void Log::CaptureGrpc() {
  grpc_log.store(this);
  gpr_set_log_function(OnGrpcLog);
}

}  // namespace astrolabe::server
