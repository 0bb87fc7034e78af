// Small graphs on which search engines went wrong, each with its right answer, by every algorithm that the daemon
// lists. The names are those under which the cases are known in the project (A-E).
#include <gtest/gtest.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "tests/support/live_daemon.h"
#include "tests/support/result_json.h"

namespace astrolabe::testing {
namespace {

constexpr const char* kInconsistent =
    "directed\nnode P h 12\nnode Q h 8\nnode R h 0\nnode T h 0\nedge P Q 4\nedge Q R 4\nedge R T 4\nedge P R 11\n"
    "edge P T 13\nstart P\ngoal T\n";
constexpr const char* kTwoWaysMeet =
    "directed\nnode s h 0\nnode u h 0\nnode v h 0\nnode w h 0\nnode t h 0\nedge s u 5\nedge u t 5\nedge s v 6\n"
    "edge v t 5\nedge s w 8\nedge w t 1\nstart s\ngoal t\n";
constexpr const char* kZeroCycle =
    "directed\nnode 0 h 0\nnode 1 h 0\nnode 2 h 0\nnode 3 h 0\nedge 0 1 2\nedge 1 2 0\nedge 2 1 0\nedge 2 3 2\n"
    "edge 1 1 0\nstart 0\ngoal 3\n";
constexpr const char* kNegativeCost =
    "directed\nnode a h 0\nnode b h 0\nnode c h 0\nedge a b 6\nedge b c -5\nedge a c 4\nstart a\ngoal c\n";
constexpr const char* kZeroTriangle =
    "directed\nnode S h 3\nnode A h 1\nnode X h 3\nnode Y h 3\nnode T h 0\nedge S X 0\nedge X Y 0\nedge Y S 0\n"
    "edge S A 2\nedge A T 1\nstart S\ngoal T\n";
constexpr const char* kNoWayOut =
    "directed\nnode S h 1\nnode A h 1\nnode B h 1\nnode T h 0\nedge S A 1\nedge A B 1\nedge B S 1\nstart S\ngoal T\n";

struct Algorithm {
  std::string id;
  bool optimal = false;
  bool needs_reversed = false;
  bool uses_threads = false;
};

LiveDaemon* daemon = nullptr;

class GraphCases : public ::testing::Test {
 protected:
  static void SetUpTestSuite() { daemon = new LiveDaemon({"--slots", "2"}); }
  static void TearDownTestSuite() {
    delete daemon;
    daemon = nullptr;
  }

  // As the daemon tells: an algorithm that is added is tried without a word here, but for those that take solutions
  // which explicit graphs do not construct, and for those that look for a state and not for a path.
  static std::vector<Algorithm> Algorithms() {
    const CommandResult list = daemon->Cli({"list", "algorithms", "-o", "json"});
    const auto rows = nlohmann::json::parse(list.out, nullptr, false);
    std::vector<Algorithm> algorithms;
    if (!rows.is_array() || rows.empty()) {
      ADD_FAILURE() << "the daemon lists no algorithms: " << list.out << list.err;
      return algorithms;
    }
    for (const auto& row : rows) {
      if (row.value("needsConstruct", false) || row.value("localSearch", false)) continue;
      if (row.at("id") == "all_solutions") continue;  // nobody counts the paths through a cycle
      algorithms.push_back({row.at("id"), row.value("optimal", false), row.value("needsReversed", false),
                            row.value("usesThreads", false)});
    }
    return algorithms;
  }

  static CommandResult Solve(const std::string& graph, const std::string& algorithm,
                             const std::vector<std::string>& more = {}) {
    std::vector<std::string> args = {
        "--problem", "explicit_graph", "--algorithm", algorithm, "--time-limit", "20s", "-o", "json"};
    args.insert(args.end(), more.begin(), more.end());
    return daemon->Solve(graph, args);
  }

