// A board that is solved at once, one that is not, and the command that solves it in the background.
#ifndef ASTROLABE_TESTS_SUPPORT_BACKGROUND_SOLVE_H_
#define ASTROLABE_TESTS_SUPPORT_BACKGROUND_SOLVE_H_

#include <gtest/gtest.h>

#include <map>
#include <memory>
#include <string>
#include <vector>

#include "tests/support/live_daemon.h"
#include "tests/support/result_json.h"

namespace astrolabe::testing {

inline constexpr char kEasy[] = "3\n0 1 3\n4 2 5\n7 8 6\n";
// The hardest 15-puzzle boards need minutes with hamming: long enough to be interrupted.
inline constexpr char kHard[] = "4\n0 15 14 13\n12 11 10 9\n8 7 6 5\n4 3 2 1\n";

inline void ExpectServes(const LiveDaemon& daemon) {
  const auto run = daemon.Solve(kEasy, {"-o", "json"});
  EXPECT_EQ(run.exit_code, 0) << run.out << run.err << daemon.log();
  EXPECT_EQ(ResultJson(run).cost(), 4);
}

// `astrolabe solve` of an instance with these flags, as a process of its own.
class BackgroundSolve {
 public:
  BackgroundSolve(const LiveDaemon& daemon, std::vector<std::string> args, const std::string& instance = kHard) {
    file_ = folder_.Write("instance.txt", instance);
    args.insert(args.begin(), {BinDir() + "/astrolabe", "solve", file_, "-o", "ndjson"});
    process_ = std::make_unique<Process>(
        args, std::map<std::string, std::string>{{"ASTROLABE_SERVER", daemon.address()}}, folder_ / "out");
  }
  // False when its search has not begun in time.
  bool WaitUntilSearching() {
    return Eventually([this] { return ReadFile(folder_ / "out").find("JOB_STATE_SEARCHING") != std::string::npos; });
  }
  // Its exit code; -1 when it goes on for half a minute.
  int Wait() { return process_->Wait(std::chrono::seconds(30)); }
  bool running() { return process_->running(); }
  void Signal(int signal) { process_->Signal(signal); }
  std::string output() const { return ReadFile(folder_ / "out"); }

 private:
  TempFolder folder_;
  std::string file_;
  std::unique_ptr<Process> process_;
};

}  // namespace astrolabe::testing

#endif  // ASTROLABE_TESTS_SUPPORT_BACKGROUND_SOLVE_H_
