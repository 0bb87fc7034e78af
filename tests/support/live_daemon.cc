#include "tests/support/live_daemon.h"

#include <gtest/gtest.h>
#include <signal.h>

#include <cstdlib>

namespace astrolabe::testing {

std::string BinDir() {
  const char* from_environment = std::getenv("ASTROLABE_BIN_DIR");
  return from_environment != nullptr ? from_environment : ASTROLABE_BUILD_BIN_DIR;
}

LiveDaemon::LiveDaemon(std::vector<std::string> flags, std::vector<std::string> wrapper)
    : flags_(std::move(flags)), wrapper_(std::move(wrapper)) {
  socket_ = folder_ / "d.sock";
  address_ = "unix:" + socket_;
  Start();
}

LiveDaemon::~LiveDaemon() {
  if (process_ && process_->running()) {
    process_->Signal(SIGTERM);
    if (process_->Wait(std::chrono::seconds(20)) == -1) {
      ADD_FAILURE() << "the daemon did not end on SIGTERM; its log:\n" << log();
    }
  }
  // Those of the workers are in it too; plugins of the tests crash on purpose.
  for (const char* report : {"WARNING: ThreadSanitizer: ", "ERROR: AddressSanitizer: heap",
                             "ERROR: AddressSanitizer: stack", "ERROR: LeakSanitizer: ", "runtime error: "}) {
    EXPECT_EQ(log().find(report), std::string::npos) << "a sanitizer found something; the daemon's log:\n" << log();
  }
}

void LiveDaemon::Start() {
  std::vector<std::string> argv = wrapper_;
  argv.insert(argv.end(), {BinDir() + "/astrolabed", "--address", address_, "--cache-dir", folder_ / "cache",
                           "--state-dir", folder_ / "state"});
  argv.insert(argv.end(), flags_.begin(), flags_.end());
  process_ = std::make_unique<Process>(
      argv, std::map<std::string, std::string>{{"XDG_DATA_HOME", folder_ / "data"}, {"TEST_FOLDER", folder_.path()}},
      folder_ / "daemon.log");
  const bool healthy =
      Eventually([this] { return !process_->running() || Healthy(); }, std::chrono::seconds(60)) && Healthy();
  EXPECT_TRUE(healthy) << "the daemon did not become healthy; its log:\n" << log();
}

bool LiveDaemon::Healthy() const { return Cli({"server", "health"}).exit_code == 0; }

CommandResult LiveDaemon::Cli(std::vector<std::string> args, CommandOptions options) const {
  args.insert(args.begin(), BinDir() + "/astrolabe");
  options.env.emplace("ASTROLABE_SERVER", address_);
  return RunCommand(args, options);
}

CommandResult LiveDaemon::Solve(const std::string& instance, std::vector<std::string> args) const {
  args.insert(args.begin(), {"solve", "-"});
  CommandOptions options;
  options.stdin_text = instance;
  return Cli(std::move(args), options);
}

int LiveDaemon::Stop() {
  process_->Signal(SIGTERM);
  return process_->Wait(std::chrono::seconds(30));
}

void LiveDaemon::Kill() {
  process_->Signal(SIGKILL);
  process_->Wait(std::chrono::seconds(10));
}

}  // namespace astrolabe::testing
