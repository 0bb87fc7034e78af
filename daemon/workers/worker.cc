#include "daemon/workers/worker.h"

#include <sys/eventfd.h>
#include <sys/socket.h>
#include <sys/uio.h>
#include <unistd.h>

#include <cassert>
#include <cerrno>
#include <cstring>
#include <system_error>

namespace astrolabe::workers {
namespace {

constexpr size_t kMaxOutboxBytes = 2 * kMaxFramePayload;

Error Gone() { return MakeError(ErrorCode::kUnavailable, "WORKER_GONE", "the worker process is gone"); }

template <typename Files>
void AddFiles(const Files& files, std::vector<std::pair<std::string, int64_t>>* all) {
  for (const auto& file : files) all->emplace_back(file.id(), file.generation());
}

}  // namespace

Worker::Worker(WorkerProcess process, WorkerOwner* owner)
    : pid_(process.pid()), owner_(owner), scratch_(256 << 10), process_(std::move(process)) {}

Worker::~Worker() { assert(!reader_.joinable()); }

Status Worker::Start() {
  wake_.Reset(::eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK));
  if (!wake_.valid()) {
    return MakeError(ErrorCode::kUnavailable, "SPAWN_FAILED",
                     std::string("cannot start a worker process: eventfd: ") + std::strerror(errno));
  }
  try {
    reader_ = std::thread([this] { Run(); });
  } catch (const std::system_error& error) {
    return MakeError(ErrorCode::kUnavailable, "SPAWN_FAILED",
                     std::string("cannot start a thread for a worker process: ") + error.what());
  }
  return {};
}

Status Worker::WaitReady(std::chrono::steady_clock::time_point deadline) {
  MutexLock lock(&mu_);
  while (phase_ == Phase::kStarting) {
    if (!changed_.WaitUntil(&mu_, deadline) && phase_ == Phase::kStarting) {
      return MakeError(ErrorCode::kUnavailable, "WORKER_NOT_READY",
                       "the worker process did not say hello in time" +
                           (last_line_.empty() ? std::string() : "; it printed: " + last_line_));
    }
  }
  if (phase_ == Phase::kReady) return {};
  return MakeError(ErrorCode::kUnavailable, "WORKER_NOT_READY",
                   "the worker process ended before it was ready: " + end_text_ +
                       (last_line_.empty() ? std::string() : "; it printed: " + last_line_));
}

internal::v1::Hello Worker::hello() const {
  MutexLock lock(&mu_);
  return hello_;
}

bool Worker::Attach(WorkerEvents* events) {
  {
    // It may have died while idle, unnoticed so far.
    MutexLock lock(&io_mu_);
    if (process_.Exited()) return false;
  }
  MutexLock lock(&mu_);
  if (phase_ != Phase::kReady) return false;
  assert(events_ == nullptr);
  events_ = events;
  return true;
}

void Worker::Detach() {
  MutexLock lock(&mu_);
  events_ = nullptr;
  if (std::this_thread::get_id() == reader_id_) return;
  while (delivering_) changed_.Wait(&mu_);
}

WorkerEvents* Worker::BeginDelivery() {
  MutexLock lock(&mu_);
  if (events_ != nullptr) delivering_ = true;
  return events_;
}

void Worker::EndDelivery() {
  MutexLock lock(&mu_);
  delivering_ = false;
  changed_.NotifyAll();
}

Status Worker::CheckAndNote(const internal::v1::ToWorker& message) {
  std::vector<std::pair<std::string, int64_t>> files;
  if (message.has_run()) AddFiles(message.run().plugins(), &files);
  if (message.has_validate()) AddFiles(message.validate().plugins(), &files);
  if (message.has_evaluate()) AddFiles(message.evaluate().plugins(), &files);
  if (message.has_check_path()) AddFiles(message.check_path().plugins(), &files);
  if (message.has_preload()) AddFiles(message.preload().plugins(), &files);
  MutexLock lock(&mu_);
  if (phase_ != Phase::kReady || killed_) return Gone();
  for (const auto& [id, generation] : files) {
    const auto held = held_.find(id);
    if (held != held_.end() && held->second != generation) {
      return MakeError(ErrorCode::kFailedPrecondition, "GENERATION_CONFLICT",
                       "worker " + std::to_string(pid_) + " holds generation " + std::to_string(held->second) + " of " +
                           id + " and cannot load generation " + std::to_string(generation));
    }
  }
  for (const auto& [id, generation] : files) held_.emplace(id, generation);
  if (message.has_preload()) ++preloading_;
  if (message.has_run() || message.has_validate() || message.has_evaluate() || message.has_check_path()) {
    ++running_;
    if (preloading_ > 0) return {};  // it begins when that is over: until then that is where the worker is
    plugin_.clear();
    stage_.clear();
  }
  return {};
}

