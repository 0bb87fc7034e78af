// The daemon's log: text or one JSON object a line, to standard error or a file.
#ifndef ASTROLABE_DAEMON_SERVER_LOGGING_H_
#define ASTROLABE_DAEMON_SERVER_LOGGING_H_

#include <memory>
#include <string>
#include <string_view>

#include "daemon/base/result.h"

namespace astrolabe::server {

class LogSink;

// Thread-safe.
class Log {
 public:
  struct Settings {
    std::string level = "info";   // debug, info, warning, error
    std::string format = "text";  // text, json
    std::string file;             // empty: standard error
  };

  // kFailedPrecondition when the file cannot be opened for appending.
  static Result<std::unique_ptr<Log>> Create(const Settings& settings);
  ~Log();

  // One line; line breaks inside are escaped. Unknown levels count as info.
  void Write(std::string_view level, std::string_view text);
  void SetLevel(std::string_view level);
  // Opens the file anew, as log rotation wants. A failure keeps the old one.
  Status Reopen();
  // Sends gRPC's own messages here: its errors as errors, the rest as debug. Until the process ends or
  // another Log does the same.
  void CaptureGrpc();

 private:
  struct Impl;
  explicit Log(std::unique_ptr<Impl> impl);
  std::unique_ptr<Impl> impl_;
};

}  // namespace astrolabe::server

#endif  // ASTROLABE_DAEMON_SERVER_LOGGING_H_
