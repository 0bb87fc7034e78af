// Frames on a stream socket: u32 little-endian length of what follows; u8 type; payload.
// Bytes only: what is inside belongs to proto/astrolabe/internal/v1/frames.proto and crash_record.h.
#ifndef ASTROLABE_DAEMON_BASE_FRAME_IO_H_
#define ASTROLABE_DAEMON_BASE_FRAME_IO_H_

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "daemon/base/result.h"

namespace astrolabe {

enum class FrameType : uint8_t {
  kToWorker = 1,
  kToDaemon = 2,
  kNodeBatch = 3,
  kCrash = 4,
};

inline constexpr size_t kFrameHeaderSize = 5;
// Largest payload either side accepts.
inline constexpr size_t kMaxFramePayload = 64u << 20;

struct Frame {
  FrameType type = FrameType::kToWorker;
  std::string payload;
};

// Writes one frame; the parts are the payload, in order. Blocks until all is written. Not atomic
// against other writers of the same descriptor: the caller serialises. kUnavailable when the peer is gone.
Status WriteFrame(int fd, FrameType type, std::span<const std::string_view> parts);
Status WriteFrame(int fd, FrameType type, std::string_view payload);

// Appends a frame to bytes that go out with the next one (WriteFrame, `before`). False: it is too large, nothing is
// appended.
[[nodiscard]] bool AppendFrame(FrameType type, std::string_view payload, std::string* bytes);
// `before`: whole frames that go first, in the same write.
Status WriteFrame(int fd, FrameType type, std::span<const std::string_view> parts, std::string_view before);

// Reads one frame. Blocks. kUnavailable at end of file between frames; kInvalidArgument for a bad
// type or length or an end of file inside a frame.
Result<Frame> ReadFrame(int fd);

}  // namespace astrolabe

#endif  // ASTROLABE_DAEMON_BASE_FRAME_IO_H_
