// The problem as a state space, by the rules of the ABI.
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <numeric>
#include <set>
#include <string>
#include <vector>

#include "astrolabe/sdk/testing/local.h"
#include "cities.h"
#include "functions.h"

namespace tsp {
namespace {

using astro::testing::FakeHost;
using astro::testing::ProblemUnderTest;
using astro::testing::StateBytes;

std::vector<City> TourOf(const ProblemUnderTest& problem, const StateBytes& state) {
  const Tour tour(problem.info().state_size / sizeof(City), state.get());
  std::vector<City> cities;
  for (uint32_t place = 0; place < tour.cities(); ++place) cities.push_back(tour.at(place));
  return cities;
}

bool IsCanonical(std::vector<City> tour) {
  if (tour.front() != 0 || tour[1] > tour.back()) return false;
  std::sort(tour.begin(), tour.end());
  for (size_t i = 0; i < tour.size(); ++i) {
    if (tour[i] != i) return false;
  }
  return true;
}

// The neighbours of a tour by what 2-opt and Or-opt mean, from every cut.
std::set<std::vector<City>> NeighboursOf(const std::vector<City>& tour) {
  std::set<std::vector<City>> neighbours;
  const auto add = [&](const std::vector<City>& cities) {
    std::vector<City> state(cities.size());
    WriteTour(
        static_cast<uint32_t>(cities.size()), [&](uint32_t place) { return cities[place]; }, state.data());
    if (state != tour) neighbours.insert(state);
  };
  const auto n = static_cast<std::ptrdiff_t>(tour.size());
  for (std::ptrdiff_t i = 0; i < n; ++i) {
    for (std::ptrdiff_t j = i + 2; j <= n; ++j) {
      std::vector<City> turned = tour;
      std::reverse(turned.begin() + i, turned.begin() + j);
      add(turned);
    }
    std::vector<City> from_here = tour;
    std::rotate(from_here.begin(), from_here.begin() + i, from_here.end());
    for (std::ptrdiff_t length = 1; length <= 3 && length < n - 1; ++length) {
      std::vector<City> part(from_here.begin(), from_here.begin() + length);
      const std::vector<City> rest(from_here.begin() + length, from_here.end());
      for (int way = 0; way < 2; ++way) {
        for (size_t at = 0; at <= rest.size(); ++at) {
          std::vector<City> moved = rest;
          moved.insert(moved.begin() + static_cast<std::ptrdiff_t>(at), part.begin(), part.end());
          add(moved);
        }
        std::reverse(part.begin(), part.end());
      }
    }
  }
  return neighbours;
}

TEST(Tsp, OperatorsLeadToEveryNeighbourOnce) {
  FakeHost host;
  for (const uint32_t cities : {3u, 4u, 5u, 6u, 7u, 8u, 11u, 16u}) {
    const ProblemUnderTest problem(Functions(), host, tsp_test::RandomCities(cities, cities));
    ASSERT_TRUE(problem.ok()) << problem.faults.Text();
    for (uint64_t seed = 0; seed < 3; ++seed) {
      const StateBytes state = problem.Random(seed);
      const std::vector<City> tour = TourOf(problem, state);
      EXPECT_TRUE(IsCanonical(tour));
      const std::vector<astro_op> ops = problem.Ops(state);
      std::set<std::vector<City>> children;
      for (const astro_op op : ops) {
        const StateBytes child = problem.Apply(state, op);
        EXPECT_TRUE(IsCanonical(TourOf(problem, child)));
        EXPECT_TRUE(children.insert(TourOf(problem, child)).second) << problem.RenderOp(op);
        StateBytes in_place = state;
        int64_t cost = -1;
        EXPECT_EQ(problem.functions().apply_in_place(problem.get(), in_place.get(), op, &cost), ASTRO_OK);
        EXPECT_EQ(in_place, child);
        EXPECT_EQ(cost, 1);
      }
      EXPECT_EQ(children, NeighboursOf(tour)) << cities << " cities";
    }
  }
  EXPECT_TRUE(host.failures.empty());
}

TEST(Tsp, EveryStepCanBeTakenBack) {
  FakeHost host;
  const ProblemUnderTest problem(Functions(), host, tsp_test::RandomCities(9, 1));
  const StateBytes state = problem.Random(1);
  for (const astro_op op : problem.Ops(state)) {
    const StateBytes child = problem.Apply(state, op);
    int back = 0;
    for (const astro_op again : problem.Ops(child)) back += problem.Apply(child, again) == state ? 1 : 0;
    EXPECT_EQ(back, 1) << problem.RenderOp(op);
  }
}

TEST(Tsp, RefusesOperatorsThatAreNone) {
  FakeHost host;
  const ProblemUnderTest problem(Functions(), host, tsp_test::RandomCities(6, 1));
  StateBytes state = problem.Initial();
  const StateBytes before = state;
  const std::vector<astro_op> ops = problem.Ops(state);
  const std::set<astro_op> some(ops.begin(), ops.end());
  for (astro_op op = 0; op < 8 * 36; ++op) {
    if (some.count(op) > 0) continue;
    EXPECT_EQ(problem.functions().apply_in_place(problem.get(), state.get(), op, nullptr), ASTRO_INVALID) << op;
    EXPECT_EQ(state, before);
  }
  EXPECT_EQ(problem.functions().apply_in_place(problem.get(), state.get(), ASTRO_NO_OP, nullptr), ASTRO_INVALID);
}

TEST(Tsp, DrawsEachTourAlike) {
  FakeHost host;
  const ProblemUnderTest problem(Functions(), host, tsp_test::RandomCities(6, 1));
  EXPECT_EQ(astro::testing::RandomStateFault(problem, 20), "");
  constexpr int kDraws = 12000;  // 200 of each of 5! / 2 tours
  std::map<std::string, int> seen;
  for (int seed = 0; seed < kDraws; ++seed) ++seen[problem.Render(problem.Random(seed))];
  ASSERT_EQ(seen.size(), 60u);
  double chi_squared = 0;
  for (const auto& [tour, count] : seen) chi_squared += (count - 200.0) * (count - 200.0) / 200.0;
  // 59 degrees of freedom: outside of this in one of 10,000 draws, and the seeds are fixed.
  EXPECT_GT(chi_squared, 25);
  EXPECT_LT(chi_squared, 108);
}

TEST(Tsp, SaysWhatItIs) {
  FakeHost host;
  const ProblemUnderTest random(Functions(), host, tsp_test::RandomCities(5, 1));
  const uint32_t flags = ASTRO_PROBLEM_UNIT_COST | ASTRO_PROBLEM_NO_GOAL_TEST | ASTRO_PROBLEM_SAME_OPS;
  EXPECT_EQ(random.info().flags, flags | ASTRO_PROBLEM_NO_START);
  EXPECT_EQ(random.info().max_ops, random.Ops(random.Initial()).size());
  EXPECT_FALSE(random.IsGoal(random.Initial()));
  EXPECT_EQ(random.Describe(), "5 cities, random tours");
  EXPECT_EQ(random.Solvable().first, static_cast<uint32_t>(ASTRO_SOLVABLE_YES));
  std::string text = tsp_test::RandomCities(5, 1);
  text.replace(text.find("EOF"), 3, "TOUR_SECTION\n3 1 2\n5 4\n-1\nEOF");
  const ProblemUnderTest given(Functions(), host, text);
  ASSERT_TRUE(given.ok()) << given.faults.Text();
  EXPECT_EQ(given.info().flags, flags);
  EXPECT_EQ(given.Render(given.Initial()), "1 2 5 4 3");
  EXPECT_EQ(given.Describe(), "5 cities, from a given tour");
  EXPECT_NE(given.Fingerprint(), random.Fingerprint());
  // The largest instance lists its operators.
  const ProblemUnderTest large(Functions(), host, tsp_test::RandomCities(kMaxCities, 1));
  ASSERT_TRUE(large.ok());
  EXPECT_LT(large.info().max_ops, uint32_t{1} << 24);
  EXPECT_EQ(ProblemUnderTest(Functions(), host, tsp_test::RandomCities(3, 1)).info().max_ops, 1u);
}

TEST(Tsp, ReadsToursFromAnyCityAndEitherWay) {
  FakeHost host;
  ProblemUnderTest problem(Functions(), host, tsp_test::RandomCities(5, 1));
  const auto tour = problem.ParseState("1 2 5 4 3");
  ASSERT_TRUE(tour);
  for (const std::string_view text : {"3 4 5 2 1", "5, 4, 3, 1, 2", "2\n1\n3\n4\n5"}) {
    EXPECT_EQ(*problem.ParseState(text), *tour) << text;
  }
  EXPECT_EQ(problem.Render(*tour), "1 2 5 4 3");
  for (const std::string_view text :
       {"", "1 2 3 4", "1 2 3 4 4", "1 2 3 4 6", "1 2 3 4 0", "1 2 3 4 x", "1 2 3 4 5 1"}) {
    problem.faults.list.clear();
    EXPECT_FALSE(problem.ParseState(text)) << text;
    EXPECT_FALSE(problem.faults.list.empty()) << text;
  }
}

TEST(Tsp, NamesItsSteps) {
  FakeHost host;
  const ProblemUnderTest problem(Functions(), host, tsp_test::RandomCities(9, 1));
  std::set<std::string> names;
  const std::vector<astro_op> ops = problem.Ops(problem.Initial());
  for (const astro_op op : ops) names.insert(problem.RenderOp(op));
  EXPECT_EQ(names.size(), ops.size());
  EXPECT_EQ(names.count("reverse:2-5"), 1u);
  EXPECT_EQ(names.count("move:2-3:3"), 1u);
  EXPECT_EQ(names.count("turn:2-3:4"), 1u);
  EXPECT_EQ(names.count("turn:8-0:4"), 1u);
}

}  // namespace
}  // namespace tsp
