#include "daemon/workers/probe.h"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <optional>

#include "daemon/base/crash_record.h"
#include "daemon/base/utf8.h"
#include "daemon/workers/frame_parser.h"
#include "daemon/workers/printed_lines.h"
#include "daemon/workers/worker_process.h"

namespace astrolabe::workers {
namespace {

using std::chrono::milliseconds;
using Clock = std::chrono::steady_clock;
using internal::v1::ToDaemon;
using internal::v1::ToWorker;

constexpr size_t kKeptLines = 3;
constexpr size_t kMaxText = 4096;
constexpr size_t kMaxLine = 256;

ProbeOutcome Make(std::string code, std::string message, std::string expected, std::string found, std::string hint) {
  ProbeOutcome outcome;
  outcome.code = std::move(code);
  outcome.message = std::move(message);
  outcome.expected = std::move(expected);
  outcome.found = std::move(found);
  outcome.hint = std::move(hint);
  return outcome;
}

std::string SignalText(int signal) {
  const char* name = ::sigabbrev_np(signal);
  return "signal " + std::to_string(signal) + (name != nullptr ? std::string(" (SIG") + name + ")" : std::string());
}

ProbeOutcome Timeout(milliseconds limit, const std::string& stage) {
  return Make("PROBE_TIMEOUT", "the plugin did not finish loading",
              "loaded and checked within " + std::to_string(limit.count()) + " ms",
              stage.empty() ? std::string("still running") : "still in stage " + stage,
              "constructors of statics and init must not sleep, lock, wait or do long work");
}

ProbeOutcome Crashed(int signal, const std::string& stage) {
  return Make("PROBE_CRASHED", "the plugin crashed while it was loaded and checked: " + SignalText(signal), "no crash",
              SignalText(signal) + (stage.empty() ? std::string() : " in stage " + stage),
              "run it under a debugger or with -fsanitize=address; constructors of statics run at load");
}

ProbeOutcome FromCrash(const CrashRecord& record, const std::string& stage, milliseconds limit) {
  const auto text = [](const char* field, size_t size) {
    return CleanText(std::string_view(field, ::strnlen(field, size)));
  };
  const std::string code = text(record.code, sizeof record.code);
  const std::string function = text(record.function, sizeof record.function);
  const std::string message = text(record.message, sizeof record.message);
  if (record.signal == SIGALRM) return Timeout(limit, stage);
  if (record.signal != 0) return Crashed(record.signal, stage);
  if (code == "THREW") {
    return Make("THREW",
                "an exception left " + (function.empty() ? std::string("the plugin") : function) + ": " + message,
                "no exception crosses the ABI", message, "catch exceptions inside, or use the SDK, which does");
  }
  return Make(code.empty() || code == "CRASHED" ? "CONTRACT_VIOLATION" : code, message, "", function, "");
}

ProbeOutcome FromDone(const internal::v1::ProbeDone& done) {
  const auto cut = [](const std::string& text) { return std::string(Utf8Prefix(text, kMaxText)); };
  ProbeOutcome outcome =
      Make(done.code(), cut(done.message()), cut(done.expected()), cut(done.found()), cut(done.hint()));
  for (const std::string& warning : done.warnings()) {
    if (outcome.warnings.size() < 32) outcome.warnings.push_back(cut(warning));
  }
  return outcome;
}

class ProbeRun {
 public:
  ProbeRun(const ProbeSetup& setup, WorkerProcess* process, std::string request)
      : setup_(setup), process_(process), deadline_(Clock::now() + setup.timeout), request_(std::move(request)) {}

  ProbeOutcome Run() {
    std::optional<ProbeOutcome> outcome;
    while (!outcome) outcome = Round();
    ReadPrinted();
    if (!outcome->code.empty() && !lines_.empty()) {
      outcome->hint += outcome->hint.empty() ? "it printed: " : "; it printed: ";
      for (const std::string& line : lines_) outcome->hint += (&line == &lines_.front() ? "" : " | ") + line;
    }
    return *std::move(outcome);
  }

 private:
  std::optional<ProbeOutcome> Round() {
    const auto left = std::chrono::ceil<milliseconds>(deadline_ - Clock::now());
    if (left.count() <= 0) return Timeout(setup_.timeout, stage_);
    const short out_events = sent_ < request_.size() ? POLLIN | POLLOUT : POLLIN;
    pollfd entries[] = {{process_->socket(), out_events, 0},
                        {process_->out(), POLLIN, 0},
                        {process_->err(), POLLIN, 0},
                        {process_->pidfd(), POLLIN, 0},
                        {setup_.stop_fd, POLLIN, 0}};
    if (::poll(entries, std::size(entries), static_cast<int>(left.count())) < 0) return std::nullopt;
    if (entries[4].revents != 0) {
      return Make("PROBE_TIMEOUT", "the check was given up because the daemon is shutting down", "", "",
                  "load it again");
    }
    ReadPrinted();
    if (entries[0].revents & POLLOUT) SendSome();
    const bool ended = entries[3].revents != 0;
    if (entries[0].revents & (POLLIN | POLLHUP | POLLERR) || ended) return ReadFrames(ended);
    return std::nullopt;
  }

