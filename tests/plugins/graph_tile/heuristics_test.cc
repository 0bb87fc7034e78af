// The heuristics and the problem, by the plugin files as the host loads them.
#include <gtest/gtest.h>

#include <map>
#include <string>
#include <vector>

#include "astrolabe/sdk/testing/loaded_plugin.h"
#include "astrolabe/sdk/testing/under_test.h"
#include "boards.h"

namespace {

using astro::testing::FakeHost;
using astro::testing::HeuristicUnderTest;
using astro::testing::LoadedPlugin;
using astro::testing::ProblemUnderTest;
using astro::testing::StateBytes;

const LoadedPlugin& File(const std::string& name) {
  static auto* const files = new std::map<std::string, std::unique_ptr<LoadedPlugin>>;
  std::unique_ptr<LoadedPlugin>& file = (*files)[name];
  if (file == nullptr) file = std::make_unique<LoadedPlugin>(ASTROLABE_TEST_PLUGIN_DIR "/" + name + ".so");
  EXPECT_EQ(file->error(), "");
  return *file;
}

const astro_problem_v1* Board() { return File("graph_tile").Problem(); }

// All states from which the goal can be reached, with the moves that it takes, by search back from the goal.
std::map<std::string, int64_t> DistancesToGoal(const ProblemUnderTest& board, FakeHost& host) {
  const ProblemUnderTest back(board, host);
  std::map<std::string, int64_t> distance{{back.Initial().key(), 0}};
  std::vector<StateBytes> queue{back.Initial()};
  for (size_t at = 0; at < queue.size(); ++at) {
    const int64_t next = distance[queue[at].key()] + 1;
    for (const astro_op op : back.Ops(queue[at])) {
      StateBytes child = back.Apply(queue[at], op);
      if (distance.emplace(child.key(), next).second) queue.push_back(std::move(child));
    }
  }
  return distance;
}

std::vector<StateBytes> Reach(const ProblemUnderTest& board) {
  std::map<std::string, int> met{{board.Initial().key(), 0}};
  std::vector<StateBytes> queue{board.Initial()};
  for (size_t at = 0; at < queue.size(); ++at) {
    for (const astro_op op : board.Ops(queue[at])) {
      StateBytes child = board.Apply(queue[at], op);
      if (met.emplace(child.key(), 0).second) queue.push_back(std::move(child));
    }
  }
  return queue;
}

std::vector<std::string> SmallBoards() {
  std::mt19937 random{11};
  std::vector<std::string> texts;
  for (int round = 0; round < 24; ++round) {
    const int cells = 3 + round % 4;
    boards::Edges edges = boards::Connected(cells, round % 3, random);
    const bool directed = round % 2 == 1;
    if (directed) {
      for (size_t i = 0; i < edges.size(); i += 2) edges.emplace_back(edges[i].second, edges[i].first);
    }
    texts.push_back(boards::Lists(cells, edges, directed) + boards::Row("start", boards::Shuffled(cells, random)) +
                    boards::Row("goal", boards::Shuffled(cells, random)));
  }
  return texts;
}

TEST(SumOfDistances, KeepsItsClaimsOnAllStatesOfSmallBoards) {
  int parity = 0;
  int dead_ends = 0;
  for (const std::string& text : SmallBoards()) {
    FakeHost host;
    const ProblemUnderTest board(Board(), host, text);
    ASSERT_TRUE(board.ok()) << board.faults.Text();
    const HeuristicUnderTest h(File("sum_of_distances").Heuristic(), host, board);
    ASSERT_TRUE(h.ok());
    EXPECT_EQ(h.Eval(board.Goal()), 0);
    parity += (h.info().claims & ASTRO_CLAIM_PARITY) != 0 ? 1 : 0;
    const auto distances = DistancesToGoal(board, host);
    for (const StateBytes& state : Reach(board)) {
      const int64_t value = h.Eval(state);
      dead_ends += value == ASTRO_DEAD_END ? 1 : 0;
      const auto distance = distances.find(state.key());
      if (distance != distances.end()) {
        ASSERT_LE(value, distance->second) << text << board.Render(state);
        if ((h.info().claims & ASTRO_CLAIM_PARITY) != 0) {
          EXPECT_EQ((distance->second - value) % 2, 0);
        }
      }
      for (const astro_op op : board.Ops(state)) {
        const int64_t child = h.Eval(board.Apply(state, op));
        EXPECT_TRUE(value == ASTRO_DEAD_END ? child == ASTRO_DEAD_END : value <= 1 || value - 1 <= child);
      }
    }
  }
  EXPECT_GT(parity, 0);
  EXPECT_LT(parity, 24);
  EXPECT_GT(dead_ends, 0);
}

TEST(GraphHeuristics, GiveTheSameByMovesAndByStates) {
  for (const std::string id : {"sum_of_distances", "graph_match_score"}) {
    for (const std::string& text : SmallBoards()) {
      FakeHost host;
      const ProblemUnderTest board(Board(), host, text);
      const HeuristicUnderTest h(File(id).Heuristic(), host, board);
      ASSERT_TRUE(h.ok());
      for (const StateBytes& state : Reach(board)) {
        const std::vector<astro_op> ops = board.Ops(state);
        std::vector<int64_t> values(ops.size());
        h.functions().eval_ops(h.context(), state.get(), h.Eval(state), nullptr, ops.data(),
                               static_cast<uint32_t>(ops.size()), values.data(), nullptr);
        for (size_t i = 0; i < ops.size(); ++i) ASSERT_EQ(values[i], h.Eval(board.Apply(state, ops[i]))) << id;
      }
    }
  }
}

TEST(SumOfDistances, IsManhattanDistanceOnRowsAndColumns) {
  FakeHost host;
  const ProblemUnderTest board(Board(), host, std::string(boards::kThreeByThree) + "start 6 4 7 8 5 0 3 2 1\n");
  const HeuristicUnderTest h(File("sum_of_distances").Heuristic(), host, board);
  EXPECT_EQ(h.Eval(board.Initial()), 21);
  EXPECT_EQ(h.Explain(board.Initial()).substr(0, 46), "tile 6: 3  (cell 0; belongs on cell 5)\ntile 4:");
}

TEST(GraphMatchScore, CountsTheBlankToo) {
  FakeHost host;
  const ProblemUnderTest board(Board(), host, std::string(boards::kThreeByThree) + "start 1 2 3 4 5 6 7 0 8\n");
  const HeuristicUnderTest h(File("graph_match_score").Heuristic(), host, board);
  EXPECT_EQ(h.Eval(board.Initial()), 2);  // one move away
  EXPECT_EQ(h.info().claims, 0u);
  EXPECT_EQ(h.Explain(board.Initial()), "cell 7 holds 0, the goal has 8\ncell 8 holds 8, the goal has 0\n");
}

TEST(SumOfDistances, CanBeStopped) {
  FakeHost host;
  const ProblemUnderTest board(Board(), host, std::string(boards::kThreeByThree) + "start 1 2 3 4 5 6 7 0 8\n");
  host.cancelled = true;
  EXPECT_EQ(HeuristicUnderTest(File("sum_of_distances").Heuristic(), host, board).status(), ASTRO_CANCELLED);
}

}  // namespace