Status Worker::Send(const internal::v1::ToWorker& message) {
  std::string payload;
  if (message.ByteSizeLong() > kMaxFramePayload || !message.SerializeToString(&payload)) {
    return MakeError(ErrorCode::kResourceExhausted, "FRAME_TOO_LARGE",
                     "a message of " + std::to_string(message.ByteSizeLong()) + " bytes is too large for a worker");
  }
  if (Status status = CheckAndNote(message); !status.ok()) return status;
  char header[kFrameHeaderSize];
  const auto length = static_cast<uint32_t>(payload.size() + 1);
  for (int i = 0; i < 4; ++i) header[i] = static_cast<char>(length >> (8 * i));
  header[4] = static_cast<char>(FrameType::kToWorker);

  MutexLock lock(&io_mu_);
  if (!writable_ || process_.socket() < 0) return Gone();
  size_t done = 0;
  if (outbox_.empty()) {
    iovec parts[2] = {{header, sizeof header}, {payload.data(), payload.size()}};
    msghdr out{};
    out.msg_iov = parts;
    out.msg_iovlen = payload.empty() ? 1 : 2;
    ssize_t n = 0;
    do {
      n = ::sendmsg(process_.socket(), &out, MSG_NOSIGNAL | MSG_DONTWAIT);
    } while (n < 0 && errno == EINTR);
    if (n < 0 && errno != EAGAIN && errno != EWOULDBLOCK) {
      writable_ = false;
      return Gone();
    }
    if (n > 0) done = static_cast<size_t>(n);
    if (done == sizeof header + payload.size()) return {};
  }
  if (outbox_.size() + payload.size() > kMaxOutboxBytes) {
    // Half-written or never read: the stream is of no use any more.
    writable_ = false;
    process_.Kill();
    return MakeError(ErrorCode::kResourceExhausted, "WORKER_STUCK", "the worker process does not read its messages");
  }
  if (done < sizeof header) outbox_.append(header + done, sizeof header - done);
  outbox_.append(payload, done > sizeof header ? done - sizeof header : 0);
  const uint64_t one = 1;
  [[maybe_unused]] const ssize_t woken = ::write(wake_.get(), &one, sizeof one);
  return {};
}

void Worker::FlushOutbox() {
  MutexLock lock(&io_mu_);
  size_t done = 0;
  while (writable_ && done < outbox_.size()) {
    const ssize_t n =
        ::send(process_.socket(), outbox_.data() + done, outbox_.size() - done, MSG_NOSIGNAL | MSG_DONTWAIT);
    if (n < 0 && errno == EINTR) continue;
    if (n < 0) {
      if (errno != EAGAIN && errno != EWOULDBLOCK) writable_ = false;
      break;
    }
    done += static_cast<size_t>(n);
  }
  outbox_.erase(0, done);
}

void Worker::Kill(std::string_view why) {
  {
    MutexLock lock(&mu_);
    if (killed_ || phase_ == Phase::kGone) return;
    killed_ = true;
  }
  owner_->Log("debug", "worker " + std::to_string(pid_) + " is killed: " + std::string(why));
  MutexLock lock(&io_mu_);
  process_.Kill();
  // Wakes the reader at once: tearing down gigabytes takes long. Queued frames stay readable.
  if (process_.socket() >= 0) ::shutdown(process_.socket(), SHUT_RDWR);
}

bool Worker::Reusable() {
  MutexLock lock(&mu_);
  return phase_ == Phase::kReady && !killed_ && !recycle_ && running_ == 0;
}

int Worker::Score(std::span<const PluginFile> plugins) const {
  MutexLock lock(&mu_);
  int score = 0;
  for (const PluginFile& plugin : plugins) {
    const auto held = held_.find(plugin.id);
    if (held == held_.end()) continue;
    if (held->second != plugin.generation) return -1;
    ++score;
  }
  return score;
}

std::map<std::string, int64_t> Worker::held() const {
  MutexLock lock(&mu_);
  return held_;
}

bool Worker::preloading() const {
  MutexLock lock(&mu_);
  return preloading_ > 0;
}

void Worker::Join() {
  if (reader_.joinable()) reader_.join();
}

std::string DescribeExit(const WorkerExit& exit) {
  if (!exit.protocol_error.empty()) return "it broke the frame protocol: " + exit.protocol_error;
  if (exit.crash) {
    return "it crashed: " +
           CleanText(std::string_view(exit.crash->code, ::strnlen(exit.crash->code, sizeof exit.crash->code))) +
           (exit.crash->signal != 0 ? std::string(", ") + ::strsignal(exit.crash->signal) : std::string());
  }
  if (exit.killed_by_us) return "it was killed by the daemon";
  if (exit.signal != 0) {
    return "it was ended by signal " + std::to_string(exit.signal) + " (" + ::strsignal(exit.signal) + ")";
  }
  return "it exited with code " + std::to_string(exit.exit_code);
}

}  // namespace astrolabe::workers
