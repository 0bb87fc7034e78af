// Every heuristic on every state of small boards, against exact distances by breadth-first search.
#include <gtest/gtest.h>

#include <algorithm>
#include <cctype>
#include <cstdint>
#include <cstring>
#include <memory>
#include <string>
#include <unordered_map>
#include <vector>

#include "astrolabe/sdk/testing/under_test.h"
#include "boards.h"
#include "plugins_under_test.h"

namespace {

using namespace astro::testing;

struct Board {
  int rows;
  int cols;
  std::vector<int> goal;
};

// What reaches the goal, in the packed layout, nearest first; written without a line of the problem's.
struct Space {
  explicit Space(const Board& board) {
    uint64_t goal = 0;
    for (size_t square = 0; square < board.goal.size(); ++square) {
      goal |= static_cast<uint64_t>(board.goal[square]) << (4 * square);
    }
    Add(goal, 0);
    for (size_t i = 0; i < states.size(); ++i) {
      const uint64_t state = states[i];
      int blank = 0;
      while ((state >> (4 * blank) & 15) != 0) ++blank;
      const int row = blank / board.cols;
      const int col = blank % board.cols;
      // The operators: the way the blank goes.
      const int targets[] = {row > 0 ? blank - board.cols : -1, col > 0 ? blank - 1 : -1,
                             col + 1 < board.cols ? blank + 1 : -1, row + 1 < board.rows ? blank + board.cols : -1};
      for (uint32_t direction = 0; direction < 4; ++direction) {
        const int to = targets[direction];
        if (to < 0) continue;
        const uint64_t tile = state >> (4 * to) & 15;
        const uint64_t next = state ^ tile << (4 * to) ^ tile << (4 * blank);
        edges.push_back(
            {static_cast<uint32_t>(i), Add(next, distance[i] + 1), static_cast<uint32_t>(blank) * 4 + direction});
      }
    }
  }
  uint32_t Add(uint64_t state, int d) {
    const auto [at, added] = index.try_emplace(state, static_cast<uint32_t>(states.size()));
    if (added) {
      states.push_back(state);
      distance.push_back(d);
    }
    return at->second;
  }

  struct Edge {
    uint32_t from;
    uint32_t to;
    astro_op op;
  };
  std::vector<uint64_t> states;
  std::vector<int> distance;
  std::vector<Edge> edges;
  std::unordered_map<uint64_t, uint32_t> index;
};

const std::vector<Board>& Boards() {
  static const std::vector<Board> boards = {
      {2, 2, {1, 2, 3, 0}},
      {2, 3, {1, 2, 3, 4, 5, 0}},
      {3, 2, {5, 1, 4, 0, 2, 3}},
      {2, 4, {0, 1, 2, 3, 4, 5, 6, 7}},
      {4, 2, {7, 3, 1, 0, 4, 6, 2, 5}},
#ifndef ASTROLABE_SANITIZED  // the same code on nine times the states
      {3, 3, {1, 2, 3, 4, 5, 6, 7, 8, 0}},
      {3, 3, {1, 2, 3, 8, 0, 4, 7, 6, 5}},
      {3, 3, {4, 0, 7, 2, 8, 1, 3, 6, 5}},
#endif
  };
  return boards;
}

struct Case {
  const char* name;
  std::vector<std::pair<const char*, const char*>> params;
};

const Case kCases[] = {
    {"zero", {}},
    {"hamming", {}},
    {"manhattan", {}},
    {"match_score", {}},
    {"linear_conflict", {}},
    {"gaschnig", {}},
    {"walking_distance", {}},
    // Every board has these tiles; the others count nothing. Some of the goals have a mirror.
    {"pattern_database", {{"patterns", "1 2/3"}}},
    {"pattern_database", {{"patterns", "2 3/1"}, {"mirror", "off"}}},
};

// One heuristic on one board, and h of every state of it.
class Subject {
 public:
  Subject(const Board& board, const Case& heuristic)
      : space(board),
        problem_(Plugin("sliding_tile").Problem(), host_,
                 boards::WithGoal(board.rows, board.cols, board.goal, board.goal)) {
    FakeParams params;
    for (const auto& [name, value] : heuristic.params) params.SetText(name, value);
    heuristic_ = std::make_unique<HeuristicUnderTest>(Plugin(heuristic.name).Heuristic(), host_, problem_, &params);
    if (!ok()) return;
    h.resize(space.states.size());
    functions().eval_batch(context(), h.size(), space.states.data(), sizeof(uint64_t), h.data());
  }
  bool ok() const { return heuristic_->ok(); }
  std::string Faults() const { return heuristic_->faults.Text(); }
  const astro_heuristic_v1& functions() const { return heuristic_->functions(); }
  const void* context() const { return heuristic_->context(); }
  const astro_heuristic_info_v1& info() const { return heuristic_->info(); }
  bool Claims(uint32_t claim) const { return (info().claims & claim) != 0; }
  std::string Render(size_t i) const {
    StateBytes state = problem_.NewState();
    std::memcpy(state.get(), &space.states[i], sizeof(uint64_t));
    return problem_.Render(state);
  }

