#include "tests/support/process.h"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <stdexcept>
#include <thread>

#include "daemon/base/fd.h"

extern char** environ;

namespace astrolabe::testing {
namespace {

using Clock = std::chrono::steady_clock;

std::vector<std::string> MergedEnvironment(const std::map<std::string, std::string>& extra) {
  std::map<std::string, std::string> all;
  for (char** entry = environ; *entry != nullptr; ++entry) {
    const std::string text = *entry;
    const size_t equals = text.find('=');
    if (equals != std::string::npos) all[text.substr(0, equals)] = text.substr(equals + 1);
  }
  for (const auto& [name, value] : extra) all[name] = value;
  std::vector<std::string> result;
  for (const auto& [name, value] : all) result.push_back(name + "=" + value);
  return result;
}

std::vector<char*> Pointers(std::vector<std::string>& strings) {
  std::vector<char*> result;
  for (std::string& s : strings) result.push_back(s.data());
  result.push_back(nullptr);
  return result;
}

void Pipe(Fd& read_end, Fd& write_end) {
  int fds[2];
  if (::pipe2(fds, O_CLOEXEC) != 0) throw std::runtime_error(std::string("pipe2: ") + std::strerror(errno));
  read_end.Reset(fds[0]);
  write_end.Reset(fds[1]);
}

pid_t Spawn(std::vector<std::string> argv, std::vector<std::string> env, int in, int out, int err,
            const std::string& directory) {
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_adddup2(&actions, in, 0);
  posix_spawn_file_actions_adddup2(&actions, out, 1);
  posix_spawn_file_actions_adddup2(&actions, err, 2);
  posix_spawn_file_actions_addclosefrom_np(&actions, 3);
  if (!directory.empty()) posix_spawn_file_actions_addchdir_np(&actions, directory.c_str());
  pid_t pid = -1;
  auto argv_pointers = Pointers(argv);
  auto env_pointers = Pointers(env);
  const int error = posix_spawnp(&pid, argv[0].c_str(), &actions, nullptr, argv_pointers.data(), env_pointers.data());
  posix_spawn_file_actions_destroy(&actions);
  if (error != 0) throw std::runtime_error("cannot start " + argv[0] + ": " + std::strerror(error));
  return pid;
}

int ExitCode(int status) { return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status); }

}  // namespace

CommandResult RunCommand(const std::vector<std::string>& argv, const CommandOptions& options) {
  Fd in_read, in_write, out_read, out_write, err_read, err_write;
  Pipe(in_read, in_write);
  Pipe(out_read, out_write);
  Pipe(err_read, err_write);
  const pid_t pid =
      Spawn(argv, MergedEnvironment(options.env), in_read.get(), out_write.get(), err_write.get(), options.directory);
  in_read.Reset();
  out_write.Reset();
  err_write.Reset();

  std::thread feeder([fd = std::move(in_write), &options]() mutable {
    // A command may end without reading: the error of the write tells, and the signal must not end the tests.
    sigset_t pipe_signal;
    sigemptyset(&pipe_signal);
    sigaddset(&pipe_signal, SIGPIPE);
    pthread_sigmask(SIG_BLOCK, &pipe_signal, nullptr);
    size_t done = 0;
    while (done < options.stdin_text.size()) {
      const ssize_t n = ::write(fd.get(), options.stdin_text.data() + done, options.stdin_text.size() - done);
      if (n <= 0) break;
      done += static_cast<size_t>(n);
    }
  });
  CommandResult result;
  const auto deadline = Clock::now() + options.timeout;
  bool timed_out = false;
  while (out_read.valid() || err_read.valid()) {
    pollfd fds[2] = {{out_read.get(), POLLIN, 0}, {err_read.get(), POLLIN, 0}};
    const auto left = std::chrono::duration_cast<std::chrono::milliseconds>(deadline - Clock::now()).count();
    if (left <= 0 && !timed_out) {
      timed_out = true;
      ::kill(pid, SIGKILL);
    }
    if (::poll(fds, 2, timed_out ? 1000 : static_cast<int>(std::min<long long>(left, 1000))) == 0 && timed_out) break;
    auto drain = [](pollfd& p, Fd& fd, std::string& text) {
      if (!fd.valid() || (p.revents & (POLLIN | POLLHUP | POLLERR)) == 0) return;
      char buffer[65536];
      const ssize_t n = ::read(fd.get(), buffer, sizeof buffer);
      if (n > 0) {
        text.append(buffer, static_cast<size_t>(n));
      } else if (n == 0 || errno != EINTR) {
        fd.Reset();
      }
    };
    drain(fds[0], out_read, result.out);
    drain(fds[1], err_read, result.err);
  }
  int status = 0;
  while (::waitpid(pid, &status, 0) < 0 && errno == EINTR) {
  }
  feeder.join();
  result.exit_code = ExitCode(status);
  return result;
}

