#include "daemon/workers/worker_process.h"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>

namespace astrolabe::workers {
namespace {

// Below this number the child's own descriptors live; sources stay above, so that dup2 never overwrites one.
constexpr int kLowestSource = 10;
constexpr int kSocketBytes = 4 << 20;

// By number: <sys/pidfd.h> of glibc 2.36 cannot be linked from C++.
int OpenPidfd(pid_t pid) { return static_cast<int>(::syscall(SYS_pidfd_open, pid, 0)); }

Error OsError(const char* what, int error) {
  return MakeError(ErrorCode::kUnavailable, "SPAWN_FAILED",
                   std::string("cannot start a worker process: ") + what + ": " + std::strerror(error));
}

bool Raise(Fd* fd) {
  const int raised = ::fcntl(fd->get(), F_DUPFD_CLOEXEC, kLowestSource);
  if (raised < 0) return false;
  fd->Reset(raised);
  return true;
}

struct Pair {
  Fd ours;
  Fd theirs;
};

bool MakeSocketPair(Pair* pair) {
  int fds[2];
  if (::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, fds) != 0) return false;
  pair->ours.Reset(fds[0]);
  pair->theirs.Reset(fds[1]);
  // The kernel cuts this to its own maximum.
  for (int fd : fds) ::setsockopt(fd, SOL_SOCKET, SO_SNDBUF, &kSocketBytes, sizeof kSocketBytes);
  return Raise(&pair->theirs);
}

bool MakePipe(Pair* pair) {
  int fds[2];
  if (::pipe2(fds, O_CLOEXEC) != 0) return false;
  pair->ours.Reset(fds[0]);
  pair->theirs.Reset(fds[1]);
  // Only our end: O_NONBLOCK on theirs would make the plugin's own prints fail.
  return ::fcntl(fds[0], F_SETFL, O_NONBLOCK) == 0 && Raise(&pair->theirs);
}

class SpawnSettings {
 public:
  SpawnSettings() {
    ::posix_spawnattr_init(&attributes_);
    ::posix_spawn_file_actions_init(&actions_);
  }
  ~SpawnSettings() {
    ::posix_spawn_file_actions_destroy(&actions_);
    ::posix_spawnattr_destroy(&attributes_);
  }
  SpawnSettings(const SpawnSettings&) = delete;
  SpawnSettings& operator=(const SpawnSettings&) = delete;

  int Configure(int socket, int out, int err) {
    sigset_t none;
    sigset_t all;
    ::sigemptyset(&none);
    ::sigfillset(&all);
    // A process group of its own: Ctrl-C at the daemon's terminal is the daemon's to handle, and what a
    // plugin forks can be ended with the worker.
    constexpr short kFlags = POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETPGROUP;
    int error = ::posix_spawnattr_setflags(&attributes_, kFlags);
    if (error == 0) error = ::posix_spawnattr_setsigmask(&attributes_, &none);
    if (error == 0) error = ::posix_spawnattr_setsigdefault(&attributes_, &all);
    if (error == 0) error = ::posix_spawnattr_setpgroup(&attributes_, 0);
    if (error == 0) error = ::posix_spawn_file_actions_addopen(&actions_, 0, "/dev/null", O_RDONLY, 0);
    if (error == 0) error = ::posix_spawn_file_actions_adddup2(&actions_, out, 1);
    if (error == 0) error = ::posix_spawn_file_actions_adddup2(&actions_, err, 2);
    if (error == 0) error = ::posix_spawn_file_actions_adddup2(&actions_, socket, 3);
    if (error == 0) error = ::posix_spawn_file_actions_addclosefrom_np(&actions_, 4);
    return error;
  }
  const posix_spawnattr_t* attributes() const { return &attributes_; }
  const posix_spawn_file_actions_t* actions() const { return &actions_; }

 private:
  posix_spawnattr_t attributes_;
  posix_spawn_file_actions_t actions_;
};

}  // namespace