  const Space space;
  std::vector<int64_t> h;

 private:
  FakeHost host_;
  ProblemUnderTest problem_;
  std::unique_ptr<HeuristicUnderTest> heuristic_;
};

void CheckClaims(const Subject& subject) {
  EXPECT_EQ(subject.h[0], 0) << "at the goal";
  const int64_t max_h = subject.info().max_h;
  for (size_t i = 0; i < subject.h.size(); ++i) {
    const int64_t h = subject.h[i];
    const int distance = subject.space.distance[i];
    ASSERT_GE(h, 0);
    ASSERT_TRUE(!subject.Claims(ASTRO_CLAIM_ADMISSIBLE) || h <= distance) << subject.Render(i);
    ASSERT_TRUE(!subject.Claims(ASTRO_CLAIM_PARITY) || (distance - h) % 2 == 0) << subject.Render(i);
    ASSERT_TRUE(max_h == 0 || h <= max_h);
  }
  if (!subject.Claims(ASTRO_CLAIM_CONSISTENT)) return;
  for (const Space::Edge& edge : subject.space.edges) {
    ASSERT_LE(subject.h[edge.from], subject.h[edge.to] + 1) << subject.Render(edge.from);
  }
}

// h and aux of a child before it is built, and of the child alone.
void CheckMoves(const Subject& subject) {
  const astro_heuristic_v1& functions = subject.functions();
  const size_t aux_size = subject.info().aux_size;
  std::vector<std::byte> aux(aux_size);
  std::vector<std::byte> child(aux_size);
  std::vector<std::byte> fresh(aux_size);
  const bool carries = aux_size > 0;
  for (const Space::Edge& edge : subject.space.edges) {
    const uint64_t* parent = &subject.space.states[edge.from];
    if (carries) functions.root_aux(subject.context(), parent, aux.data());
    int64_t h = -1;
    functions.eval_ops(subject.context(), parent, subject.h[edge.from], carries ? aux.data() : nullptr, &edge.op, 1, &h,
                       carries ? child.data() : nullptr);
    ASSERT_EQ(h, subject.h[edge.to]) << subject.Render(edge.from);
    if (!carries) continue;
    functions.root_aux(subject.context(), &subject.space.states[edge.to], fresh.data());
    ASSERT_EQ(child, fresh) << subject.Render(edge.from);
  }
}

class Exact : public ::testing::TestWithParam<Case> {};

INSTANTIATE_TEST_SUITE_P(AllStates, Exact, ::testing::ValuesIn(kCases), [](const auto& info) {
  std::string name = info.param.name;
  for (const auto& [param, value] : info.param.params) {
    name += "_";
    for (const char c : std::string(value)) name += std::isalnum(c) != 0 ? c : '_';
  }
  return name;
});

TEST_P(Exact, KeepsWhatItClaimsAndMovesAsItEvaluates) {
  for (const Board& board : Boards()) {
    SCOPED_TRACE(boards::Text(board.rows, board.cols, board.goal));
    const Subject subject(board, GetParam());
    ASSERT_TRUE(subject.ok()) << subject.Faults();
    CheckClaims(subject);
    CheckMoves(subject);
    if (HasFatalFailure()) return;
  }
}

// A claim that could be made and is not costs speed.
TEST_P(Exact, ClaimsAllThatHolds) {
  const Subject subject(Boards().back(), GetParam());
  ASSERT_TRUE(subject.ok()) << subject.Faults();
  bool admissible = true;
  bool consistent = true;
  bool parity = true;
  for (size_t i = 0; i < subject.h.size(); ++i) {
    const int64_t left = subject.space.distance[i] - subject.h[i];
    admissible = admissible && left >= 0;
    parity = parity && left % 2 == 0;
  }
  for (const Space::Edge& edge : subject.space.edges) {
    consistent = consistent && subject.h[edge.from] <= subject.h[edge.to] + 1;
  }
  EXPECT_EQ(admissible, subject.Claims(ASTRO_CLAIM_ADMISSIBLE));
  EXPECT_EQ(consistent, subject.Claims(ASTRO_CLAIM_CONSISTENT));
  EXPECT_EQ(parity, subject.Claims(ASTRO_CLAIM_PARITY));
}

}  // namespace