Process::Process(const std::vector<std::string>& argv, const std::map<std::string, std::string>& env,
                 const std::string& log_path) {
  Fd null(::open("/dev/null", O_RDONLY | O_CLOEXEC));
  Fd log(::open(log_path.c_str(), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600));
  pid_ = Spawn(argv, MergedEnvironment(env), null.get(), log.get(), log.get(), "");
}

Process::~Process() {
  if (!reaped_) {
    ::kill(pid_, SIGKILL);
    ::waitpid(pid_, &status_, 0);
  }
}

void Process::Signal(int signal) {
  if (!reaped_) ::kill(pid_, signal);
}

bool Process::running() { return Wait(std::chrono::milliseconds(0)) == -1; }

int Process::Wait(std::chrono::milliseconds timeout) {
  if (!reaped_) {
    Fd pidfd(static_cast<int>(::syscall(SYS_pidfd_open, pid_, 0)));
    pollfd p{pidfd.get(), POLLIN, 0};
    if (::poll(&p, 1, static_cast<int>(timeout.count())) <= 0) return -1;
    ::waitpid(pid_, &status_, 0);
    reaped_ = true;
  }
  return ExitCode(status_);
}

std::vector<pid_t> ChildrenOf(pid_t pid) {
  std::vector<pid_t> result;
  for (const auto& task : std::filesystem::directory_iterator("/proc/" + std::to_string(pid) + "/task")) {
    std::ifstream in(task.path() / "children");
    pid_t child;
    while (in >> child) result.push_back(child);
  }
  return result;
}

long CpuTicks(pid_t pid) {
  const std::string stat = ReadFile("/proc/" + std::to_string(pid) + "/stat");
  const size_t paren = stat.rfind(')');
  if (paren == std::string::npos) return 0;
  std::istringstream fields(stat.substr(paren + 2));
  std::string skip;
  long user = 0, system = 0;
  for (int i = 0; i < 11; ++i) fields >> skip;
  fields >> user >> system;
  return user + system;
}

int64_t ResidentKib(pid_t pid) {
  std::istringstream status(ReadFile("/proc/" + std::to_string(pid) + "/status"));
  for (std::string line; std::getline(status, line);) {
    if (line.rfind("VmRSS:", 0) == 0) return std::stoll(line.substr(6));
  }
  return -1;
}

bool Eventually(const std::function<bool()>& condition, std::chrono::milliseconds timeout) {
  const auto deadline = Clock::now() + timeout;
  while (!condition()) {
    if (Clock::now() > deadline) return false;
    std::this_thread::sleep_for(std::chrono::milliseconds(2));  // between two looks, not instead of one
  }
  return true;
}

TempFolder::TempFolder() {
  std::string pattern = (std::filesystem::temp_directory_path() / "astro-XXXXXX").string();
  if (::mkdtemp(pattern.data()) == nullptr) throw std::runtime_error("mkdtemp failed");
  path_ = pattern;
}

TempFolder::~TempFolder() {
  std::error_code ignored;
  std::filesystem::remove_all(path_, ignored);
}

std::string TempFolder::Write(const std::string& name, const std::string& text) const {
  const std::string path = path_ + "/" + name;
  std::ofstream(path, std::ios::binary) << text;
  return path;
}

std::string ReadFile(const std::string& path) {
  std::ifstream in(path, std::ios::binary);
  std::ostringstream text;
  text << in.rdbuf();
  return text.str();
}

}  // namespace astrolabe::testing