Result<WorkerProcess> WorkerProcess::Start(int binary_fd, const std::vector<std::string>& environment) {
  Pair frames;
  Pair out;
  Pair err;
  if (!MakeSocketPair(&frames)) return OsError("socketpair", errno);
  if (!MakePipe(&out) || !MakePipe(&err)) return OsError("pipe", errno);
  SpawnSettings settings;
  if (int error = settings.Configure(frames.theirs.get(), out.theirs.get(), err.theirs.get()); error != 0) {
    return OsError("posix_spawn settings", error);
  }
  // Our pid in full: in the child /proc/self would be the child, whose descriptors are closed by then.
  const std::string path = "/proc/" + std::to_string(::getpid()) + "/fd/" + std::to_string(binary_fd);
  char name[] = "astrolabe-worker";
  char* argv[] = {name, nullptr};
  std::vector<char*> envp;
  for (const std::string& entry : environment) envp.push_back(const_cast<char*>(entry.c_str()));
  envp.push_back(nullptr);

  WorkerProcess process;
  pid_t pid = -1;
  if (int error = ::posix_spawn(&pid, path.c_str(), settings.actions(), settings.attributes(), argv, envp.data());
      error != 0) {
    return OsError("posix_spawn", error);
  }
  process.pid_ = pid;
  // Not reaped yet, so the pid is still its own.
  process.pidfd_.Reset(OpenPidfd(pid));
  if (!process.pidfd_.valid()) {
    const int error = errno;
    ::kill(pid, SIGKILL);
    ::waitpid(pid, nullptr, 0);
    process.pid_ = -1;
    return OsError("pidfd_open", error);
  }
  ::fcntl(process.pidfd_.get(), F_SETFD, FD_CLOEXEC);
  process.socket_ = std::move(frames.ours);
  process.out_ = std::move(out.ours);
  process.err_ = std::move(err.ours);
  return process;
}

WorkerProcess::~WorkerProcess() {
  if (!pidfd_.valid()) return;
  Kill();
  Reap();
}

void WorkerProcess::Kill() {
  if (pidfd_.valid()) ::syscall(SYS_pidfd_send_signal, pidfd_.get(), SIGKILL, nullptr, 0);
}

bool WorkerProcess::Exited() const {
  if (!pidfd_.valid()) return true;
  pollfd entry{pidfd_.get(), POLLIN, 0};
  return ::poll(&entry, 1, 0) > 0;
}

void WorkerProcess::WaitEnd() const {
  siginfo_t info{};
  while (::waitid(P_PIDFD, static_cast<id_t>(pidfd_.get()), &info, WEXITED | WNOWAIT) != 0 && errno == EINTR) {
  }
}

void WorkerProcess::CloseOutput(int fd) {
  if (out_.get() == fd) out_.Reset();
  if (err_.get() == fd) err_.Reset();
}

ExitStatus WorkerProcess::Reap() {
  ExitStatus status;
  if (!pidfd_.valid()) return status;
  siginfo_t info{};
  int result = 0;
  do {
    result = ::waitid(P_PIDFD, static_cast<id_t>(pidfd_.get()), &info, WEXITED | WNOWAIT);
  } while (result != 0 && errno == EINTR);
  if (result == 0) {
    status.known = true;
    if (info.si_code == CLD_EXITED) {
      status.exit_code = info.si_status;
    } else {
      status.signal = info.si_status;
    }
    // The zombie still holds its pid and group, so the number cannot be a stranger's.
    ::kill(-pid_, SIGKILL);
    while (::waitid(P_PIDFD, static_cast<id_t>(pidfd_.get()), &info, WEXITED) != 0 && errno == EINTR) {
    }
  }
  pid_ = -1;
  pidfd_.Reset();
  socket_.Reset();
  out_.Reset();
  err_.Reset();
  return status;
}

std::vector<std::string> WorkerEnvironment(const std::string& cache_dir) {
  std::vector<std::string> environment;
  for (const char* name :
       {"PATH", "HOME", "TMPDIR", "LD_LIBRARY_PATH", "ASAN_OPTIONS", "UBSAN_OPTIONS", "LSAN_OPTIONS", "TSAN_OPTIONS"}) {
    if (const char* value = std::getenv(name)) environment.push_back(std::string(name) + "=" + value);
  }
  environment.push_back("LC_ALL=C.UTF-8");
  environment.push_back("MALLOC_ARENA_MAX=2");
  if (!cache_dir.empty()) environment.push_back("ASTROLABE_CACHE_DIR=" + cache_dir);
  return environment;
}

}  // namespace astrolabe::workers
