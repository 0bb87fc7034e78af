// Cuts a byte stream into frames (daemon/base/frame_io.h), whatever pieces it comes in.
#ifndef ASTROLABE_DAEMON_WORKERS_FRAME_PARSER_H_
#define ASTROLABE_DAEMON_WORKERS_FRAME_PARSER_H_

#include <optional>
#include <string>
#include <string_view>

#include "daemon/base/frame_io.h"

namespace astrolabe::workers {

class FrameParser {
 public:
  void Append(std::string_view bytes);
  // The next whole frame; nothing while more bytes are needed or after an error.
  std::optional<Frame> Next();
  // What is wrong with the stream; empty: nothing. Sticks: a stream cannot be resynchronised.
  const std::string& error() const { return error_; }

 private:
  std::string buffer_;
  size_t used_ = 0;
  std::string error_;
};

}  // namespace astrolabe::workers

#endif  // ASTROLABE_DAEMON_WORKERS_FRAME_PARSER_H_
