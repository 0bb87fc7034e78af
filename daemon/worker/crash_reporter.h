// How a dying worker says why: signals, exit() and exceptions of a plugin become a crash record on the
// frame socket before the process goes. One per process.
#ifndef ASTROLABE_DAEMON_WORKER_CRASH_REPORTER_H_
#define ASTROLABE_DAEMON_WORKER_CRASH_REPORTER_H_

#include <span>
#include <string_view>

#include "daemon/worker/code_map.h"
#include "daemon/worker/frame_writer.h"
#include "daemon/worker/stage.h"

namespace astrolabe::worker {

// Installs handlers for CrashSignals(), a hook for exit() and one for std::terminate. The three live as
// long as the process. The handlers write the record first and then let the signal take its default
// action: tearing down gigabytes takes long, the daemon should not wait for it.
void InstallCrashReporter(FrameWriter* frames, const StageTracker* stage, const CodeMap* code);

// SIGSEGV, SIGBUS, SIGILL, SIGFPE, SIGABRT, SIGSYS.
std::span<const int> CrashSignals();

// Makes SIGALRM end the process with a record of code PROBE_TIMEOUT.
void ReportAlarmAsTimeout();

// A plugin cannot go on. Writes a record and ends the process. `plugin` empty: found from the stage.
// `code` THREW with a message that names std::bad_alloc runs the out-of-memory hook instead, if set.
[[noreturn]] void FailProcess(std::string_view code, std::string_view plugin, std::string_view function,
                              std::string_view message);

// For the running job: called when an allocation failed inside a plugin. Must not return. Null: none.
void SetOutOfMemoryHook(void (*hook)(void* arg), void* arg);

// Gives the calling thread an alternate signal stack (so that a stack overflow can be told) and notes
// the bounds of its stack (so that a handler may look at it). One on each thread that runs plugin code.
class ThreadCrashScope {
 public:
  ThreadCrashScope();
  ~ThreadCrashScope();
  ThreadCrashScope(const ThreadCrashScope&) = delete;
  ThreadCrashScope& operator=(const ThreadCrashScope&) = delete;

 private:
  void* memory_ = nullptr;
};

// The plugin that the calling thread was executing when a signal with this context came: by its program counter, else
// by unwinding, else by the words on its stack. Null: none. For signal handlers.
const char* PluginOfContext(const void* ucontext) noexcept;
// The same without the last: never one that is only remembered.
const char* PluginOfFrames(const void* ucontext) noexcept;

}  // namespace astrolabe::worker

#endif  // ASTROLABE_DAEMON_WORKER_CRASH_REPORTER_H_
