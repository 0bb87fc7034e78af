// A real astrolabed on a real socket in a temporary folder, and the real CLI against it.
#ifndef ASTROLABE_TESTS_SUPPORT_LIVE_DAEMON_H_
#define ASTROLABE_TESTS_SUPPORT_LIVE_DAEMON_H_

#include <memory>
#include <string>
#include <vector>

#include "tests/support/process.h"

namespace astrolabe::testing {

// Folder of the programs under test: ASTROLABE_BIN_DIR of the environment, else that of the build.
std::string BinDir();

class LiveDaemon {
 public:
  // Starts it with these extra flags and waits until it is healthy (fails the test otherwise).
  // `wrapper` is put before the command, for example {"setarch", "-R"}; it finds folder() in $TEST_FOLDER.
  explicit LiveDaemon(std::vector<std::string> flags = {}, std::vector<std::string> wrapper = {});
  ~LiveDaemon();

  const std::string& address() const { return address_; }  // "unix:/..."
  const std::string& socket() const { return socket_; }
  const TempFolder& folder() const { return folder_; }
  Process& process() { return *process_; }
  std::string log() const { return ReadFile(folder_ / "daemon.log"); }

  // `astrolabe ARGS` against this daemon.
  CommandResult Cli(std::vector<std::string> args, CommandOptions options = {}) const;
  // `astrolabe solve FILE ARGS` of an instance given as text.
  CommandResult Solve(const std::string& instance, std::vector<std::string> args = {}) const;

  // SIGTERM and wait: the exit code.
  int Stop();
  // kill -9 and wait.
  void Kill();
  // Starts it again on the same socket.
  void Start();
  bool Healthy() const;

 private:
  TempFolder folder_;
  std::string socket_;
  std::string address_;
  std::vector<std::string> flags_;
  std::vector<std::string> wrapper_;
  std::unique_ptr<Process> process_;
};

}  // namespace astrolabe::testing

#endif  // ASTROLABE_TESTS_SUPPORT_LIVE_DAEMON_H_