  void SendSome() {
    const ssize_t n =
        ::send(process_->socket(), request_.data() + sent_, request_.size() - sent_, MSG_NOSIGNAL | MSG_DONTWAIT);
    if (n > 0) sent_ += static_cast<size_t>(n);
    // A worker that is gone shows at the other descriptors.
    if (n < 0 && errno != EAGAIN && errno != EINTR) sent_ = request_.size();
  }

  std::optional<ProbeOutcome> ReadFrames(bool ended) {
    char bytes[16384];
    const ssize_t n = ::recv(process_->socket(), bytes, sizeof bytes, MSG_DONTWAIT);
    if (n > 0) {
      parser_.Append(std::string_view(bytes, static_cast<size_t>(n)));
      while (std::optional<Frame> frame = parser_.Next()) {
        if (std::optional<ProbeOutcome> outcome = OnFrame(*frame)) return outcome;
      }
      if (!parser_.error().empty()) return Broken(parser_.error());
      return std::nullopt;
    }
    if (n < 0 && (errno == EAGAIN || errno == EINTR) && !ended) return std::nullopt;
    return Ended();
  }

  std::optional<ProbeOutcome> OnFrame(const Frame& frame) {
    if (frame.type == FrameType::kCrash) {
      CrashRecord record;
      if (frame.payload.size() != sizeof record) return Broken("a crash record of the wrong size");
      std::memcpy(&record, frame.payload.data(), sizeof record);
      if (record.magic != CrashRecord::kMagic) return Broken("a crash record with a wrong mark");
      return FromCrash(record, stage_, setup_.timeout);
    }
    ToDaemon message;
    if (frame.type != FrameType::kToDaemon || !message.ParseFromString(frame.payload))
      return Broken("an unexpected frame");
    if (message.has_stage()) stage_ = Utf8Prefix(message.stage().stage(), 64);
    if (message.has_log()) Keep(message.log().text());
    if (message.has_probed()) return FromDone(message.probed());
    return std::nullopt;
  }

  ProbeOutcome Broken(const std::string& what) {
    return Make("CONTRACT_VIOLATION",
                "the worker sent " + what + ": the plugin wrote to a descriptor that is not its own", "frames", what,
                "plugins must not touch descriptors they did not open");
  }

  ProbeOutcome Ended() {
    const auto left = std::chrono::ceil<milliseconds>(deadline_ - Clock::now());
    pollfd entry{process_->pidfd(), POLLIN, 0};
    if (::poll(&entry, 1, static_cast<int>(std::max<int64_t>(left.count(), 0))) <= 0)
      return Timeout(setup_.timeout, stage_);
    ReadPrinted();
    const ExitStatus status = process_->Reap();
    if (status.signal == SIGALRM) return Timeout(setup_.timeout, stage_);
    if (status.signal != 0) return Crashed(status.signal, stage_);
    const std::string code = std::to_string(status.exit_code);
    return Make("EXITED", "the plugin ended the process with exit(" + code + ") while it was loaded and checked",
                "control returns to the host", "exit code " + code,
                "report errors by diagnostics and a status instead of exit()");
  }

  void ReadPrinted() {
    for (int fd : {process_->out(), process_->err()}) {
      char bytes[16384];
      for (int round = 0; round < 64 && fd >= 0; ++round) {
        const ssize_t n = ::read(fd, bytes, sizeof bytes);
        if (n == 0) process_->CloseOutput(fd);
        if (n <= 0) break;
        for (const std::string& line : printed_.Add(std::string_view(bytes, static_cast<size_t>(n)), Clock::now()))
          Keep(line);
      }
    }
    for (const std::string& line : printed_.Flush(Clock::now())) Keep(line);
  }

  void Keep(std::string_view line) {
    if (line.empty()) return;
    lines_.emplace_back(Utf8Prefix(line, kMaxLine));
    if (lines_.size() > kKeptLines) lines_.erase(lines_.begin());
  }

  const ProbeSetup& setup_;
  WorkerProcess* const process_;
  const Clock::time_point deadline_;
  const std::string request_;
  size_t sent_ = 0;
  FrameParser parser_;
  PrintedLines printed_;
  std::vector<std::string> lines_;
  std::string stage_;
};

std::string EncodeRequest(const PluginFile& plugin, std::string_view manifest) {
  ToWorker message;
  internal::v1::PluginFile* file = message.mutable_probe()->mutable_plugin();
  file->set_id(plugin.id);
  file->set_path(plugin.path);
  file->set_version(plugin.version);
  file->set_sha256(plugin.sha256);
  file->set_generation(plugin.generation);
  message.mutable_probe()->set_manifest(std::string(manifest));
  const std::string payload = message.SerializeAsString();
  const auto length = static_cast<uint32_t>(payload.size() + 1);
  std::string frame;
  for (int i = 0; i < 4; ++i) frame += static_cast<char>(length >> (8 * i));
  frame += static_cast<char>(FrameType::kToWorker);
  return frame + payload;
}

}  // namespace

ProbeOutcome RunProbe(const ProbeSetup& setup, const PluginFile& plugin, std::string_view manifest) {
  Result<WorkerProcess> process = WorkerProcess::Start(setup.binary_fd, setup.environment);
  if (!process.ok()) {
    return Make("INIT_FAILED", "no process could be started to check the plugin: " + process.error().message, "", "",
                "this is not the plugin's fault; load it again");
  }
  return ProbeRun(setup, &*process, EncodeRequest(plugin, manifest)).Run();
}

}  // namespace astrolabe::workers
