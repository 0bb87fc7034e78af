// The reader thread of a worker. Everything that comes in is untrusted.
#include <poll.h>
#include <signal.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>

#include "daemon/base/utf8.h"
#include "daemon/workers/abi_version.h"
#include "daemon/workers/worker.h"

namespace astrolabe::workers {
namespace {

using internal::v1::ToDaemon;
using std::chrono::milliseconds;

constexpr milliseconds kExitAfterEof{1000};
constexpr milliseconds kExitAfterError{100};
constexpr milliseconds kExitAfterCrash{500};
constexpr size_t kNodeHeaderSize = 16;
constexpr size_t kMaxNameBytes = 256;

int64_t ReadInt64(const char* bytes) {
  uint64_t value = 0;
  for (int i = 0; i < 8; ++i) value |= static_cast<uint64_t>(static_cast<unsigned char>(bytes[i])) << (8 * i);
  return static_cast<int64_t>(value);
}

template <size_t N>
void CleanField(char (&field)[N]) {
  const std::string clean = CleanText(std::string_view(field, ::strnlen(field, N - 1)));
  std::memset(field, 0, N);
  std::memcpy(field, clean.data(), clean.size());
}

}  // namespace

void Worker::Run() {
  {
    MutexLock lock(&mu_);
    reader_id_ = std::this_thread::get_id();
  }
  while (ReadRound()) {
  }
  DrainPrinted();
  FlushPrinted();
  if (exit_.crash) {
    // At once: tearing down a large process takes long, and everything is known.
    BecomeGone();
    WaitExit(kExitAfterCrash);
  } else if (BeingKilled()) {
    exit_.signal = SIGKILL;
    BecomeGone();
  } else if (WaitExit(exit_.protocol_error.empty() ? kExitAfterEof : kExitAfterError)) {
    // Half a frame followed by its death is a death: the signal tells more.
    ReapProcess();
    BecomeGone();
  } else {
    if (exit_.protocol_error.empty()) exit_.protocol_error = "closed its frame socket but went on running";
    KillProcess();
    BecomeGone();
  }
  ReapProcess();
  owner_->OnWorkerDone(this);
}

bool Worker::ReadRound() {
  short events = POLLIN;
  {
    MutexLock lock(&io_mu_);
    if (!outbox_.empty() && writable_) events |= POLLOUT;
  }
  pollfd entries[] = {{process_.socket(), events, 0},
                      {process_.out(), POLLIN, 0},
                      {process_.err(), POLLIN, 0},
                      {process_.pidfd(), POLLIN, 0},
                      {wake_.get(), POLLIN, 0}};
  if (::poll(entries, std::size(entries), -1) < 0) return true;  // EINTR
  if (entries[4].revents != 0) {
    uint64_t count = 0;
    [[maybe_unused]] const ssize_t n = ::read(wake_.get(), &count, sizeof count);
  }
  if (entries[0].revents & POLLOUT) FlushOutbox();
  if (entries[1].revents != 0 || entries[2].revents != 0) DrainPrinted();
  const bool ended = entries[3].revents != 0;
  // A child of the plugin may hold the socket open, so the end of the process counts as end of file.
  if ((entries[0].revents & (POLLIN | POLLHUP | POLLERR)) != 0 || ended) return ReadSocket(ended);
  return true;
}

bool Worker::ReadSocket(bool drain) {
  for (;;) {
    const ssize_t n = ::recv(process_.socket(), scratch_.data(), scratch_.size(), MSG_DONTWAIT);
    if (n < 0 && errno == EINTR) continue;
    if (n < 0 && (errno == EAGAIN || errno == EWOULDBLOCK)) return !drain;
    if (n <= 0) return false;
    // What was printed before a frame was sent is delivered before it.
    DrainPrinted();
    parser_.Append(std::string_view(scratch_.data(), static_cast<size_t>(n)));
    while (std::optional<Frame> frame = parser_.Next()) {
      if (!Dispatch(*std::move(frame))) return false;
    }
    if (!parser_.error().empty()) return Fail(parser_.error());
    if (!drain) return true;
  }
}

bool Worker::BeingKilled() {
  MutexLock lock(&mu_);
  return killed_;
}

bool Worker::Fail(std::string protocol_error) {
  exit_.protocol_error = std::move(protocol_error);
  return false;
}

void Worker::DrainPrinted() {
  const std::pair<int, std::pair<const char*, PrintedLines*>> sources[] = {{process_.out(), {"stdout", &out_lines_}},
                                                                           {process_.err(), {"stderr", &err_lines_}}};
  for (const auto& [fd, target] : sources) {
    char bytes[16384];
    // Bounded, so that endless printing cannot starve the frames.
    for (int round = 0; round < 64 && fd >= 0; ++round) {
      const ssize_t n = ::read(fd, bytes, sizeof bytes);
      if (n == 0) process_.CloseOutput(fd);
      if (n <= 0) break;
      DeliverPrinted(target.first,
                     target.second->Add(std::string_view(bytes, static_cast<size_t>(n)), PrintedLines::Clock::now()));
    }
  }
}

void Worker::FlushPrinted() {
  const auto now = PrintedLines::Clock::now();
  DeliverPrinted("stdout", out_lines_.Flush(now));
  DeliverPrinted("stderr", err_lines_.Flush(now));
}

void Worker::DeliverPrinted(const char* source, std::vector<std::string> lines) {
  for (std::string& line : lines) {
    {
      MutexLock lock(&mu_);
      last_line_ = line;
    }
    if (WorkerEvents* events = BeginDelivery()) {
      ToDaemon message;
      message.mutable_log()->set_level(source[3] == 'e' ? astrolabe::v1::LOG_LEVEL_WARNING
                                                        : astrolabe::v1::LOG_LEVEL_INFO);
      message.mutable_log()->set_source(source);
      message.mutable_log()->set_text(std::move(line));
      events->OnMessage(std::move(message));
      EndDelivery();
    } else {
      owner_->Log("info", "worker " + std::to_string(pid_) + " " + source + ": " + line);
    }
  }
}

bool Worker::Dispatch(Frame frame) {
  {
    MutexLock lock(&mu_);
    if (phase_ == Phase::kStarting && frame.type == FrameType::kNodeBatch) {
      exit_.protocol_error = "sent nodes before hello";
      return false;
    }
  }
  switch (frame.type) {
    case FrameType::kToDaemon:
      return OnMessageFrame(frame);
    case FrameType::kNodeBatch:
      return OnNodeFrame(std::move(frame));
    case FrameType::kCrash:
      return OnCrashFrame(frame);
    case FrameType::kToWorker:
      break;
  }
  return Fail("sent a frame of the wrong direction");
}

bool Worker::OnMessageFrame(const Frame& frame) {
  ToDaemon message;
  if (!message.ParseFromString(frame.payload)) return Fail("sent a message that cannot be parsed");
  if (message.message_case() == ToDaemon::MESSAGE_NOT_SET) return Fail("sent an empty message");
  bool preloading = false;
  if (!Note(message, &preloading)) return false;
  if (message.has_hello()) return true;
  if (preloading) {
    if (message.has_preloaded()) {
      const auto& failure = message.preloaded().failure();
      owner_->OnPreloaded(this, message.preloaded().has_failure()
                                    ? failure.plugin() + ": " + failure.code() + " " + failure.message()
                                    : std::string());
      return true;
    }
    return OnIdleMessage(message);
  }
  if (message.has_result() || message.has_validated()) FlushPrinted();
  if (WorkerEvents* events = BeginDelivery()) {
    events->OnMessage(std::move(message));
    EndDelivery();
    return true;
  }
  return OnIdleMessage(message);
}

// Keeps what the pool itself must know of `message`. *preloading: it belongs to a Preload, not to a job.
bool Worker::Note(const ToDaemon& message, bool* preloading) {
  if (message.has_hello()) return OnHello(message.hello());
  MutexLock lock(&mu_);
  if (phase_ != Phase::kReady) return Fail("sent something else before hello");
  *preloading = preloading_ > 0;
  if (!message.recycle().empty()) recycle_ = true;
  switch (message.message_case()) {
    case ToDaemon::kStage:
      plugin_ = Utf8Prefix(message.stage().plugin(), kMaxNameBytes);
      stage_ = Utf8Prefix(message.stage().stage(), kMaxNameBytes);
      return true;
    case ToDaemon::kResult:
    case ToDaemon::kValidated:
      if (*preloading || running_ == 0) return Fail("ended a job that it was not given");
      --running_;
      return true;
    case ToDaemon::kPreloaded:
      if (preloading_ == 0) return Fail("answered a preload that it was not asked for");
      --preloading_;
      if (message.preloaded().has_failure()) recycle_ = true;
      return true;
    case ToDaemon::kProbed:
      return Fail("answered a probe that it was not asked for");
    default:
      return true;
  }
}

bool Worker::OnHello(const internal::v1::Hello& hello) {
  MutexLock lock(&mu_);
  if (phase_ != Phase::kStarting) return Fail("said hello twice");
  if (hello.abi_major() != kAbiMajor || hello.abi_minor() != kAbiMinor) {
    return Fail("it is of another build: plugin ABI " + std::to_string(hello.abi_major()) + "." +
                std::to_string(hello.abi_minor()) + ", expected " + std::to_string(kAbiMajor) + "." +
                std::to_string(kAbiMinor));
  }
  if (hello.pid() != pid_) return Fail("said hello with another pid");
  hello_ = hello;
  phase_ = Phase::kReady;
  changed_.NotifyAll();
  return true;
}

// A message outside any lease.
bool Worker::OnIdleMessage(const ToDaemon& message) {
  switch (message.message_case()) {
    case ToDaemon::kStage:
      return true;
    case ToDaemon::kLoaded:
      for (const std::string& warning : message.loaded().warnings()) {
        owner_->Log("debug", "plugin " + message.loaded().id() + ": " + warning);
      }
      return true;
    case ToDaemon::kLog:
      owner_->Log("info",
                  "worker " + std::to_string(pid_) + " " + message.log().source() + ": " + message.log().text());
      return true;
    default:
      // Late words of a job that was given up. Result and validated keep `running_` right.
      return true;
  }
}

bool Worker::OnNodeFrame(Frame frame) {
  if (frame.payload.size() < kNodeHeaderSize) return Fail("sent a node batch without header");
  const int64_t first = ReadInt64(frame.payload.data());
  const int64_t count = ReadInt64(frame.payload.data() + 8);
  if (first < 0 || count <= 0 || first > INT64_MAX - count) return Fail("sent a node batch with impossible ordinals");
  if (WorkerEvents* events = BeginDelivery()) {
    frame.payload.erase(0, kNodeHeaderSize);
    events->OnNodeBatch(first, count, std::move(frame.payload));
    EndDelivery();
  }
  return true;
}

bool Worker::OnCrashFrame(const Frame& frame) {
  CrashRecord record;
  if (frame.payload.size() != sizeof record) return Fail("sent a crash record of the wrong size");
  std::memcpy(&record, frame.payload.data(), sizeof record);
  if (record.magic != CrashRecord::kMagic) return Fail("sent a crash record with a wrong mark");
  CleanField(record.code);
  CleanField(record.plugin);
  CleanField(record.stage);
  CleanField(record.function);
  CleanField(record.message);
  exit_.crash = record;
  return false;
}

bool Worker::WaitExit(milliseconds limit) {
  const auto deadline = std::chrono::steady_clock::now() + limit;
  for (;;) {
    const auto left = std::chrono::ceil<milliseconds>(deadline - std::chrono::steady_clock::now());
    pollfd entries[] = {{process_.pidfd(), POLLIN, 0}, {process_.out(), POLLIN, 0}, {process_.err(), POLLIN, 0}};
    ::poll(entries, std::size(entries), static_cast<int>(std::max<int64_t>(0, left.count())));
    DrainPrinted();
    if (entries[0].revents != 0) return true;
    if (left.count() <= 0) return false;
  }
}

void Worker::BecomeGone() {
  WorkerEvents* events = nullptr;
  {
    MutexLock lock(&mu_);
    exit_.plugin = plugin_;
    exit_.stage = stage_;
    exit_.killed_by_us = killed_;
    phase_ = Phase::kGone;
    end_text_ = DescribeExit(exit_);
    events = events_;
    if (events != nullptr) delivering_ = true;
    changed_.NotifyAll();
  }
  owner_->OnWorkerGone(this, exit_);
  if (events == nullptr) return;
  events->OnGone(exit_);
  MutexLock lock(&mu_);
  events_ = nullptr;
  delivering_ = false;
  changed_.NotifyAll();
}

void Worker::KillProcess() {
  MutexLock lock(&io_mu_);
  writable_ = false;
  process_.Kill();
}

void Worker::ReapProcess() {
  if (process_.pidfd() < 0) return;
  KillProcess();
  process_.WaitEnd();
  DrainPrinted();
  FlushPrinted();
  MutexLock lock(&io_mu_);
  const ExitStatus status = process_.Reap();
  exit_.signal = status.signal;
  exit_.exit_code = status.exit_code;
  wake_.Reset();
  outbox_.clear();
}

}  // namespace astrolabe::workers
