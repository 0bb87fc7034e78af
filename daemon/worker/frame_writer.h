// FrameWriter: the worker's only way to the daemon. Thread-safe; frames never interleave.
//
// A signal handler may have to write a crash record while another thread is in the middle of a frame,
// so besides the mutex there is an atomic "being written" mark that a handler can take without locking.
#ifndef ASTROLABE_DAEMON_WORKER_FRAME_WRITER_H_
#define ASTROLABE_DAEMON_WORKER_FRAME_WRITER_H_

#include <atomic>
#include <mutex>
#include <span>
#include <string>
#include <string_view>

#include "astrolabe/internal/v1/frames.pb.h"
#include "daemon/base/crash_record.h"
#include "daemon/base/frame_io.h"

namespace astrolabe::worker {

class FrameWriter {
 public:
  // Does not own `fd`.
  explicit FrameWriter(int fd) : fd_(fd) {}

  // Blocks until written. A dead peer is no error here: the control thread sees it and ends the process.
  // A message above the frame limit is dropped with a line on stderr.
  void Send(const internal::v1::ToDaemon& message);
  // Sent before the next frame, in the same write, which wakes the daemon once instead of twice: for where that follows
  // at once, and no code of a plugin runs before.
  void Hold(const internal::v1::ToDaemon& message);
  // `parts` is the payload of a kNodeBatch frame, in order.
  void SendNodeBatch(std::span<const std::string_view> parts);

  // Async-signal-safe. Writes the record between frames and blocks all further ones for good. When a
  // frame stays half written for 200 ms (its writer is this very thread, or the daemon does not read),
  // shuts the socket down instead: the daemon then sees an end of file. True when it was written.
  bool SendCrash(const CrashRecord& record) noexcept;

 private:
  void Write(FrameType type, std::span<const std::string_view> parts);

  const int fd_;
  std::mutex mutex_;
  std::string held_;  // whole frames; guarded by mutex_
  std::atomic<bool> writing_{false};
};

}  // namespace astrolabe::worker

#endif  // ASTROLABE_DAEMON_WORKER_FRAME_WRITER_H_
