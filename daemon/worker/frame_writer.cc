#include "daemon/worker/frame_writer.h"

#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <string>

namespace astrolabe::worker {
namespace {

constexpr int kCrashWaitMs = 200;
constexpr size_t kKeptCapacity = 64 << 10;

// The socket is ours alone: a plugin has closed it, and a job would be without an end and without a word.
bool IsSocket(int fd) {
  int type = 0;
  socklen_t size = sizeof type;
  return ::getsockopt(fd, SOL_SOCKET, SO_TYPE, &type, &size) == 0;
}

void SleepOneMs() noexcept {
  const timespec pause{0, 1'000'000};
  ::nanosleep(&pause, nullptr);
}

}  // namespace

void FrameWriter::Write(FrameType type, std::span<const std::string_view> parts) {
  std::lock_guard<std::mutex> lock(mutex_);
  // Only a crash record can hold the mark while we hold the mutex, and it never gives it back.
  while (writing_.exchange(true, std::memory_order_acquire)) ::pause();
  const Status status = WriteFrame(fd_, type, parts, held_);
  held_.clear();
  if (held_.capacity() > kKeptCapacity) held_ = std::string();  // the content of a large job
  writing_.store(false, std::memory_order_release);
  if (status.ok()) return;
  if (!IsSocket(fd_)) ::_exit(kLostSocketExit);
  if (status.error().code != ErrorCode::kUnavailable) {
    std::fprintf(stderr, "astrolabe-worker: %s\n", status.error().message.c_str());
  }
}

void FrameWriter::Send(const internal::v1::ToDaemon& message) {
  const std::string bytes = message.SerializeAsString();
  const std::string_view part = bytes;
  Write(FrameType::kToDaemon, std::span<const std::string_view>(&part, 1));
}

void FrameWriter::Hold(const internal::v1::ToDaemon& message) {
  const std::string bytes = message.SerializeAsString();
  {
    std::lock_guard<std::mutex> lock(mutex_);
    if (AppendFrame(FrameType::kToDaemon, bytes, &held_)) return;
  }
  Send(message);  // says that it is too large
}

void FrameWriter::SendNodeBatch(std::span<const std::string_view> parts) { Write(FrameType::kNodeBatch, parts); }

bool FrameWriter::SendCrash(const CrashRecord& record) noexcept {
  int waited = 0;
  while (writing_.exchange(true, std::memory_order_acquire)) {
    if (++waited > kCrashWaitMs) {
      ::shutdown(fd_, SHUT_RDWR);
      return false;
    }
    SleepOneMs();
  }
  char buffer[kFrameHeaderSize + sizeof(CrashRecord)];
  const uint32_t length = sizeof(CrashRecord) + 1;
  for (int i = 0; i < 4; ++i) buffer[i] = static_cast<char>(length >> (8 * i));
  buffer[4] = static_cast<char>(FrameType::kCrash);
  std::memcpy(buffer + kFrameHeaderSize, &record, sizeof record);
  size_t done = 0;
  for (int tries = 0; done < sizeof buffer;) {
    const ssize_t n = ::send(fd_, buffer + done, sizeof buffer - done, MSG_NOSIGNAL | MSG_DONTWAIT);
    if (n > 0) {
      done += static_cast<size_t>(n);
    } else if (n < 0 && errno == EINTR) {
      continue;
    } else if (n < 0 && (errno == EAGAIN || errno == EWOULDBLOCK) && ++tries < kCrashWaitMs) {
      SleepOneMs();
    } else {
      ::shutdown(fd_, SHUT_RDWR);
      return false;
    }
  }
  return true;  // the mark stays taken: nothing may follow the record
}

}  // namespace astrolabe::worker
