#include "client/cli/daemon_process.h"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>

extern "C" {  // glibc 2.36 forgets to say so in the header
#include <sys/pidfd.h>
}

extern char** environ;

namespace astrolabe::cli {
namespace {

constexpr off_t kMaxLogBytes = 8 << 20;

absl::Status SystemError(const std::string& what, int error) {
  return absl::InternalError(what + ": " + std::strerror(error));
}

// A connection to the socket; not ok() when nobody accepts.
Descriptor ConnectTo(const std::string& socket) {
  sockaddr_un address{};
  address.sun_family = AF_UNIX;
  if (socket.size() >= sizeof address.sun_path) return Descriptor();
  std::memcpy(address.sun_path, socket.c_str(), socket.size() + 1);
  Descriptor fd(::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0));
  if (!fd.ok() || connect(fd.get(), reinterpret_cast<sockaddr*>(&address), sizeof address) != 0) return Descriptor();
  return fd;
}

}  // namespace

Descriptor& Descriptor::operator=(Descriptor&& other) noexcept {
  std::swap(fd_, other.fd_);
  return *this;
}

Descriptor::~Descriptor() {
  if (fd_ >= 0) close(fd_);
}

absl::StatusOr<Process> SpawnDaemon(const SpawnOptions& options) {
  struct stat info;
  if (lstat(options.log.c_str(), &info) == 0 && info.st_size > kMaxLogBytes) {
    rename(options.log.c_str(), (options.log + ".1").c_str());
  }
  const Descriptor log(open(options.log.c_str(), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC | O_NOFOLLOW, 0600));
  if (!log.ok()) return SystemError("cannot open the log " + options.log, errno);

  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
  posix_spawn_file_actions_adddup2(&actions, log.get(), STDOUT_FILENO);
  posix_spawn_file_actions_adddup2(&actions, log.get(), STDERR_FILENO);
  posix_spawn_file_actions_addclosefrom_np(&actions, STDERR_FILENO + 1);
  // A daemon must not keep a folder of the user's in use.
  posix_spawn_file_actions_addchdir_np(&actions, "/");
  posix_spawnattr_t attributes;
  posix_spawnattr_init(&attributes);
  sigset_t none;
  sigset_t all;
  sigemptyset(&none);
  sigfillset(&all);
  posix_spawnattr_setsigmask(&attributes, &none);
  posix_spawnattr_setsigdefault(&attributes, &all);
  posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSID | POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF);

  std::vector<char*> argv = {const_cast<char*>(options.program.c_str())};
  for (const std::string& argument : options.arguments) argv.push_back(const_cast<char*>(argument.c_str()));
  argv.push_back(nullptr);
  pid_t pid = 0;
  const int error = posix_spawn(&pid, options.program.c_str(), &actions, &attributes, argv.data(), environ);
  posix_spawnattr_destroy(&attributes);
  posix_spawn_file_actions_destroy(&actions);
  if (error != 0) return SystemError("cannot start " + options.program, error);
  Process process{pid, Descriptor(pidfd_open(pid, 0))};
  if (!process.pidfd.ok()) return SystemError("pidfd_open", errno);
  return process;
}

bool WaitForEnd(const Process& process, std::chrono::milliseconds timeout) {
  pollfd fd{process.pidfd.get(), POLLIN, 0};
  const auto deadline = std::chrono::steady_clock::now() + timeout;
  while (true) {
    const auto left = std::chrono::ceil<std::chrono::milliseconds>(deadline - std::chrono::steady_clock::now()).count();
    const int ready = poll(&fd, 1, left > 0 ? static_cast<int>(left) : 0);
    if (ready > 0) return true;
    if (ready == 0 || errno != EINTR) return false;
  }
}

std::string DescribeEnd(const Process& process) {
  int status = 0;
  if (waitpid(process.pid, &status, WNOHANG) != process.pid) return "no exit code";
  if (WIFSIGNALED(status)) return "signal " + std::to_string(WTERMSIG(status));
  return "exit code " + std::to_string(WEXITSTATUS(status));
}

bool Listening(const std::string& socket) { return ConnectTo(socket).ok(); }

absl::StatusOr<Process> FindDaemon(const std::string& socket) {
  const Descriptor connection = ConnectTo(socket);
  if (!connection.ok()) return absl::NotFoundError("no server is running at unix:" + socket);
  ucred peer{};
  socklen_t size = sizeof peer;
  if (getsockopt(connection.get(), SOL_SOCKET, SO_PEERCRED, &peer, &size) != 0) {
    return SystemError("cannot ask who listens at " + socket, errno);
  }
  if (peer.uid != geteuid()) {
    return absl::PermissionDeniedError("the server at unix:" + socket + " belongs to user " + std::to_string(peer.uid) +
                                       ", not to you");
  }
  if (peer.pid <= 0) {
    return absl::FailedPreconditionError("the server at unix:" + socket + " runs in another process namespace");
  }
  Process process{peer.pid, Descriptor(pidfd_open(peer.pid, 0))};
  if (!process.pidfd.ok()) return absl::NotFoundError("the server at unix:" + socket + " has just ended");
  // Between asking and opening, the pid could have passed to another process: look at what it is now.
  std::error_code error;
  const auto program = std::filesystem::read_symlink("/proc/" + std::to_string(peer.pid) + "/exe", error);
  if (error || !program.filename().string().starts_with("astrolabed")) {
    return absl::FailedPreconditionError("process " + std::to_string(peer.pid) + ", which listens at unix:" + socket +
                                         ", is not astrolabed");
  }
  return process;
}

absl::Status StopProcess(const Process& process, std::chrono::milliseconds timeout) {
  if (pidfd_send_signal(process.pidfd.get(), SIGTERM, nullptr, 0) != 0 && errno != ESRCH) {
    return SystemError("cannot signal process " + std::to_string(process.pid), errno);
  }
  if (WaitForEnd(process, timeout)) return absl::OkStatus();
  return absl::DeadlineExceededError("process " + std::to_string(process.pid) + " has not ended yet; it is asked to");
}

std::string Tail(const std::string& path, size_t lines) {
  std::ifstream file(path, std::ios::binary);
  file.seekg(0, std::ios::end);
  const std::streamoff size = file.tellg();
  constexpr std::streamoff kMost = 8192;
  file.seekg(size > kMost ? size - kMost : 0);
  std::string text((std::istreambuf_iterator<char>(file)), std::istreambuf_iterator<char>());
  while (text.ends_with('\n')) text.pop_back();
  size_t start = text.size();
  for (size_t i = 0; i < lines && start != 0 && start != std::string::npos; ++i) start = text.rfind('\n', start - 1);
  return start == std::string::npos || start == 0 ? text : text.substr(start + 1);
}

std::string DaemonProgram() {
  std::error_code error;
  const auto self = std::filesystem::read_symlink("/proc/self/exe", error);
  return error ? "astrolabed" : (self.parent_path() / "astrolabed").string();
}

}  // namespace astrolabe::cli
