// What the frames of a worker mean. On the reader thread; nothing that comes in is trusted.
#include <cstring>

#include "daemon/base/utf8.h"
#include "daemon/workers/abi_version.h"
#include "daemon/workers/worker.h"

namespace astrolabe::workers {
namespace {

using internal::v1::ToDaemon;

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

bool EndsWork(const ToDaemon& message) {
  return message.has_result() || message.has_validated() || message.has_evaluated() || message.has_path_checked();
}

}  // namespace

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
    OnIdleMessage(message);
    return true;
  }
  if (EndsWork(message)) FlushPrinted();
  if (WorkerEvents* events = BeginDelivery()) {
    events->OnMessage(std::move(message));
    EndDelivery();
  } else {
    OnIdleMessage(message);
  }
  return true;
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
    case ToDaemon::kEvaluated:
    case ToDaemon::kPathChecked:
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

// A message outside any lease; late words of a job that was given up mean nothing any more.
void Worker::OnIdleMessage(const ToDaemon& message) {
  if (message.has_loaded()) {
    for (const std::string& warning : message.loaded().warnings()) {
      owner_->Log("debug", "plugin " + message.loaded().id() + ": " + warning);
    }
  }
  if (message.has_log()) {
    owner_->Log("info", "worker " + std::to_string(pid_) + " " + CleanText(message.log().source()) + ": " +
                            CleanText(message.log().text()));
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

}  // namespace astrolabe::workers
