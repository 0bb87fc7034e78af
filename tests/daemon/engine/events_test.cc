// Node events: complete, in order, and without effect on the search.
#include "daemon/engine/events.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "daemon/engine/structures/state_hash.h"
#include "tests/daemon/engine/boards.h"
#include "tests/daemon/engine/graph_domain.h"
#include "tests/daemon/engine/run.h"
#include "tests/daemon/engine/sliding_domain.h"

namespace astrolabe::engine::testing {
namespace {

constexpr uint32_t Bit(NodeKind kind) { return 1u << static_cast<int>(kind); }
constexpr uint32_t kAll = 0x7fe;

class Recorder final : public NodeSink {
 public:
  explicit Recorder(const SpaceInfo& info, uint32_t kinds = kAll) : size_(info.state_size) { wanted = kinds; }

  bool Record(const NodeRecord& record) override {
    EXPECT_NE(record.node, 0u);
    EXPECT_NE(record.state, nullptr);
    const uint64_t id = NodeId(record.state, size_);
    EXPECT_TRUE(record.node == id || record.node == (id ^ NodeEvents::kBackward));
    EXPECT_NE(wanted & Bit(record.kind), 0u);
    records.push_back(record);
    ++count[record.kind];
    return static_cast<int64_t>(records.size()) != stop_after;
  }

  std::vector<NodeRecord> records;
  std::map<NodeKind, int64_t> count;
  int64_t stop_after = -1;

 private:
  size_t size_;
};

class Events : public ::testing::TestWithParam<size_t> {
 protected:
  Events()
      : space_(Board()),
        manhattan_(space_, TileHeuristicKind::kManhattan),
        reversed_(Reversed(space_.spec())),
        reversed_manhattan_(reversed_, TileHeuristicKind::kManhattan),
        request_(MakeRequest(space_, algorithm().id, &manhattan_)) {
    if (!algorithm().needs_reversed) return;
    request_.reversed = &reversed_;
    request_.reversed_evaluators.push_back({&reversed_manhattan_});
  }

  // 26 moves, but for the search without a heuristic, which would tell of millions of nodes.
  static TileSpec Board() {
    if (algorithm().id == "depth_first") return EightPuzzle({2, 8, 3, 1, 6, 4, 7, 0, 5}, {1, 2, 3, 8, 0, 4, 7, 6, 5});
    return EightPuzzle({7, 2, 4, 5, 0, 6, 8, 3, 1}, BlankFirst(9));
  }

  static const AlgorithmDescription& algorithm() { return Algorithms()[GetParam()]; }
  // Goals are told when they are met, better ones may follow.
  bool several_goals() const { return algorithm().id == "anytime_astar" || algorithm().id == "bidirectional"; }

