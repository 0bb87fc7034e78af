#include "daemon/base/frame_io.h"

#include <sys/socket.h>
#include <sys/uio.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <vector>

namespace astrolabe {
namespace {

Error Gone() { return MakeError(ErrorCode::kUnavailable, "PEER_GONE", "the other end of the frame socket is gone"); }
Error Malformed(std::string message) { return MakeError(ErrorCode::kInvalidArgument, "BAD_FRAME", std::move(message)); }

bool KnownType(uint8_t type) { return type >= 1 && type <= 4; }

using FrameHead = std::array<unsigned char, kFrameHeaderSize>;

FrameHead FrameHeadOf(FrameType type, size_t payload) {
  FrameHead header;
  const auto length = static_cast<uint32_t>(payload + 1);
  for (size_t i = 0; i < 4; ++i) header[i] = static_cast<unsigned char>(length >> (8 * i));
  header[4] = static_cast<unsigned char>(type);
  return header;
}

// Returns bytes read; less than size only at end of file or on an error.
size_t ReadFully(int fd, char* out, size_t size) {
  size_t done = 0;
  while (done < size) {
    const ssize_t n = ::read(fd, out + done, size - done);
    if (n < 0 && errno == EINTR) continue;
    if (n <= 0) break;
    done += static_cast<size_t>(n);
  }
  return done;
}

}  // namespace

bool AppendFrame(FrameType type, std::string_view payload, std::string* bytes) {
  if (payload.size() > kMaxFramePayload) return false;
  const FrameHead header = FrameHeadOf(type, payload.size());
  bytes->append(reinterpret_cast<const char*>(header.data()), header.size());
  bytes->append(payload);
  return true;
}

Status WriteFrame(int fd, FrameType type, std::span<const std::string_view> parts, std::string_view before) {
  size_t size = 0;
  for (std::string_view part : parts) size += part.size();
  if (size > kMaxFramePayload) return Malformed("a frame of " + std::to_string(size) + " bytes exceeds the limit");
  FrameHead header = FrameHeadOf(type, size);

  std::vector<iovec> pending;
  pending.reserve(parts.size() + 2);
  if (!before.empty()) pending.push_back({const_cast<char*>(before.data()), before.size()});
  pending.push_back({header.data(), header.size()});
  for (std::string_view part : parts) {
    if (!part.empty()) pending.push_back({const_cast<char*>(part.data()), part.size()});
  }
  size_t first = 0;
  while (first < pending.size()) {
    msghdr message{};
    message.msg_iov = &pending[first];
    message.msg_iovlen = std::min<size_t>(pending.size() - first, 64);
    ssize_t n = ::sendmsg(fd, &message, MSG_NOSIGNAL);
    if (n < 0) {
      if (errno == EINTR) continue;
      return Gone();
    }
    while (n > 0) {
      iovec& head = pending[first];
      const size_t taken = std::min<size_t>(static_cast<size_t>(n), head.iov_len);
      head.iov_base = static_cast<char*>(head.iov_base) + taken;
      head.iov_len -= taken;
      n -= static_cast<ssize_t>(taken);
      if (head.iov_len == 0) ++first;
    }
  }
  return {};
}

Status WriteFrame(int fd, FrameType type, std::span<const std::string_view> parts) {
  return WriteFrame(fd, type, parts, std::string_view());
}

Status WriteFrame(int fd, FrameType type, std::string_view payload) {
  return WriteFrame(fd, type, std::span<const std::string_view>(&payload, 1));
}

Result<Frame> ReadFrame(int fd) {
  unsigned char header[kFrameHeaderSize];
  const size_t got = ReadFully(fd, reinterpret_cast<char*>(header), sizeof header);
  if (got == 0) return Gone();
  if (got < sizeof header) return Malformed("end of file inside a frame header");
  uint32_t length = 0;
  for (int i = 0; i < 4; ++i) length |= static_cast<uint32_t>(header[i]) << (8 * i);
  if (length < 1 || length - 1 > kMaxFramePayload) {
    return Malformed("frame length " + std::to_string(length) + " is out of range");
  }
  if (!KnownType(header[4])) return Malformed("frame type " + std::to_string(header[4]) + " is unknown");
  Frame frame;
  frame.type = static_cast<FrameType>(header[4]);
  // Grow as bytes arrive, so that a lying length cannot make us allocate 64 MiB for nothing.
  size_t remaining = length - 1;
  while (remaining > 0) {
    const size_t step = std::min<size_t>(remaining, 1u << 20);
    const size_t old = frame.payload.size();
    frame.payload.resize(old + step);
    if (ReadFully(fd, frame.payload.data() + old, step) < step) return Malformed("end of file inside a frame");
    remaining -= step;
  }
  return frame;
}

}  // namespace astrolabe
