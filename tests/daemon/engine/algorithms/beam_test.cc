#include <gtest/gtest.h>

#include <random>

#include "tests/daemon/engine/boards.h"
#include "tests/daemon/engine/queens_domain.h"
#include "tests/daemon/engine/random_graphs.h"
#include "tests/daemon/engine/run.h"
#include "tests/daemon/engine/two_way.h"

namespace astrolabe::engine::testing {
namespace {

#ifdef ASTROLABE_SANITIZED
constexpr int kBeamGraphs = 100;
#else
constexpr int kBeamGraphs = 3000;
#endif

// Counts passes after the first, each of which begins at the start.
class Restarts final : public NodeSink {
 public:
  explicit Restarts(const GraphSpace& space) : space_(space) { wanted = 1u << static_cast<int>(NodeKind::kRestart); }
  bool Record(const NodeRecord& record) override {
    EXPECT_EQ(record.kind, NodeKind::kRestart);
    EXPECT_EQ(space_.Vertex(record.state), space_.spec().start);
    EXPECT_EQ(record.parent, 0u);
    ++count;
    return true;
  }
  int count = 0;

 private:
  const GraphSpace& space_;
};

TEST(Beam, IsCompleteHoweverNarrowItBegins) {
  int widened = 0;
  for (int i = 0; i < kBeamGraphs; ++i) {
    SCOPED_TRACE("seed 11 + " + std::to_string(i));
    std::mt19937_64 random(11 + static_cast<uint64_t>(i));
    const Case c = RandomCase(random, 60);
    const GraphSpace space(c.spec);
    const TableHeuristic h(space, c.h);
    SearchRequest request = MakeRequest(space, "beam", &h);
    request.params["width"] = int64_t{1} + static_cast<int64_t>(random() % 3);
    request.params["order"] = std::string(random() % 2 == 0 ? "f" : "h");
    Restarts restarts(space);
    request.sink = &restarts;
    const SearchResult result = Solve(request);
    const Cost best = c.distance[c.spec.start];
    ASSERT_EQ(result.outcome, best == kInfinity ? Outcome::kUnsolvable : Outcome::kSolved) << result.explanation;
    if (restarts.count > 0) ++widened;
    if (best == kInfinity) continue;
    EXPECT_TRUE(result.verified);
    EXPECT_GE(*result.cost, best);
    if (result.proof == Proof::kOptimal) EXPECT_EQ(*result.cost, best);
    if (HasFailure()) return;
  }
  EXPECT_GT(widened, kBeamGraphs / 50) << "no pass was ever repeated";
}

// Asks for a stop when so many nodes have been expanded.
class StopAfter final : public NodeSink {
 public:
  StopAfter(StopToken& token, int64_t expansions) : token_(token), left_(expansions) {
    wanted = 1u << static_cast<int>(NodeKind::kClosing);
  }
  bool Record(const NodeRecord&) override {
    if (--left_ == 0) token_.Request(StopCause::kCancel);
    return true;
  }

 private:
  StopToken& token_;
  int64_t left_;
};

// Picking the best of some 90,000 takes its time: the stop is seen there, not at some later expansion.
TEST(Beam, IsStoppedWhileItPicksTheBestOfALayer) {
  const PlacingSpace space(300);
  SearchRequest request = MakeRequest(space, "beam");
  request.params["width"] = int64_t{1000};
  StopToken token;
  StopAfter sink(token, 1 + 300);
  request.sink = &sink;
  SearchObserver nobody;
  const SearchResult result = RunSearch(request, nobody, token);
  EXPECT_EQ(result.outcome, Outcome::kCancelled) << result.explanation;
  EXPECT_EQ(result.statistics.expanded, 1 + 300);
}

TEST(Beam, IsExactUnderACostLimitHoweverNarrowItBegins) {
  for (int i = 0; i < kBeamGraphs; ++i) {
    SCOPED_TRACE("seed 12 + " + std::to_string(i));
    std::mt19937_64 random(12 + static_cast<uint64_t>(i));
    const Case c = RandomCase(random, 30, true);
    const Cost best = c.distance[c.spec.start];
    if (best == kInfinity || best == 0) continue;
    const GraphSpace space(c.spec);
    const TableHeuristic h(space, c.h, i % 2 == 0);
    SearchRequest request = MakeRequest(space, "beam", &h);
    request.params["width"] = int64_t{1};
    request.limits.max_cost = best;
    EXPECT_EQ(Solve(request).cost, best);
    request.limits.max_cost = best - 1;
    const SearchResult none = Solve(request);
    EXPECT_EQ(none.limit, LimitKind::kCost) << none.explanation;
    EXPECT_EQ(none.lower_bound, best);
    if (HasFailure()) return;
  }
}

TEST(Beam, AWiderBeamExpandsMoreAndIsNoWorseOnAHardBoard) {
  const TwoWayBoard board(KorfSpec(1));
  SearchRequest request = board.Request("beam");
  request.params["width"] = int64_t{50};
  const SearchResult narrow = Solve(request);
  request.params["width"] = int64_t{5000};
  const SearchResult wide = Solve(request);
  ASSERT_EQ(narrow.outcome, Outcome::kSolved);
  ASSERT_EQ(wide.outcome, Outcome::kSolved);
  EXPECT_LT(narrow.statistics.expanded, wide.statistics.expanded);
  EXPECT_LE(*wide.cost, *narrow.cost);
  EXPECT_GE(*wide.cost, 57);
  // A layer never holds more than the width, its children at most four times that.
  EXPECT_LE(narrow.statistics.max_open, 50 * 4);
}

}  // namespace
}  // namespace astrolabe::engine::testing