  TileSpace space_;
  TileHeuristic manhattan_;
  TileSpace reversed_;
  TileHeuristic reversed_manhattan_;
  SearchRequest request_;
};

TEST_P(Events, DoNotChangeTheSearch) {
  const SearchResult silent = Solve(request_);
  Recorder recorder(space_.info());
  request_.sink = &recorder;
  const SearchResult told = Solve(request_);
  EXPECT_EQ(told.path, silent.path);
  EXPECT_EQ(told.statistics.expanded, silent.statistics.expanded);
  EXPECT_EQ(told.statistics.generated, silent.statistics.generated);
  EXPECT_EQ(told.tier, Tier::kGeneric);
}

TEST_P(Events, CountWhatTheStatisticsCount) {
  Recorder recorder(space_.info());
  request_.sink = &recorder;
  const SearchResult result = Solve(request_);
  auto& n = recorder.count;
  EXPECT_EQ(n[NodeKind::kSource], algorithm().needs_reversed ? 2 : 1);
  if (several_goals()) {
    EXPECT_GE(n[NodeKind::kGoal], 1);
  } else {
    EXPECT_EQ(n[NodeKind::kGoal], 1);
  }
  EXPECT_EQ(n[NodeKind::kExpanding], result.statistics.expanded);
  const int64_t children = n[NodeKind::kGenerating] + n[NodeKind::kUpdating] + n[NodeKind::kReopening] +
                           n[NodeKind::kPruned] + n[NodeKind::kDeadEnd];
  EXPECT_EQ(children + 1, result.statistics.generated);
  EXPECT_EQ(recorder.records.front().kind, NodeKind::kSource);
  const auto goal = std::find_if(recorder.records.rbegin(), recorder.records.rend(),
                                 [](const NodeRecord& record) { return record.kind == NodeKind::kGoal; });
  if (algorithm().needs_reversed) return;  // met in the middle
  EXPECT_EQ(goal->g, *result.cost);
  EXPECT_EQ(goal->h, 0);
  if (several_goals() || algorithm().id == "beam") return;
  EXPECT_EQ(recorder.records.back().kind, NodeKind::kGoal);
}

TEST_P(Events, NamesOfParentsAreNamesOfExpandedNodes) {
  Recorder recorder(space_.info());
  request_.sink = &recorder;
  Solve(request_);
  std::set<uint64_t> expanded;
  for (const NodeRecord& record : recorder.records) {
    if (record.kind == NodeKind::kSource) {
      EXPECT_EQ(record.parent, 0u);
      EXPECT_EQ(record.op, kNoOp);
      continue;
    }
    if (record.kind == NodeKind::kExpanding) expanded.insert(record.node);
    EXPECT_EQ(record.depth, record.g) << "of kind " << static_cast<int>(record.kind);
    if (record.parent == 0) {
      EXPECT_EQ(record.g, 0);
    } else {
      EXPECT_EQ(expanded.count(record.parent), 1u);
    }
  }
}

TEST_P(Events, OnlyWantedKindsAreRecorded) {
  Recorder recorder(space_.info(), Bit(NodeKind::kExpanding));
  request_.sink = &recorder;
  const SearchResult result = Solve(request_);
  EXPECT_EQ(static_cast<int64_t>(recorder.records.size()), result.statistics.expanded);
}

TEST_P(Events, ASinkThatRefusesEndsTheSearch) {
  Recorder recorder(space_.info());
  recorder.stop_after = 10;
  request_.sink = &recorder;
  const SearchResult result = Solve(request_);
  EXPECT_EQ(result.outcome, Outcome::kCancelled);
  EXPECT_LT(result.statistics.expanded, 12);
}

INSTANTIATE_TEST_SUITE_P(Engine, Events, ::testing::ValuesIn(AlgorithmIndices()),
                         [](const auto& row) { return Algorithms()[row.param].id; });

TEST(EventKinds, AStarTellsUpdatesReopeningsDuplicatesAndDeadEnds) {
  // Vertex 3 is reached at 5 and closed, then at 3 by vertex 2, whose h is high; vertex 5 is reached at
  // 30 and then at 20 while open; 6 is a dead end; 1 -> 0 is a duplicate.
  const GraphSpec spec{.vertices = 8,
                       .edges = {{0, 1, 1},
                                 {0, 2, 2},
                                 {1, 3, 4},
                                 {2, 3, 1},
                                 {3, 4, 10},
                                 {0, 5, 30},
                                 {3, 5, 15},
                                 {0, 6, 1},
                                 {1, 0, 1},
                                 {4, 7, 20},
                                 {5, 7, 20}},
                       .start = 0,
                       .goals = {7},
                       .zero_costs = false};
  const GraphSpace space(spec);
  const TableHeuristic h(space, {0, 0, 20, 0, 0, 0, kInfinity, 0});
  Recorder recorder(space.info());
  SearchRequest request = MakeRequest(space, "astar", &h);
  request.sink = &recorder;
  const SearchResult result = Solve(request);
  EXPECT_EQ(result.cost, 33);
  auto& n = recorder.count;
  EXPECT_EQ(n[NodeKind::kReopening], result.statistics.reopened);
  EXPECT_GE(n[NodeKind::kReopening], 1);
  EXPECT_GE(n[NodeKind::kUpdating], 1);
  EXPECT_EQ(n[NodeKind::kDeadEnd], 1);
  EXPECT_GE(n[NodeKind::kPruned], 1);
  EXPECT_EQ(n[NodeKind::kPruned], result.statistics.duplicates);
  EXPECT_EQ(n[NodeKind::kExpanding], result.statistics.expanded);
  EXPECT_EQ(recorder.records.back().depth, 4);
}

TEST(EventKinds, DepthIsKnownWhateverTheCosts) {
  GraphSpec spec{.vertices = 5, .edges = {}, .start = 0, .goals = {4}, .zero_costs = false, .undirected = true};
  for (uint32_t i = 0; i < 4; ++i) {
    spec.edges.push_back({i, i + 1, 10 + i});
    spec.edges.push_back({i + 1, i, 10 + i});
  }
  const GraphSpace space(spec);
  for (const char* algorithm : {"astar", "idastar"}) {
    Recorder recorder(space.info(), Bit(NodeKind::kGoal));
    SearchRequest request = MakeRequest(space, algorithm);
    request.sink = &recorder;
    Solve(request);
    ASSERT_EQ(recorder.records.size(), 1u);
    EXPECT_EQ(recorder.records[0].depth, 4);
    EXPECT_EQ(recorder.records[0].g, 10 + 11 + 12 + 13);
  }
}

TEST(NodeIds, AreOneToOneForSmallStates) {
  std::set<uint64_t> seen;
  for (uint64_t state = 0; state < 20000; ++state) EXPECT_TRUE(seen.insert(NodeId(&state, 8)).second);
  EXPECT_EQ(seen.count(0), 0u);
}

}  // namespace
}  // namespace astrolabe::engine::testing
