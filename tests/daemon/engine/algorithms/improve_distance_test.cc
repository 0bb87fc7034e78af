// improve where the problem knows a distance between states: windows by iterative deepening.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <optional>
#include <string>
#include <vector>

#include "daemon/engine/algorithms/window_deepening.h"
#include "tests/daemon/engine/constructing.h"
#include "tests/daemon/engine/run.h"

namespace astrolabe::engine::testing {
namespace {

using Tiles = Constructing<TileSpace>;

// Manhattan distance to a board, and so much more where it is not 0.
class TileDistance final : public Distance {
 public:
  TileDistance(const TileSpec& spec, Cost more) : columns_(spec.columns), cells_(spec.rows * columns_), more_(more) {
    calls_.meter = this;
    calls_.bind = [](void* meter, const void* target) {
      auto& self = *static_cast<TileDistance*>(meter);
      for (int cell = 0; cell < self.cells_; ++cell)
        self.place_[TileOn(*static_cast<const Board*>(target), cell)] = cell;
    };
    calls_.eval = [](const void* meter, const void* state) {
      return static_cast<const TileDistance*>(meter)->Of(*static_cast<const Board*>(state));
    };
    calls_.eval_ops = [](const void* meter, const void* parent, Cost, const Op* ops, uint32_t n, Cost* out) {
      const auto& self = *static_cast<const TileDistance*>(meter);
      const int step[] = {-self.columns_, -1, 1, self.columns_};
      for (uint32_t i = 0; i < n; ++i) {
        const int blank = static_cast<int>(ops[i] / 4);
        out[i] = self.Of(TileSpace::Move(*static_cast<const Board*>(parent), blank, blank + step[ops[i] % 4]));
      }
    };
  }

 private:
  static size_t TileOn(Board board, int cell) { return board >> (4 * cell) & 15; }
  Cost Of(Board board) const {
    Cost sum = 0;
    for (int cell = 0; cell < cells_; ++cell) {
      const size_t tile = TileOn(board, cell);
      if (tile == 0) continue;
      sum += std::abs(cell / columns_ - place_[tile] / columns_) + std::abs(cell % columns_ - place_[tile] % columns_);
    }
    return sum == 0 ? 0 : sum + more_;
  }

