// The command starts, finds, replaces and stops the user's daemon; a fake astrolabed stands beside it in a prefix of
// its own, which also shows that the command can be moved.
#include <signal.h>
#include <sys/stat.h>
#include <unistd.h>

#include <filesystem>
#include <sstream>
#include <thread>

#include "client/cli/daemon_process.h"
#include "tests/client/cli/cli_process.h"

namespace astrolabe::testing {
namespace {

namespace fs = std::filesystem;

class Autostart : public ::testing::Test {
 protected:
  void SetUp() override {
    fs::create_directories(prefix_ / "bin");
    fs::create_directories(prefix_ / "lib");
    fs::copy_file(ASTROLABE_CLI, prefix_ / "bin/astrolabe");
    fs::copy_file(ASTROLABE_CLIENT_LIB, prefix_ / "lib/" + fs::path(ASTROLABE_CLIENT_LIB).filename().string());
    fs::copy_file(ASTROLABE_FAKE_DAEMON, prefix_ / "bin/astrolabed");
  }
  void TearDown() override { Run({"server", "stop"}); }

  CommandResult Run(std::vector<std::string> arguments, const std::string& mode = "") {
    arguments.insert(arguments.begin(), prefix_ / "bin/astrolabe");
    CommandOptions options;
    options.env = {{"XDG_RUNTIME_DIR", runtime_.path()}, {"FAKE_DAEMON", mode}, {"ASTROLABE_SERVER", ""}};
    options.stdin_text = "x";
    options.timeout = std::chrono::seconds(120);
    return RunCommand(arguments, options);
  }
  std::string socket() const { return runtime_ / "astrolabe/astrolabed.sock"; }
  std::vector<std::string> Starts() const {
    std::vector<std::string> lines;
    std::istringstream text(ReadFile(socket() + ".starts"));
    for (std::string line; std::getline(text, line);) lines.push_back(line);
    return lines;
  }

