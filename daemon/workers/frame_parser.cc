#include "daemon/workers/frame_parser.h"

#include <cstdint>

namespace astrolabe::workers {
namespace {
constexpr size_t kKeptCapacity = 1 << 20;
}

void FrameParser::Append(std::string_view bytes) {
  if (!error_.empty()) return;
  if (used_ == buffer_.size()) {
    buffer_.clear();
    used_ = 0;
    // One huge frame must not hold its memory for ever.
    if (buffer_.capacity() > kKeptCapacity) buffer_ = std::string();
  } else if (used_ > buffer_.size() / 2) {
    buffer_.erase(0, used_);
    used_ = 0;
  }
  buffer_.append(bytes);
}

std::optional<Frame> FrameParser::Next() {
  if (!error_.empty()) return std::nullopt;
  const std::string_view rest = std::string_view(buffer_).substr(used_);
  if (rest.size() < kFrameHeaderSize) return std::nullopt;
  uint32_t length = 0;
  for (int i = 0; i < 4; ++i) length |= static_cast<uint32_t>(static_cast<unsigned char>(rest[i])) << (8 * i);
  const auto type = static_cast<unsigned char>(rest[4]);
  if (length < 1 || length - 1 > kMaxFramePayload) {
    error_ = "frame length " + std::to_string(length) + " is out of range";
    return std::nullopt;
  }
  if (type != static_cast<uint8_t>(FrameType::kToDaemon) && type != static_cast<uint8_t>(FrameType::kNodeBatch) &&
      type != static_cast<uint8_t>(FrameType::kCrash)) {
    error_ = "frame type " + std::to_string(type) + " is not one that a worker sends";
    return std::nullopt;
  }
  const size_t payload = length - 1;
  if (rest.size() - kFrameHeaderSize < payload) return std::nullopt;
  Frame frame;
  frame.type = static_cast<FrameType>(type);
  frame.payload.assign(rest.substr(kFrameHeaderSize, payload));
  used_ += kFrameHeaderSize + payload;
  return frame;
}

}  // namespace astrolabe::workers
