// Where the worker is: plugin, stage and, on each thread, the ABI function. A change of stage is told
// to the daemon, so that even a SIGKILL can be blamed; a crash handler reads all three.
#ifndef ASTROLABE_DAEMON_WORKER_STAGE_H_
#define ASTROLABE_DAEMON_WORKER_STAGE_H_

#include <atomic>
#include <deque>
#include <string>
#include <string_view>

#include "daemon/worker/frame_writer.h"

namespace astrolabe::worker {

// NUL-terminated, immortal.
struct StageRecord {
  std::string plugin;
  std::string stage;
};

class StageTracker {
 public:
  explicit StageTracker(FrameWriter* frames) : frames_(frames) {}

  // Called by the thread that runs the job. Sends a Stage frame when anything changed.
  void Enter(std::string_view plugin, std::string_view stage);
  // Between jobs.
  void Leave() { Enter("", ""); }
  // The same when another frame follows at once, with which the Stage frame is sent.
  void EnterWithNextFrame(std::string_view plugin, std::string_view stage);

  // Async-signal-safe; any thread.
  const StageRecord* current() const noexcept { return current_.load(std::memory_order_acquire); }

 private:
  // The Stage frame; false: nothing changed.
  bool Change(std::string_view plugin, std::string_view stage, internal::v1::ToDaemon& frame);

  FrameWriter* const frames_;
  std::deque<StageRecord> known_;  // plugins times stages: few, and never removed
  std::atomic<const StageRecord*> current_{nullptr};
};

// The ABI function that this thread is in; a literal, or null.
const char* CurrentFunction() noexcept;

// The ABI function that an exception on its way to std::terminate came from, or null. Some compilers end at the throw,
// some when it has left the function.
const char* ThrowingFunction() noexcept;

// Marks the calling thread as inside `function` while it lives.
class FunctionScope {
 public:
  explicit FunctionScope(const char* function) noexcept;
  ~FunctionScope();
  FunctionScope(const FunctionScope&) = delete;
  FunctionScope& operator=(const FunctionScope&) = delete;

 private:
  const char* const outer_;
};

}  // namespace astrolabe::worker

#endif  // ASTROLABE_DAEMON_WORKER_STAGE_H_