  TempFolder prefix_;
  TempFolder runtime_;
};

TEST_F(Autostart, ASolveStartsTheDaemonAndTheNextFindsIt) {
  const CommandResult first = Run({"solve", "-"});
  EXPECT_EQ(first.exit_code, 0) << first.err;
  EXPECT_NE(first.out.find("Minimum number of moves = 4"), std::string::npos);
  EXPECT_EQ(Run({"solve", "-"}).exit_code, 0);
  ASSERT_EQ(Starts().size(), 1u);
  EXPECT_EQ(Starts()[0], "own-session --address unix:" + socket() + " --idle-timeout 15m");
  struct stat info;
  ASSERT_EQ(stat((runtime_ / "astrolabe").c_str(), &info), 0);
  EXPECT_EQ(info.st_mode & 0777, 0700u);
  EXPECT_NE(ReadFile(runtime_ / "astrolabe/astrolabed.log").find("fake daemon"), std::string::npos);
}

TEST_F(Autostart, ItDoesNotKeepThePipeOfTheCommandOpen) {
  // With an inherited standard output, `cat` would wait for the daemon's end.
  const CommandResult run =
      RunCommand({"sh", "-c",
                  "XDG_RUNTIME_DIR=" + runtime_.path() + " ASTROLABE_SERVER= " + prefix_ / "bin/astrolabe" +
                      " server health | cat; XDG_RUNTIME_DIR=" + runtime_.path() +
                      " ASTROLABE_SERVER= " + prefix_ / "bin/astrolabe" + " server start 2>&1 | cat"},
                 {.timeout = std::chrono::seconds(50)});
  EXPECT_EQ(run.exit_code, 0);
  EXPECT_NE(run.out.find("version"), std::string::npos) << run.out;
}

TEST_F(Autostart, ManyAtOnceStartOne) {
  std::vector<std::thread> threads;
  std::vector<CommandResult> results(6);
  for (CommandResult& result : results) threads.emplace_back([&] { result = Run({"solve", "-", "-o", "moves"}); });
  for (std::thread& thread : threads) thread.join();
  for (const CommandResult& result : results) EXPECT_EQ(result.exit_code, 0) << result.err;
  EXPECT_EQ(Starts().size(), 1u);
}

TEST_F(Autostart, NoAutostartForbidsIt) {
  const CommandResult run = Run({"solve", "-", "--no-autostart"});
  EXPECT_EQ(run.exit_code, 3);
  EXPECT_NE(run.err.find("astrolabe server start"), std::string::npos) << run.err;
  EXPECT_TRUE(Starts().empty());
}

TEST_F(Autostart, ADaemonThatEndsAtOnceShowsTheEndOfItsLog) {
  const auto started = std::chrono::steady_clock::now();
  const CommandResult run = Run({"solve", "-"}, "exit");
  EXPECT_EQ(run.exit_code, 3);
  EXPECT_NE(run.err.find("exit code 3"), std::string::npos) << run.err;
  EXPECT_NE(run.err.find("no plugins anywhere"), std::string::npos) << run.err;
  EXPECT_LT(std::chrono::steady_clock::now() - started, std::chrono::seconds(9)) << "it does not wait for the deadline";
}

TEST_F(Autostart, AMissingDaemonIsNamed) {
  fs::remove(prefix_ / "bin/astrolabed");
  const CommandResult run = Run({"solve", "-"});
  EXPECT_EQ(run.exit_code, 3);
  EXPECT_NE(run.err.find(prefix_ / "bin/astrolabed"), std::string::npos) << run.err;
}

TEST_F(Autostart, AnOlderIdleDaemonIsReplaced) {
  // Started as an old one; the next command brings the new one.
  cli::SpawnOptions old{prefix_ / "bin/astrolabed", {"--address", "unix:" + socket()}, runtime_ / "old.log"};
  fs::create_directory(runtime_ / "astrolabe");
  fs::permissions(runtime_ / "astrolabe", fs::perms::owner_all);
  setenv("FAKE_DAEMON", "old", 1);
  const auto process = cli::SpawnDaemon(old);
  unsetenv("FAKE_DAEMON");
  ASSERT_TRUE(process.ok()) << process.status();
  ASSERT_TRUE(Eventually([&] { return cli::Listening(socket()); }));
  EXPECT_EQ(Run({"solve", "-"}).exit_code, 0);
  EXPECT_TRUE(cli::WaitForEnd(*process, std::chrono::seconds(10)));
  EXPECT_EQ(Starts().size(), 2u);
}

TEST_F(Autostart, AnOlderBusyDaemonIsKeptWithAWarning) {
  EXPECT_EQ(Run({"server", "start"}, "old-busy").exit_code, 0);
  const CommandResult run = Run({"solve", "-"});
  EXPECT_EQ(run.exit_code, 0);
  EXPECT_NE(run.err.find("0.0.9"), std::string::npos) << run.err;
  EXPECT_EQ(Starts().size(), 1u);
}

TEST_F(Autostart, ADrainedDaemonIsNamedAndNotReplaced) {
  EXPECT_EQ(Run({"server", "start"}, "draining").exit_code, 0);
  const CommandResult run = Run({"solve", "-"});
  EXPECT_EQ(run.exit_code, 7);
  EXPECT_NE(run.err.find("draining"), std::string::npos) << run.err;
  EXPECT_NE(run.err.find("astrolabe server stop"), std::string::npos) << run.err;
  EXPECT_EQ(Starts().size(), 1u);
}

TEST_F(Autostart, StartAndStopAreCommandsToo) {
  const CommandResult start = Run({"server", "start", "--idle-timeout", "0", "--plugin-dir", "/p"});
  EXPECT_EQ(start.exit_code, 0) << start.err;
  ASSERT_EQ(Starts().size(), 1u);
  EXPECT_TRUE(Starts()[0].ends_with("--idle-timeout 0 --plugin-dir /p")) << Starts()[0];
  EXPECT_EQ(Run({"server", "start"}).exit_code, 0);
  EXPECT_EQ(Starts().size(), 1u) << "it runs already";
  EXPECT_EQ(Run({"server", "stop"}).out, "stopped\n");
  EXPECT_FALSE(cli::Listening(socket())) << "stop waits for the end";
  EXPECT_EQ(Run({"server", "stop"}).out, "no server was running\n");
}

TEST_F(Autostart, AStaleSocketIsNoDaemon) {
  EXPECT_EQ(Run({"server", "start"}).exit_code, 0);
  const auto daemon = cli::FindDaemon(socket());
  ASSERT_TRUE(daemon.ok()) << daemon.status();
  kill(daemon->pid, SIGKILL);
  ASSERT_TRUE(cli::WaitForEnd(*daemon, std::chrono::seconds(10)));
  EXPECT_TRUE(fs::exists(socket())) << "it was left behind";
  EXPECT_EQ(Run({"solve", "-"}).exit_code, 0);
  EXPECT_EQ(Starts().size(), 2u);
}

TEST_F(Autostart, AFolderThatOthersCanEnterIsRefused) {
  fs::create_directory(runtime_ / "astrolabe");
  fs::permissions(runtime_ / "astrolabe", fs::perms(0755));
  const CommandResult run = Run({"solve", "-"});
  EXPECT_EQ(run.exit_code, 3);
  EXPECT_NE(run.err.find("chmod 700"), std::string::npos) << run.err;
}

}  // namespace
}  // namespace astrolabe::testing
