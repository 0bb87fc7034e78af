// One child process with its descriptors: started, signalled and reaped without ever trusting a bare pid.
#ifndef ASTROLABE_DAEMON_WORKERS_WORKER_PROCESS_H_
#define ASTROLABE_DAEMON_WORKERS_WORKER_PROCESS_H_

#include <string>
#include <vector>

#include "daemon/base/fd.h"
#include "daemon/base/result.h"

namespace astrolabe::workers {

// How a process ended, from waitid.
struct ExitStatus {
  bool known = false;
  int signal = 0;
  int exit_code = 0;
};

// Not thread-safe, but Kill may run beside Exited. The destructor kills and reaps what still runs.
class WorkerProcess {
 public:
  // Starts the program behind `binary_fd` in its own process group: frame socket on descriptor 3, stdin
  // from /dev/null, nothing else open, default signals, exactly `environment`.
  static Result<WorkerProcess> Start(int binary_fd, const std::vector<std::string>& environment);

  WorkerProcess() = default;
  WorkerProcess(WorkerProcess&&) noexcept = default;
  WorkerProcess& operator=(WorkerProcess&&) = delete;
  ~WorkerProcess();

  int pid() const { return pid_; }
  int pidfd() const { return pidfd_.get(); }
  int socket() const { return socket_.get(); }
  int out() const { return out_.get(); }
  int err() const { return err_.get(); }

  // SIGKILL. Harmless when it has ended already; must not run beside or after Reap.
  void Kill();
  // True once it has ended. Does not wait.
  bool Exited() const;
  // Waits for the end and leaves everything as it is.
  void WaitEnd() const;
  // Closes whichever of out() and err() `fd` is.
  void CloseOutput(int fd);
  // Waits for the end, kills what it left in its process group, removes the zombie, closes everything.
  ExitStatus Reap();

 private:
  int pid_ = -1;
  Fd pidfd_;
  Fd socket_;
  Fd out_;
  Fd err_;
};

// The environment of a worker: only what it needs, from ours.
std::vector<std::string> WorkerEnvironment(const std::string& cache_dir);

}  // namespace astrolabe::workers

#endif  // ASTROLABE_DAEMON_WORKERS_WORKER_PROCESS_H_
