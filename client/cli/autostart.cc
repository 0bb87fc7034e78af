#include "client/cli/autostart.h"

#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstring>

#include "astrolabe/client/errors.h"
#include "astrolabe/client/version.h"
#include "client/cli/daemon_process.h"
#include "client/cli/default_address.h"

namespace astrolabe::cli {
namespace {

using std::chrono::milliseconds;

constexpr milliseconds kProbeEvery{5};
constexpr size_t kTailLines = 10;

absl::Status CannotConnect(const std::string& message) {
  return client::MakeStatus(absl::StatusCode::kUnavailable, client::kReasonCannotConnect, message);
}

absl::StatusOr<client::Client> Connect(const std::string& socket, milliseconds timeout) {
  client::ClientOptions options;
  options.address = "unix:" + socket;
  options.timeout = timeout;
  return client::Client::Connect(options);
}

// Held by whoever is starting the daemon. Released by closing, also when the holder dies.
absl::StatusOr<Descriptor> TakeStartLock(const std::string& socket) {
  const std::string path = socket + ".start";
  Descriptor lock(open(path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0600));
  if (!lock.ok()) return CannotConnect("cannot open " + path + ": " + std::strerror(errno));
  while (flock(lock.get(), LOCK_EX) != 0) {
    if (errno != EINTR) return CannotConnect("cannot lock " + path + ": " + std::strerror(errno));
  }
  return lock;
}

std::string LogTail(const std::string& log) {
  const std::string tail = Tail(log, kTailLines);
  return tail.empty() ? "; its log " + log + " is empty" : "; the end of its log " + log + ":\n" + tail;
}

// Waits, probing the socket, until the started daemon serves; notices at once when it ends instead.
absl::Status AwaitServing(const AutostartOptions& options, const Process& process) {
  const std::string log = DaemonLog(options.socket);
  const auto deadline = std::chrono::steady_clock::now() + options.start_timeout;
  while (std::chrono::steady_clock::now() < deadline) {
    if (WaitForEnd(process, kProbeEvery)) {
      const std::string end = DescribeEnd(process);
      // Another program may have started one at the same address in the meantime.
      if (Listening(options.socket)) return absl::OkStatus();
      return CannotConnect("the daemon ended as soon as it was started (" + end + ")" + LogTail(log));
    }
    if (!Listening(options.socket)) continue;
    auto client = Connect(options.socket, options.start_timeout);
    if (!client.ok()) continue;
    const auto healthy = client->Healthy();
    // A server without the health service is taken as it is.
    if (!healthy.ok() || *healthy) return absl::OkStatus();
  }
  return CannotConnect("the daemon was started (process " + std::to_string(process.pid) +
                       ") but does not answer at unix:" + options.socket + LogTail(log));
}

absl::Status Start(const AutostartOptions& options) {
  SpawnOptions spawn;
  spawn.program = options.program.empty() ? DaemonProgram() : options.program;
  spawn.arguments = {"--address", "unix:" + options.socket, "--idle-timeout", options.idle_timeout};
  spawn.arguments.insert(spawn.arguments.end(), options.arguments.begin(), options.arguments.end());
  spawn.log = DaemonLog(options.socket);
  if (access(spawn.program.c_str(), X_OK) != 0) {
    return CannotConnect("no server is running at unix:" + options.socket + " and " + spawn.program +
                         " cannot be started: " + std::strerror(errno));
  }
  const absl::StatusOr<Process> process = SpawnDaemon(spawn);
  if (!process.ok()) return CannotConnect(std::string(process.status().message()));
  return AwaitServing(options, *process);
}

// What there is to be done about a daemon that answers.
enum class Verdict { kUse, kReplace, kLeaving };

// A daemon that was told to stop is gone this soon after its last job.
constexpr milliseconds kGoneAfterLastJob{3000};
constexpr milliseconds kAskEvery{100};

Verdict Judge(const AutostartOptions& options, const client::ServerInfo& info) {
  if (info.draining) return Verdict::kLeaving;
  if (!OlderVersion(info.version, client::Version())) return Verdict::kUse;
  if (info.load.running == 0 && info.load.queued == 0) return Verdict::kReplace;
  if (!options.quiet) {
    std::fprintf(stderr, "astrolabe: the running server has version %s, this command %s; it is busy and is kept\n",
                 info.version.c_str(), client::Version());
  }
  return Verdict::kUse;
}

// A draining daemon takes no jobs. One that is stopping makes room for the next; one that an operator drained stays,
// and that is an error: what was taken out of service on purpose is not put back by the next command.
absl::Status AwaitLeaving(const AutostartOptions& options, const Process& process) {
  using Clock = std::chrono::steady_clock;
  const auto deadline = Clock::now() + options.stop_timeout;
  auto busy_until = Clock::now();
  while (Clock::now() < deadline && Clock::now() < busy_until + kGoneAfterLastJob) {
    if (WaitForEnd(process, kAskEvery)) return absl::OkStatus();
    const auto client = Connect(options.socket, kGoneAfterLastJob);
    if (!client.ok()) continue;
    const client::ServerInfo& info = client->server_info();
    if (info.load.running + info.load.queued > 0) busy_until = Clock::now();
  }
  if (WaitForEnd(process, milliseconds(0))) return absl::OkStatus();
  return client::MakeStatus(absl::StatusCode::kUnavailable, "DRAINING",
                            "the server at unix:" + options.socket + " (process " + std::to_string(process.pid) +
                                ") is draining: it takes no new jobs. `astrolabe server stop` ends it; the next "
                                "command then starts a fresh one");
}

}  // namespace

bool OlderVersion(const std::string& version, const std::string& than) {
  int a[3] = {};
  int b[3] = {};
  if (std::sscanf(version.c_str(), "%d.%d.%d", &a[0], &a[1], &a[2]) < 2) return false;
  if (std::sscanf(than.c_str(), "%d.%d.%d", &b[0], &b[1], &b[2]) < 2) return false;
  return std::lexicographical_compare(a, a + 3, b, b + 3);
}

absl::StatusOr<client::Client> ConnectOrStart(const AutostartOptions& options) {
  const milliseconds timeout = client::ClientOptions().timeout;
  if (Listening(options.socket)) {
    auto client = Connect(options.socket, timeout);
    if (client.ok() && Judge(options, client->server_info()) == Verdict::kUse) return client;
  }
  if (const absl::Status folder = PrepareFolder(options.socket); !folder.ok()) {
    return CannotConnect(std::string(folder.message()));
  }
  const absl::StatusOr<Descriptor> lock = TakeStartLock(options.socket);
  if (!lock.ok()) return lock.status();
  // Whoever held the lock before may have done the work.
  if (Listening(options.socket)) {
    auto client = Connect(options.socket, timeout);
    Verdict verdict = Verdict::kLeaving;
    if (client.ok()) verdict = Judge(options, client->server_info());
    if (verdict == Verdict::kUse) return client;
    const absl::StatusOr<Process> old = FindDaemon(options.socket);
    if (old.ok() && verdict == Verdict::kReplace) StopProcess(*old, options.stop_timeout).IgnoreError();
    if (old.ok() && verdict == Verdict::kLeaving) {
      if (const absl::Status left = AwaitLeaving(options, *old); !left.ok()) return left;
    }
  }
  if (const absl::Status started = Start(options); !started.ok()) return started;
  return Connect(options.socket, timeout);
}

absl::Status StopDaemon(const std::string& socket, milliseconds timeout) {
  const absl::StatusOr<Process> process = FindDaemon(socket);
  if (!process.ok()) return process.status();
  return StopProcess(*process, timeout);
}

}  // namespace astrolabe::cli
