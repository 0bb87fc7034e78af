// `astrolabe jobs` with the real daemon: what is listed, and what can be changed while it waits and while it runs.
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "tests/support/background_solve.h"
#include "tests/support/live_daemon.h"
#include "tests/support/result_json.h"

namespace astrolabe::testing {
namespace {

using nlohmann::json;

class Jobs : public ::testing::Test {
 protected:
  std::string Detach(const std::string& board, const std::vector<std::string>& more = {}) {
    std::vector<std::string> args = {"--detach"};
    args.insert(args.end(), more.begin(), more.end());
    const CommandResult run = daemon_.Solve(board, args);
    EXPECT_EQ(run.exit_code, 0) << run.err;
    return run.out.substr(0, run.out.find('\n'));
  }
  std::string Hard() {
    const std::string name = Detach(kHard, {"--algorithm", "idastar", "--heuristic", "hamming"});
    EXPECT_TRUE(Eventually([&] { return Job(name).value("state", "") == "JOB_STATE_SEARCHING"; })) << daemon_.log();
    return name;
  }
  // As the list has it.
  json Job(const std::string& name) {
    const CommandResult list = daemon_.Cli({"jobs", "list", "-o", "json"});
    EXPECT_EQ(list.exit_code, 0) << list.err;
    for (const json& job : json::parse(list.out)) {
      if (job.value("name", "") == name) return job;
    }
    return json::object();
  }
  CommandResult Update(const std::string& name, std::vector<std::string> args) {
    args.insert(args.begin(), {"jobs", "update", name});
    return daemon_.Cli(std::move(args));
  }

  LiveDaemon daemon_{{"--slots", "1"}};
};

TEST_F(Jobs, OnesThatWaitGetAnotherPlaceAndOtherLimits) {
  const std::string running = Hard();
  const std::string first = Detach(kEasy);
  const std::string second = Detach(kHard, {"--algorithm", "idastar", "--heuristic", "hamming"});
  EXPECT_EQ(Job(second).value("queuePosition", 0), 2);
  const CommandResult update =
      Update(second, {"--priority", "5", "--max-expansions", "1000", "--queue-timeout", "10m", "-o", "json"});
  EXPECT_EQ(update.exit_code, 0) << update.err;
  EXPECT_EQ(json::parse(update.out)["spec"]["limits"]["maxExpansions"], "1000") << update.out;
  EXPECT_EQ(Job(second).value("queuePosition", 0), 1);
  EXPECT_EQ(Job(first).value("queuePosition", 0), 2);
  EXPECT_EQ(Job(second)["spec"]["priority"], 5);
  EXPECT_EQ(daemon_.Cli({"jobs", "cancel", running}).exit_code, 0);
  const CommandResult result = daemon_.Cli({"watch", second, "-o", "json"});
  EXPECT_EQ(result.exit_code, 12) << result.out << result.err;
  EXPECT_EQ(ResultJson(result).expanded(), 1000);
  EXPECT_EQ(daemon_.Cli({"watch", first}).exit_code, 0);
  // Of an ended job the list has all but the path.
  const json listed = Job(first)["result"];
  EXPECT_EQ(listed.value("moves", ""), "4") << listed;
  EXPECT_FALSE(listed.contains("path")) << listed;
}

TEST_F(Jobs, TheTimeOfOneThatRunsCanBeMadeShorterAndNothingElse) {
  const std::string running = Hard();
  const CommandResult priority = Update(running, {"--priority", "5"});
  EXPECT_EQ(priority.exit_code, 6);
  EXPECT_NE(priority.err.find("has started"), std::string::npos) << priority.err;
  EXPECT_EQ(Update(running, {"--max-expansions", "5"}).exit_code, 6);
  EXPECT_EQ(Update(running, {"--time-limit", "1h"}).exit_code, 0);
  const CommandResult longer = Update(running, {"--time-limit", "2h"});
  EXPECT_EQ(longer.exit_code, 6);
  EXPECT_NE(longer.err.find("shortened, not extended"), std::string::npos) << longer.err;
  EXPECT_EQ(Update(running, {"--time-limit", "100ms"}).exit_code, 0);
  const CommandResult result = daemon_.Cli({"watch", running, "-o", "json"});
  EXPECT_EQ(result.exit_code, 12) << result.out << result.err;
  EXPECT_EQ(ResultJson(result).Text("/limit"), "LIMIT_KIND_WALL_TIME") << result.out;
  const CommandResult done = Update(running, {"--time-limit", "1s"});
  EXPECT_EQ(done.exit_code, 6);
  EXPECT_NE(done.err.find("is DONE"), std::string::npos) << done.err;
  EXPECT_EQ(Update("jobs/none", {"--priority", "1"}).exit_code, 5);
}

TEST_F(Jobs, DrainingWithoutTimeInterruptsThemAtOnce) {
  const std::string running = Hard();
  EXPECT_EQ(daemon_.Cli({"server", "drain", "--time", "0s"}).exit_code, 0);
  EXPECT_EQ(daemon_.Cli({"watch", running, "-o", "json"}).exit_code, 16);
}

}  // namespace
}  // namespace astrolabe::testing
