// The reader thread of a worker: waiting, reading, and the end. worker_frames.cc has what frames mean.
#include <poll.h>
#include <signal.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <new>

#include "daemon/workers/worker.h"

namespace astrolabe::workers {
namespace {

using internal::v1::ToDaemon;
using std::chrono::milliseconds;

constexpr milliseconds kExitAfterEof{1000};
constexpr milliseconds kExitAfterError{100};
constexpr milliseconds kExitAfterCrash{500};

}  // namespace

void Worker::Run() {
  {
    MutexLock lock(&mu_);
    reader_id_ = std::this_thread::get_id();
  }
  while (ReadUnlessOutOfMemory()) {
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

bool Worker::ReadUnlessOutOfMemory() {
  try {
    return ReadRound();
  } catch (const std::bad_alloc&) {
    // What a worker sends is large when its job's path is. That job ends, and the daemon goes on.
    EndDelivery();
    Kill("the daemon has no memory for what it sends");
    return false;
  }
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
