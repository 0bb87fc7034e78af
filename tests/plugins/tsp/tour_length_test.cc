// tour_length and the problem, by the plugin files as the host loads them, against exact methods.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <limits>
#include <numeric>
#include <string>
#include <vector>

#include "astrolabe/sdk/testing/loaded_plugin.h"
#include "astrolabe/sdk/testing/under_test.h"
#include "astrolabe/tsp/tour.h"
#include "cities.h"

namespace {

using astro::testing::FakeHost;
using astro::testing::HeuristicUnderTest;
using astro::testing::LoadedPlugin;
using astro::testing::ProblemUnderTest;
using astro::testing::StateBytes;

const LoadedPlugin& File(const std::string& name) {
  static const LoadedPlugin tsp(ASTROLABE_TEST_PLUGIN_DIR "/tsp.so");
  static const LoadedPlugin length(ASTROLABE_TEST_PLUGIN_DIR "/tour_length.so");
  const LoadedPlugin& file = name == "tsp" ? tsp : length;
  EXPECT_EQ(file.error(), "");
  return file;
}

struct TourLengthTest : ::testing::Test {
  TourLengthTest() : problem(File("tsp").Problem()), length(File("tour_length").Heuristic()) {}

  static tsp::Instance View(const ProblemUnderTest& cities) {
    return tsp::Problem::MakeInstance(cities.functions().domain_view(cities.get()));
  }
  std::vector<int64_t> Neighbours(const ProblemUnderTest& cities, const HeuristicUnderTest& h, const StateBytes& tour,
                                  const std::vector<astro_op>& ops) {
    std::vector<int64_t> lengths(ops.size());
    length->eval_ops(h.context(), tour.get(), h.Eval(tour), nullptr, ops.data(), static_cast<uint32_t>(ops.size()),
                     lengths.data(), nullptr);
    EXPECT_LE(ops.size(), cities.info().max_ops);
    return lengths;
  }

  const astro_problem_v1* problem;
  const astro_heuristic_v1* length;
  FakeHost host;
};

// Held and Karp, "A dynamic programming approach to sequencing problems" (1962): the shortest way from city 0 through
// each set of cities to each of its members.
int64_t ShortestTour(const tsp::Instance& cities) {
  const uint32_t others = cities.cities() - 1;
  const auto distance = [&](uint32_t a, uint32_t b) {
    return cities.distance(static_cast<tsp::City>(a), static_cast<tsp::City>(b));
  };
  constexpr int64_t kNone = std::numeric_limits<int64_t>::max() / 2;
  std::vector<std::vector<int64_t>> way(size_t{1} << others, std::vector<int64_t>(others, kNone));
  for (uint32_t city = 0; city < others; ++city) way[size_t{1} << city][city] = distance(0, city + 1);
  for (size_t set = 1; set < way.size(); ++set) {
    for (uint32_t last = 0; last < others; ++last) {
      if ((set >> last & 1) == 0) continue;
      for (uint32_t next = 0; next < others; ++next) {
        if ((set >> next & 1) != 0) continue;
        int64_t& best = way[set | size_t{1} << next][next];
        best = std::min(best, way[set][last] + distance(last + 1, next + 1));
      }
    }
  }
  int64_t best = kNone;
  for (uint32_t last = 0; last < others; ++last) best = std::min(best, way.back()[last] + distance(last + 1, 0));
  return best;
}

TEST_F(TourLengthTest, AddsUpTheDistances) {
  ProblemUnderTest square(problem, host,
                          "DIMENSION : 4\nEDGE_WEIGHT_TYPE : EUC_2D\nNODE_COORD_SECTION\n1 0 0\n2 0 8\n3 8 0\n4 8 8\n");
  ASSERT_TRUE(square.ok()) << square.faults.Text();
  const HeuristicUnderTest h(length, host, square);
  EXPECT_EQ(h.Eval(*square.ParseState("1 2 4 3")), 32);
  EXPECT_EQ(h.Eval(*square.ParseState("1 4 2 3")), 8 + 11 + 8 + 11);
  EXPECT_EQ(h.info().claims, 0u);
}

TEST_F(TourLengthTest, ANeighboursLengthIsThatOfItsTour) {
  for (const uint32_t cities : {4u, 5u, 6u, 7u, 12u, 40u}) {
    const ProblemUnderTest instance(problem, host, tsp_test::RandomCities(cities, cities));
    const HeuristicUnderTest h(length, host, instance);
    ASSERT_TRUE(h.ok());
    for (uint64_t seed = 0; seed < 4; ++seed) {
      const StateBytes tour = instance.Random(seed);
      const std::vector<astro_op> ops = instance.Ops(tour);
      EXPECT_FALSE(ops.empty());
      const std::vector<int64_t> lengths = Neighbours(instance, h, tour, ops);
      for (size_t i = 0; i < ops.size(); ++i) {
        ASSERT_EQ(lengths[i], h.Eval(instance.Apply(tour, ops[i]))) << instance.RenderOp(ops[i]);
      }
    }
  }
}

TEST_F(TourLengthTest, TheShortestOfAllToursIsTheOptimum) {
  for (const uint32_t cities : {3u, 4u, 6u, 8u, 9u}) {
    const ProblemUnderTest instance(problem, host, tsp_test::RandomCities(cities, 100 + cities));
    const HeuristicUnderTest h(length, host, instance);
    std::vector<tsp::City> tour(cities);
    std::iota(tour.begin(), tour.end(), tsp::City{0});
    int64_t best = std::numeric_limits<int64_t>::max();
    StateBytes state = instance.NewState();
    do {
      std::memcpy(state.get(), tour.data(), cities * sizeof(tsp::City));
      best = std::min(best, h.Eval(state));
    } while (std::next_permutation(tour.begin() + 1, tour.end()));
    EXPECT_EQ(best, ShortestTour(View(instance))) << cities;
  }
}

// Steepest descent from random tours: its neighbours are enough to find the optimum of a dozen cities.
TEST_F(TourLengthTest, DescentsReachTheOptimumAndNothingBelowIt) {
  const ProblemUnderTest instance(problem, host, tsp_test::RandomCities(12, 5));
  const HeuristicUnderTest h(length, host, instance);
  const int64_t optimum = ShortestTour(View(instance));
  int64_t best = std::numeric_limits<int64_t>::max();
  for (uint64_t seed = 0; seed < 50; ++seed) {
    StateBytes tour = instance.Random(seed);
    while (true) {
      const std::vector<astro_op> ops = instance.Ops(tour);
      const std::vector<int64_t> lengths = Neighbours(instance, h, tour, ops);
      const auto shortest = std::min_element(lengths.begin(), lengths.end());
      if (*shortest >= h.Eval(tour)) break;
      tour = instance.Apply(tour, ops[static_cast<size_t>(shortest - lengths.begin())]);
    }
    EXPECT_GE(h.Eval(tour), optimum);
    best = std::min(best, h.Eval(tour));
  }
  EXPECT_EQ(best, optimum);
}

}  // namespace
