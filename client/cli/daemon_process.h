// The daemon as a process: starting it and ending it. Nothing here speaks gRPC.
#ifndef ASTROLABE_CLIENT_CLI_DAEMON_PROCESS_H_
#define ASTROLABE_CLIENT_CLI_DAEMON_PROCESS_H_

#include <sys/types.h>

#include <chrono>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"

namespace astrolabe::cli {

// An open file descriptor, closed at the end.
class Descriptor {
 public:
  Descriptor() = default;
  explicit Descriptor(int fd) : fd_(fd) {}
  Descriptor(Descriptor&& other) noexcept : fd_(other.fd_) { other.fd_ = -1; }
  Descriptor& operator=(Descriptor&& other) noexcept;
  ~Descriptor();
  int get() const { return fd_; }
  bool ok() const { return fd_ >= 0; }

 private:
  int fd_ = -1;
};

// A process by pid and pidfd: the pidfd never means another process, whatever happens to the pid.
struct Process {
  pid_t pid = 0;
  Descriptor pidfd;
};

struct SpawnOptions {
  std::string program;
  std::vector<std::string> arguments;
  std::string log;  // standard output and error are appended here
};

// Starts the daemon in a session of its own, with standard input from /dev/null and no other descriptor of ours.
absl::StatusOr<Process> SpawnDaemon(const SpawnOptions& options);

// Waits until the process has ended. False: it has not, in that time.
bool WaitForEnd(const Process& process, std::chrono::milliseconds timeout);

// In words how a child of ours ended ("exit code 1", "signal 11"); for after WaitForEnd.
std::string DescribeEnd(const Process& process);

// Something accepts connections at the socket.
bool Listening(const std::string& socket);

// The process that listens at the socket, if it is the caller's own and an astrolabed. NOT_FOUND when nobody listens.
absl::StatusOr<Process> FindDaemon(const std::string& socket);

// SIGTERM, then waits for the end. DEADLINE_EXCEEDED when it takes longer.
absl::Status StopProcess(const Process& process, std::chrono::milliseconds timeout);

// The last lines of a file, for messages.
std::string Tail(const std::string& path, size_t lines);

// Path of astrolabed: beside the running program.
std::string DaemonProgram();

}  // namespace astrolabe::cli

#endif  // ASTROLABE_CLIENT_CLI_DAEMON_PROCESS_H_
