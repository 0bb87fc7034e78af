// A search with one thread is the same every time: after a hundred other jobs in the same worker, in another daemon,
// with and without a random layout of the address space.
#include <gtest/gtest.h>

#include <map>
#include <nlohmann/json.hpp>
#include <string>
#include <tuple>
#include <vector>

#include "tests/support/live_daemon.h"
#include "tests/support/result_json.h"

namespace astrolabe::testing {
namespace {

const char kBoard[] = "3\n7 0 3\n1 8 4\n6 5 2\n";

// What must not change: length, expanded, generated, moves.
using Search = std::tuple<int64_t, int64_t, int64_t, std::vector<std::string>>;

// Those that find a path: local search has a test of its own, and nobody counts the paths through a puzzle.
std::vector<std::string> AlgorithmIds(const LiveDaemon& daemon) {
  const auto listed = daemon.Cli({"list", "algorithms", "-o", "json"});
  std::vector<std::string> ids;
  for (const auto& row : nlohmann::json::parse(listed.out)) {
    if (!row.value("localSearch", false) && row.at("id") != "all_solutions") ids.push_back(row.at("id"));
  }
  return ids;
}

std::map<std::string, Search> AllSearches(const LiveDaemon& daemon) {
  std::map<std::string, Search> searches;
  for (const std::string& id : AlgorithmIds(daemon)) {
    const auto command = daemon.Solve(kBoard, {"--algorithm", id, "--seed", "7", "-o", "json"});
    const ResultJson result(command);
    EXPECT_EQ(result.outcome(), "OUTCOME_SOLVED") << id << command.out << command.err;
    EXPECT_GT(result.expanded(), 0) << id;
    searches[id] = {result.cost(), result.expanded(), result.generated(), result.moves()};
  }
  return searches;
}

void ExpectEqual(const std::map<std::string, Search>& a, const std::map<std::string, Search>& b, const char* when) {
  ASSERT_EQ(a.size(), b.size());
  for (const auto& [id, search] : a) EXPECT_EQ(search, b.at(id)) << id << ", " << when;
}

TEST(Determinism, CountsAndPathsAreEqualAfterOtherJobsAndInOtherDaemons) {
  std::map<std::string, Search> first;
  {
    LiveDaemon daemon({"--slots", "1", "--warm-workers", "1"});
    first = AllSearches(daemon);
    ASSERT_GE(first.size(), 10u);
    ExpectEqual(first, AllSearches(daemon), "at once again");
    const std::vector<std::string> ids = AlgorithmIds(daemon);
    const std::string others[] = {"3\n0 1 3\n4 2 5\n7 8 6\n", "2 4\n4 0 1 2\n3 7 5 6\n", "3\n8 1 3\n4 0 2\n7 6 5\n"};
    for (size_t i = 0; i < 100; ++i) {
      const auto other = daemon.Solve(others[i % 3], {"--algorithm", ids[i % ids.size()], "-o", "json"});
      ASSERT_EQ(other.exit_code, 0) << ids[i % ids.size()] << other.err;
    }
    ExpectEqual(first, AllSearches(daemon), "after 100 other jobs");
  }
  LiveDaemon fresh({"--slots", "1"});
  ExpectEqual(first, AllSearches(fresh), "in a fresh daemon");
}

TEST(Determinism, CountsAndPathsDoNotDependOnTheLayoutOfTheAddressSpace) {
  if (RunCommand({"setarch", "-R", "true"}).exit_code != 0) {
    GTEST_SKIP() << "this system does not let a process fix its address space";
  }
  LiveDaemon random({"--slots", "1"});
  const std::map<std::string, Search> searches = AllSearches(random);
  LiveDaemon fixed({"--slots", "1"}, {"setarch", "-R"});
  ExpectEqual(searches, AllSearches(fixed), "with a fixed address space");
}

}  // namespace
}  // namespace astrolabe::testing