  // The least cost by all that are optimal, with this path; a right one, or none, by the others.
  static void ExpectCost(const std::string& graph, int64_t cost, const std::vector<std::string>& path) {
    for (const Algorithm& algorithm : Algorithms()) {
      for (const char* threads : {"1", "2"}) {
        if (threads[0] != '1' && !algorithm.uses_threads) continue;
        SCOPED_TRACE(algorithm.id + ", threads " + threads);
        const CommandResult run = Solve(graph, algorithm.id, {"--threads", threads});
        const ResultJson result(run);
        if (algorithm.optimal) {
          EXPECT_EQ(run.exit_code, 0) << run.out << run.err;
          EXPECT_EQ(result.outcome(), "OUTCOME_SOLVED");
          EXPECT_EQ(result.proof(), "PROOF_OPTIMAL");
          EXPECT_EQ(result.cost(), cost);
          EXPECT_EQ(result.moves(), path);
        } else if (result.outcome() == "OUTCOME_SOLVED") {
          EXPECT_GE(result.cost(), cost);
          EXPECT_TRUE(result.proof() != "PROOF_OPTIMAL" || result.cost() == cost);
        } else {
          EXPECT_EQ(result.outcome(), "OUTCOME_EXHAUSTED_LOCAL") << run.out << run.err;
        }
        if (result.outcome() == "OUTCOME_SOLVED") {
          EXPECT_TRUE(result.Flag("/verified"));
        }
      }
    }
  }
};

TEST_F(GraphCases, TheCatalogueHasTheAlgorithmsThatTheseCasesWereMadeFor) {
  const std::vector<Algorithm> algorithms = Algorithms();
  for (const std::string id : {"astar", "idastar", "uniform_cost", "greedy", "weighted_astar", "breadth_first"}) {
    EXPECT_TRUE(std::any_of(algorithms.begin(), algorithms.end(), [&](const Algorithm& a) { return a.id == id; }))
        << id;
  }
  EXPECT_GE(std::count_if(algorithms.begin(), algorithms.end(), [](const Algorithm& a) { return a.optimal; }), 3);
}

// A closed node must be opened again: h is admissible, but not consistent.
TEST_F(GraphCases, E01) { ExpectCost(kInconsistent, 12, {"P->Q", "Q->R", "R->T"}); }
// Two searches that meet first at u or v must go on.
TEST_F(GraphCases, E02) { ExpectCost(kTwoWaysMeet, 9, {"s->w", "w->t"}); }
TEST_F(GraphCases, E03) { ExpectCost(kZeroCycle, 4, {"0->1", "1->2", "2->3"}); }
TEST_F(GraphCases, E08) { ExpectCost(kZeroTriangle, 3, {"S->A", "A->T"}); }

TEST_F(GraphCases, E04ANegativeCostIsRefusedByName) {
  for (const Algorithm& algorithm : Algorithms()) {
    SCOPED_TRACE(algorithm.id);
    const CommandResult run =
        daemon->Solve(kNegativeCost, {"--problem", "explicit_graph", "--algorithm", algorithm.id});
    EXPECT_EQ(run.exit_code, 6) << run.out << run.err;
    EXPECT_NE((run.out + run.err).find("negative cost"), std::string::npos) << run.out << run.err;
    EXPECT_NE((run.out + run.err).find(":6:10"), std::string::npos) << run.out << run.err;
  }
  EXPECT_TRUE(daemon->Healthy());
}

TEST_F(GraphCases, E09AGoalThatCannotBeReachedIsSaidAtOnce) {
  for (const Algorithm& algorithm : Algorithms()) {
    SCOPED_TRACE(algorithm.id);
    const CommandResult run = Solve(kNoWayOut, algorithm.id);
    const ResultJson result(run);
    EXPECT_EQ(run.exit_code, 10) << run.out << run.err;
    EXPECT_EQ(result.outcome(), "OUTCOME_UNSOLVABLE");
    EXPECT_EQ(result.proof(), "PROOF_UNSOLVABLE_THEORY");
    EXPECT_EQ(result.expanded(), 0);
  }
}

// Without the look beforehand the search itself must find out, although the cycle could be followed for ever.
TEST_F(GraphCases, E09IsFoundOutByExhaustionToo) {
  for (const Algorithm& algorithm : Algorithms()) {
    SCOPED_TRACE(algorithm.id);
    const ResultJson result(Solve(kNoWayOut, algorithm.id, {"--param", "check_reachable=false"}));
    if (result.outcome() == "OUTCOME_EXHAUSTED_LOCAL") {
      EXPECT_FALSE(algorithm.optimal);
      continue;
    }
    EXPECT_EQ(result.outcome(), "OUTCOME_UNSOLVABLE");
    EXPECT_EQ(result.proof(), "PROOF_UNSOLVABLE_EXHAUSTED");
  }
}

TEST_F(GraphCases, AHeuristicThatIsNotAdmissibleIsFoundOutBeforeTheSearch) {
  const CommandResult run = Solve("node P h 12\nnode Q\nnode T\nedge P Q 5\nedge Q T 6\nstart P\ngoal T\n", "astar");
  const ResultJson result(run);
  EXPECT_EQ(result.outcome(), "OUTCOME_SOLVED");
  EXPECT_EQ(result.proof(), "PROOF_FEASIBLE");
  EXPECT_NE(run.out.find("node_h: h of P is 12, the true distance is 11: not admissible"), std::string::npos)
      << run.out;
}

TEST_F(GraphCases, StartAndGoalAreParametersOfAListOfEdges) {
  const std::string edges = "a b\nb c 5\na c 7\n";
  const ResultJson result(Solve(edges, "astar", {"--param", "start=a", "--param", "goal=c"}));
  EXPECT_EQ(result.outcome(), "OUTCOME_SOLVED");
  EXPECT_EQ(result.cost(), 6);
  EXPECT_EQ(result.moves(), (std::vector<std::string>{"a->b", "b->c"}));
  EXPECT_EQ(Solve(edges, "astar").exit_code, 6);
}

TEST_F(GraphCases, TheExamplesAreSolved) {
  const std::string folder = SOURCE_ROOT "/examples/instances/";
  const auto cost = [&](std::vector<std::string> args) {
    args.insert(args.begin(), "solve");
    args.insert(args.end(), {"-o", "json"});
    return ResultJson(daemon->Cli(args)).cost();
  };
  EXPECT_EQ(cost({folder + "graph-inconsistent.txt"}), 12);
  EXPECT_EQ(cost({folder + "graph-roads.txt"}), 10);
  EXPECT_EQ(cost({folder + "graph-edges.txt", "--param", "start=a", "--param", "goal=f"}), 7);
}

// A search from the goal needs one goal: an algorithm that cannot do without says so.
TEST_F(GraphCases, SeveralGoalsAreRefusedByAlgorithmsThatSearchFromTheGoal) {
  for (const Algorithm& algorithm : Algorithms()) {
    SCOPED_TRACE(algorithm.id);
    const CommandResult run = Solve("edge a b 2\nedge a c 1\nstart a\ngoal b\ngoal c\n", algorithm.id);
    const ResultJson result(run);
    if (algorithm.needs_reversed) {
      EXPECT_EQ(result.outcome(), "OUTCOME_REJECTED") << run.out;
      EXPECT_NE(run.out.find("2 goals"), std::string::npos) << run.out;
    } else if (algorithm.optimal) {
      EXPECT_EQ(result.cost(), 1);
    }
  }
}

}  // namespace
}  // namespace astrolabe::testing