  const int columns_;
  const int cells_;
  const Cost more_;
  std::array<int, 16> place_{};
};

Tiles MeasuredBoard(int rows, int columns, int steps, uint64_t seed, Cost more = 0) {
  std::mt19937_64 random(seed);
  WalkedBack walk = RandomWalkBack(rows, columns, steps, random);
  Tiles board(walk.spec, std::move(walk.path));
  board.distance = [spec = walk.spec, more] { return std::make_unique<TileDistance>(spec, more); };
  return board;
}

Tiles WithoutDistance(Tiles board) {
  board.distance = nullptr;
  return board;
}

TEST(ImproveByDistance, FindsTheSameWindowsInFewerNodesThanWithoutDistances) {
  for (uint64_t seed = 1; seed <= 5; ++seed) {
    const Tiles board = MeasuredBoard(3, 4, 600, seed);
    SearchRequest request = MakeRequest(board, "improve");
    request.params["window"] = int64_t{16};
    request.params["nodes"] = int64_t{1000};  // one round, without beams
    const SearchResult result = Solve(request);
    ASSERT_EQ(result.outcome, Outcome::kSolved) << result.explanation << result.contract_violation;
    EXPECT_TRUE(result.verified);
    const Tiles plain = WithoutDistance(board);
    SearchRequest without = MakeRequest(plain, "improve");
    without.params["window"] = int64_t{16};
    const SearchResult slow = Solve(without);
    EXPECT_LT(result.statistics.expanded - 600, (slow.statistics.expanded - 600) / 2) << seed;
    EXPECT_LT(*result.cost, 300);
    EXPECT_NEAR(static_cast<double>(*result.cost), static_cast<double>(*slow.cost), 60) << seed;
    EXPECT_EQ(*result.cost % 2, 0);
  }
}

TEST(ImproveByDistance, LeavesNoWindowThatCouldBeShorter) {
  const Tiles board = MeasuredBoard(3, 4, 600, 8);
  SearchRequest request = MakeRequest(board, "improve");
  request.params["window"] = int64_t{16};
  const SearchResult result = Solve(request);
  ASSERT_EQ(result.outcome, Outcome::kSolved);
  ASSERT_GT(result.path.size(), 16u);
  for (size_t at = 0; at + 16 <= result.path.size(); at += 8) {
    Board from = board.start();
    for (size_t i = 0; i < at; ++i) ASSERT_TRUE(board.ApplyInPlace(&from, result.path[i]));
    Board to = from;
    for (size_t i = at; i < at + 16; ++i) ASSERT_TRUE(board.ApplyInPlace(&to, result.path[i]));
    TileSpec spec = board.spec();
    for (int cell = 0; cell < 12; ++cell) {
      spec.start[static_cast<size_t>(cell)] = static_cast<int>(from >> (4 * cell) & 15);
      spec.goal[static_cast<size_t>(cell)] = static_cast<int>(to >> (4 * cell) & 15);
    }
    const TileSpace between(spec);
    EXPECT_EQ(Solve(MakeRequest(between, "uniform_cost")).cost, 16) << at;
  }
}

TEST(ImproveByDistance, ProvesTheSolutionOptimalWhenOneWindowHoldsItAll) {
  for (uint64_t seed = 20; seed < 40; ++seed) {
    const Tiles board = MeasuredBoard(3, 3, 40, seed);
    const SearchResult result = Solve(MakeRequest(board, "improve"));
    ASSERT_EQ(result.outcome, Outcome::kSolved) << result.contract_violation;
    EXPECT_EQ(result.cost, Solve(MakeRequest(WithoutDistance(board), "improve")).cost);
    EXPECT_EQ(result.proof, Proof::kOptimal);
  }
}

TEST(ImproveByDistance, AWindowThatNeedsTooManyNodesIsTriedAgainWithMore) {
  const Tiles board = MeasuredBoard(4, 4, 2000, 10);
  SearchRequest request = MakeRequest(board, "improve");
  request.params["nodes"] = int64_t{100};
  const SearchResult few = Solve(request);
  ASSERT_EQ(few.outcome, Outcome::kSolved);
  request.params["nodes"] = int64_t{2000};
  const SearchResult more = Solve(request);
  EXPECT_LT(*more.cost, *few.cost);
  EXPECT_EQ(Solve(request).statistics.expanded, more.statistics.expanded) << "the same every time";
}

TEST(ImproveByDistance, KeepsLimits) {
  const Tiles board = MeasuredBoard(4, 4, 4000, 9);
  SearchRequest request = MakeRequest(board, "improve");
  request.limits.max_expansions = 20'000;
  const SearchResult result = Solve(request);
  EXPECT_EQ(result.limit, LimitKind::kExpansions);
  EXPECT_EQ(result.statistics.expanded, 20'000);
  ASSERT_TRUE(result.has_path);
  EXPECT_TRUE(result.verified);
  EXPECT_LT(*result.cost, 4000);
  request.limits.max_expansions = 0;
  request.limits.max_generated = 30'000;
  EXPECT_EQ(Solve(request).statistics.generated, 30'000);
}

// No window of 16 operators gets such a path below 150: longer ones are searched by beams.
TEST(ImproveByDistance, FindsFarShorterWaysThroughLongWindows) {
  for (uint64_t seed = 1; seed <= 5; ++seed) {
    const Tiles board = MeasuredBoard(3, 4, 600, seed);
    SearchRequest request = MakeRequest(board, "improve");
    request.params["window"] = int64_t{16};
    const SearchResult result = Solve(request);
    ASSERT_EQ(result.outcome, Outcome::kSolved) << result.explanation << result.contract_violation;
    EXPECT_TRUE(result.verified);
    EXPECT_LT(*result.cost, 54) << "the farthest board of 3 x 4 is 53 moves away";
  }
}

TEST(ImproveByDistance, GoesOnUnderALimitWhereItWouldHaveEnded) {
  const Tiles board = MeasuredBoard(4, 4, 4000, 11);
  SearchRequest request = MakeRequest(board, "improve");
  request.params["nodes"] = int64_t{1000};
  const SearchResult ended = Solve(request);
  ASSERT_EQ(ended.outcome, Outcome::kSolved) << ended.contract_violation;
  EXPECT_NE(ended.explanation.find("shortened"), std::string::npos) << ended.explanation;
  EXPECT_NE(ended.explanation.find("It ended there because it had no limit"), std::string::npos) << ended.explanation;
  request.limits.max_expansions = ended.statistics.expanded + 1'000'000;
  const SearchResult result = Solve(request);
  EXPECT_EQ(result.limit, LimitKind::kExpansions);
  EXPECT_EQ(result.statistics.expanded, request.limits.max_expansions);
  EXPECT_TRUE(result.verified);
  EXPECT_LT(*result.cost, *ended.cost * 3 / 4);
  EXPECT_NE(result.explanation.find("More time, or a higher limit"), std::string::npos) << result.explanation;
  EXPECT_EQ(Solve(request).path, result.path) << "the same every time";
}

// Its first window is far too narrow for a proof.
TEST(ImproveByDistance, UnderALimitWindowsGetWiderUntilOneHoldsItAll) {
  for (uint64_t seed = 1; seed <= 3; ++seed) {
    const Tiles board = MeasuredBoard(3, 3, 500, seed);
    SearchRequest request = MakeRequest(board, "improve");
    request.params["window"] = int64_t{8};
    EXPECT_EQ(Solve(request).proof, Proof::kFeasible);
    request.limits.max_expansions = 50'000'000;
    const SearchResult result = Solve(request);
    ASSERT_EQ(result.outcome, Outcome::kSolved) << result.explanation;
    EXPECT_EQ(result.proof, Proof::kOptimal);
    EXPECT_EQ(result.cost, Solve(MakeRequest(board, "uniform_cost")).cost);
    EXPECT_EQ(result.explanation.find("shortened"), std::string::npos) << result.explanation;
  }
}

TEST(ImproveByDistance, SaysWhenTheFirstRoundWasCutOff) {
  const Tiles board = MeasuredBoard(4, 4, 4000, 12);
  SearchRequest request = MakeRequest(board, "improve");
  request.limits.max_expansions = 4'100;
  const SearchResult result = Solve(request);
  ASSERT_TRUE(result.has_path);
  EXPECT_NE(result.explanation.find("that was not finished"), std::string::npos) << result.explanation;
}

// Wherever a limit falls, between rounds, windows and layers of beams.
TEST(ImproveByDistance, KeepsLimitsInTheMidstOfBeams) {
  const Tiles board = MeasuredBoard(4, 4, 1000, 13);
  Cost before = kInfinity;
  for (const int64_t limit : {50'000, 100'001, 200'003, 400'007}) {
    SearchRequest request = MakeRequest(board, "improve");
    request.limits.max_expansions = limit;
    const SearchResult expanded = Solve(request);
    EXPECT_EQ(expanded.limit, LimitKind::kExpansions);
    EXPECT_EQ(expanded.statistics.expanded, limit);
    ASSERT_TRUE(expanded.verified);
    EXPECT_LE(*expanded.cost, before);
    before = *expanded.cost;
    request.limits.max_expansions = 0;
    request.limits.max_generated = limit;
    const SearchResult generated = Solve(request);
    EXPECT_EQ(generated.limit, LimitKind::kGenerated);
    EXPECT_EQ(generated.statistics.generated, limit);
    EXPECT_TRUE(generated.verified);
  }
}

TEST(ImproveByDistance, BeamsAreAsWideAsMemoryAllows) {
  const Tiles board = MeasuredBoard(4, 4, 1000, 14);
  SearchRequest request = MakeRequest(board, "improve");
  request.limits.max_expansions = 1'000'000;
  for (const int64_t memory : {int64_t{200} << 10, int64_t{64} << 20}) {
    request.limits.max_memory_bytes = memory;
    const SearchResult result = Solve(request);
    EXPECT_EQ(result.limit, LimitKind::kExpansions) << result.explanation;
    EXPECT_LE(result.statistics.peak_memory_bytes, memory);
    EXPECT_NE(result.explanation.find("by beams of"), std::string::npos) << result.explanation;
    ASSERT_TRUE(result.verified);
    EXPECT_LT(*result.cost, 100);
  }
}

TEST(ImproveByDistance, ADistanceThatIsTooLargeProvesNothing) {
  int found_out = 0;
  for (uint64_t seed = 20; seed < 40; ++seed) {
    const Tiles board = MeasuredBoard(3, 3, 40, seed, 2);
    const SearchResult result = Solve(MakeRequest(board, "improve"));
    if (result.outcome != Outcome::kPluginFailed) {
      EXPECT_EQ(result.cost, Solve(MakeRequest(WithoutDistance(board), "improve")).cost);
      continue;
    }
    EXPECT_NE(result.contract_violation.find("apart, but a path between them costs"), std::string::npos)
        << result.contract_violation;
    ++found_out;
  }
  EXPECT_GT(found_out, 0);
  const SearchResult negative = Solve(MakeRequest(MeasuredBoard(3, 3, 40, 20, -100), "improve"));
  ASSERT_EQ(negative.outcome, Outcome::kPluginFailed);
  EXPECT_NE(negative.contract_violation.find("negative distance"), std::string::npos) << negative.contract_violation;
}

}  // namespace
}  // namespace astrolabe::engine::testing
