#include "client/cli/bench_stats.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

namespace astrolabe::cli {
namespace {

using client::Outcome;
using client::Proof;

// 1 + b + ... + b^d, term by term.
double Tree(double b, int64_t depth) {
  double sum = 0;
  double level = 1;
  for (int64_t i = 0; i <= depth; ++i, level *= b) sum += level;
  return sum;
}

// N nodes without the root, as the textbook counts.
double Textbook(int64_t n, int64_t depth) { return EffectiveBranchingFactor(n + 1, depth).value(); }

TEST(EffectiveBranchingFactor, IsThatOfTheTextbook) {
  EXPECT_NEAR(Textbook(52, 5), 1.92, 0.005) << "Russell and Norvig, 3.6.1";
  EXPECT_NEAR(Textbook(62, 5), 2, 1e-12) << "63 nodes are the full binary tree";
}

TEST(EffectiveBranchingFactor, IsExactForUniformTrees) {
  for (const int64_t b : {1, 2, 3, 7, 100}) {
    for (const int64_t depth : {1, 2, 5, 8}) {
      EXPECT_NEAR(EffectiveBranchingFactor(static_cast<int64_t>(Tree(static_cast<double>(b), depth)), depth).value(),
                  static_cast<double>(b), 1e-9)
          << b << "^" << depth;
    }
  }
}

TEST(EffectiveBranchingFactor, SolvesItsEquation) {
  for (const int64_t generated : {2, 3, 10, 53, 1000, 276361933}) {
    for (const int64_t depth : {1, 2, 4, 31, 57, 1000}) {
      const double b = EffectiveBranchingFactor(generated, depth).value();
      EXPECT_NEAR(Tree(b, depth) / static_cast<double>(generated), 1, 1e-8) << generated << " at " << depth;
    }
  }
}

TEST(EffectiveBranchingFactor, AtTheEdges) {
  EXPECT_FALSE(EffectiveBranchingFactor(1, 0)) << "no move: every b fits";
  EXPECT_FALSE(EffectiveBranchingFactor(0, 5)) << "nothing was searched";
  EXPECT_EQ(EffectiveBranchingFactor(1, 5), 0.0);
  EXPECT_NEAR(EffectiveBranchingFactor(1'000'001, 1'000'000).value(), 1, 1e-9) << "a straight line";
  EXPECT_LT(EffectiveBranchingFactor(3, 100).value(), 1) << "a solution that was guessed";
  const double huge = EffectiveBranchingFactor(std::numeric_limits<int64_t>::max(), 1).value();
  EXPECT_NEAR(huge / 9.223372036854775807e18, 1, 1e-9);
  EXPECT_TRUE(std::isfinite(EffectiveBranchingFactor(std::numeric_limits<int64_t>::max(), 1'000'000'000).value()));
}

TEST(WilsonInterval, IsThatOfTheTables) {
  const auto expect = [](int64_t successes, int64_t trials, double low, double high) {
    const std::optional<Interval> interval = WilsonInterval(successes, trials);
    ASSERT_TRUE(interval.has_value());
    EXPECT_NEAR(interval->low, low, 5e-5) << successes << " of " << trials;
    EXPECT_NEAR(interval->high, high, 5e-5) << successes << " of " << trials;
  };
  // Computed by hand with z = 1.96: (p + z^2/2n +- z sqrt(p(1-p)/n + z^2/4n^2)) / (1 + z^2/n).
  expect(0, 10, 0, 0.2775);
  expect(10, 10, 0.7225, 1);
  expect(5, 10, 0.2366, 0.7634);
  expect(81, 263, 0.2553, 0.3662);  // Newcombe, Statistics in Medicine 17 (1998), table I
  EXPECT_FALSE(WilsonInterval(0, 0)) << "no trials";
}

TEST(ClimbFigures, AreMeansOfTheirKind) {
  const ClimbFigures figures({.climbs = 11,
                              .solved = 4,
                              .stuck = 6,
                              .steps = 45,
                              .steps_solved = 20,
                              .steps_stuck = 15,
                              .sideways_steps = 22,
                              .worsening_steps = 0});
  EXPECT_DOUBLE_EQ(figures.success_rate.value(), 0.4) << "one climb was cut off: it is neither";
  EXPECT_DOUBLE_EQ(figures.steps_solved.value(), 5);
  EXPECT_DOUBLE_EQ(figures.steps_stuck.value(), 2.5);
  EXPECT_DOUBLE_EQ(figures.sideways_steps.value(), 2);
  const ClimbFigures none({});
  EXPECT_FALSE(none.success_rate || none.interval || none.steps_solved || none.steps_stuck || none.sideways_steps);
}

TEST(MeanAndMedian, OfNothingAreUnset) {
  EXPECT_FALSE(Mean({}));
  EXPECT_FALSE(Median({}));
}

TEST(MeanAndMedian, AreThoseOfTheValues) {
  const std::vector<double> odd = {9, 1, 2};
  EXPECT_EQ(Mean(odd), 4);
  EXPECT_EQ(Median(odd), 2);
  EXPECT_EQ(Median({8, 1, 3, 2}), 2.5);
  EXPECT_EQ(Median({5}), 5);
}

BenchRow Row(size_t config, int64_t length, int64_t generated, Outcome outcome = Outcome::kSolved) {
  BenchRow row;
  row.config = config;
  row.outcome = outcome;
  row.proof = Proof::kOptimal;
  row.length = row.cost = length;
  row.generated = generated;
  row.branching = EffectiveBranchingFactor(generated, length);
  row.time = client::Duration(1000);
  return row;
}

TEST(BenchTotals, FiguresAreThoseOfSolvedRuns) {
  BenchTotals totals(1);
  totals.AddInstance(std::vector{Row(0, 4, 10)});
  totals.AddInstance(std::vector{Row(0, 4, 20)});
  BenchRow stopped = Row(0, 4, 1000, Outcome::kLimitReached);
  totals.AddInstance(std::vector{stopped});
  BenchRow failed;
  failed.error = absl::InternalError("x");
  totals.AddInstance(std::vector{failed});
  const BenchTally& tally = totals.configs()[0];
  EXPECT_EQ(totals.instances(), 4);
  EXPECT_EQ(tally.runs(), 4);
  EXPECT_EQ(tally.solved(), 2);
  EXPECT_EQ(tally.optimal(), 2);
  EXPECT_EQ(Mean(tally.generated()), 15);
  EXPECT_EQ(tally.total_time(), client::Duration(3000)) << "of all runs";
}

TEST(BenchTotals, AnInstanceBelongsToTheLengthOfItsCheapestSolution) {
  BenchTotals totals(2);
  totals.AddInstance(std::vector{Row(0, 8, 10), Row(1, 4, 100)});
  ASSERT_EQ(totals.by_length().size(), 1u);
  const auto& [length, group] = *totals.by_length().begin();
  EXPECT_EQ(length, 4);
  EXPECT_EQ(group.instances, 1);
  EXPECT_EQ(Mean(group.configs[0].generated()), 10);
  EXPECT_EQ(Mean(group.configs[1].generated()), 100);
}

TEST(BenchTotals, AnInstanceWithoutASolutionIsInNoGroup) {
  BenchTotals totals(1);
  BenchRow none = Row(0, 4, 10, Outcome::kUnsolvable);
  none.length.reset();
  none.cost.reset();
  totals.AddInstance(std::vector{none});
  EXPECT_TRUE(totals.by_length().empty());
  EXPECT_EQ(totals.configs()[0].runs(), 1);
}

TEST(BenchTotals, AGroupTellsHowManyWereSolved) {
  BenchTotals totals(2);
  totals.AddInstance(std::vector{Row(0, 4, 10), Row(1, 4, 30)});
  BenchRow none = Row(1, 4, 999, Outcome::kLimitReached);
  none.length.reset();
  none.cost.reset();
  totals.AddInstance(std::vector{Row(0, 4, 20), none});
  const auto& group = totals.by_length().at(4);
  EXPECT_EQ(group.instances, 2);
  EXPECT_EQ(group.configs[0].solved(), 2);
  EXPECT_EQ(group.configs[1].solved(), 1);
  EXPECT_EQ(Mean(group.configs[1].generated()), 30);
}

}  // namespace
}  // namespace astrolabe::cli
