// The real worker binary on a real socketpair, for tests.
#ifndef ASTROLABE_TESTS_DAEMON_WORKER_WORKER_PROCESS_H_
#define ASTROLABE_TESTS_DAEMON_WORKER_WORKER_PROCESS_H_

#include <gtest/gtest.h>
#include <sys/types.h>

#include <chrono>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "astrolabe/internal/v1/frames.pb.h"
#include "astrolabe/v1/event.pb.h"
#include "daemon/base/crash_record.h"
#include "daemon/base/fd.h"
#include "daemon/base/frame_io.h"

namespace astrolabe::testing {

struct Batch {
  int64_t first_ordinal = 0;  // of the frame's own header
  int64_t count = 0;
  std::string bytes;  // an encoded NodeBatch
  v1::NodeBatch Parse() const;
};

// One frame, taken apart. None of the three: the worker hung up, or said nothing in time (timed_out).
struct Seen {
  std::optional<internal::v1::ToDaemon> message;
  std::optional<Batch> batch;
  std::optional<CrashRecord> crash;
  bool timed_out = false;
};

// Everything from a worker until the work ended.
struct Frames {
  std::vector<internal::v1::ToDaemon> messages;
  std::vector<Batch> batches;
  std::optional<CrashRecord> crash;
  bool hung_up = false;
  std::string end;  // of a worker that hung up: how it ended and what it had printed
  bool timed_out = false;

  // The last message; its result. A test failure and an empty one when there is none.
  const internal::v1::ToDaemon& last() const;
  const v1::Result& result() const;
  const internal::v1::JobContent* content() const;
  // "plugin/stage" of each Stage frame, plugin without the fixtures' common prefix.
  std::vector<std::string> stages() const;
  std::vector<v1::JobState> states() const;
  std::vector<v1::NodeEvent> events() const;
  std::string log() const;
};

using Environment = std::map<std::string, std::string>;

class WorkerProcess {
 public:
  // Spawns it and reads its Hello.
  explicit WorkerProcess(const Environment& environment = {});
  ~WorkerProcess();
  WorkerProcess(const WorkerProcess&) = delete;
  WorkerProcess& operator=(const WorkerProcess&) = delete;

  const internal::v1::Hello& hello() const { return hello_; }
  pid_t pid() const { return pid_; }

  void Send(const internal::v1::ToWorker& message);
  void SendJob(const internal::v1::RunJob& job);
  void SendStop(const std::string& job, internal::v1::StopReason reason);
  void SendCredit(int64_t bytes);
  // Bytes that need be no frame.
  void SendRaw(std::string_view bytes);
  void HangUp() { socket_.Reset(); }

  Seen Next(std::chrono::milliseconds timeout = std::chrono::seconds(30));
  // Collects until a Result, ValidateDone, EvaluateDone, CheckPathDone, ProbeDone or PreloadDone, a crash record or the
  // end.
  Frames Collect(std::chrono::milliseconds timeout = std::chrono::seconds(30));
  Frames Run(const internal::v1::RunJob& job);
  // Reads until a message satisfies `wanted`; false when none comes.
  bool WaitFor(bool (*wanted)(const internal::v1::ToDaemon&));

  // The wait status, or nullopt when it lives on.
  std::optional<int> WaitExit(std::chrono::milliseconds timeout = std::chrono::seconds(10));
  // What it printed to stdout and stderr.
  std::string Output() const;

 private:
  Fd socket_;
  Fd output_;
  pid_t pid_ = -1;
  std::optional<int> status_;
  internal::v1::Hello hello_;
};

// ThreadSanitizer holds a signal back until the thread calls something, and keeps a stack of its own: what
// rests on signals that come at any instruction cannot be tested under it.
#if defined(__SANITIZE_THREAD__)
#define ASTROLABE_NEEDS_PROMPT_SIGNALS() GTEST_SKIP() << "ThreadSanitizer delays signals"
#else
#define ASTROLABE_NEEDS_PROMPT_SIGNALS() (void)0
#endif

// --- requests -----------------------------------------------------------------------------------------

std::string FixtureId(const std::string& name);
internal::v1::PluginFile FixtureFile(const std::string& name);

// Counts from 0 to `goal` with the fixture's own problem and heuristic.
internal::v1::RunJob FixtureJob(const std::string& fixture, const std::string& text = "0 10",
                                const std::string& algorithm = "astar");
void SetParam(internal::v1::RunJob& job, const std::string& name, int64_t value);

internal::v1::ToWorker FixtureProbe(const std::string& name, const std::string& manifest = "");

}  // namespace astrolabe::testing

#endif  // ASTROLABE_TESTS_DAEMON_WORKER_WORKER_PROCESS_H_
