// Real processes for tests: run a command to its end, or keep one running; ended by id, never by name.
#ifndef ASTROLABE_TESTS_SUPPORT_PROCESS_H_
#define ASTROLABE_TESTS_SUPPORT_PROCESS_H_

#include <sys/types.h>

#include <chrono>
#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <vector>

namespace astrolabe::testing {

struct CommandResult {
  int exit_code = -1;  // 128 + signal when it was killed
  std::string out;
  std::string err;
};

struct CommandOptions {
  std::map<std::string, std::string> env;  // added to ours
  std::string stdin_text;
  std::string directory;              // empty: ours
  std::chrono::seconds timeout{300};  // then it is killed, and the result says 137
};

// Runs argv[0] (searched in PATH) and collects its output.
CommandResult RunCommand(const std::vector<std::string>& argv, const CommandOptions& options = {});

// A process that runs beside the test. Killed by the destructor when it still runs.
class Process {
 public:
  // Output goes to log_path (appended).
  Process(const std::vector<std::string>& argv, const std::map<std::string, std::string>& env,
          const std::string& log_path);
  ~Process();
  Process(const Process&) = delete;
  Process& operator=(const Process&) = delete;

  pid_t pid() const { return pid_; }
  void Signal(int signal);
  // Waits for the end; exit code, 128 + signal, or -1 when it still runs after `timeout`.
  int Wait(std::chrono::milliseconds timeout);
  bool running();

 private:
  pid_t pid_ = -1;
  bool reaped_ = false;
  int status_ = 0;
};

// Children of a process, from /proc.
std::vector<pid_t> ChildrenOf(pid_t pid);

// Processor time used by a process, in hundredths of a second.
long CpuTicks(pid_t pid);
// Memory of a process that is in RAM; -1: there is no such process.
int64_t ResidentKib(pid_t pid);

// Asks `condition` every few milliseconds until it holds; false after `timeout`.
bool Eventually(const std::function<bool()>& condition, std::chrono::milliseconds timeout = std::chrono::seconds(20));

// A folder under the system's temporary one, 0700, removed at the end. Its path is short enough for sockets.
class TempFolder {
 public:
  TempFolder();
  ~TempFolder();
  TempFolder(const TempFolder&) = delete;
  TempFolder& operator=(const TempFolder&) = delete;
  const std::string& path() const { return path_; }
  std::string operator/(const std::string& name) const { return path_ + "/" + name; }
  // Writes a file below the folder and returns its path.
  std::string Write(const std::string& name, const std::string& text) const;

 private:
  std::string path_;
};

std::string ReadFile(const std::string& path);

}  // namespace astrolabe::testing

#endif  // ASTROLABE_TESTS_SUPPORT_PROCESS_H_
