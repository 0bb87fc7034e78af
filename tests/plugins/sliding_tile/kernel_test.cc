// The kernels against the plain reference, node for node.
#include <gtest/gtest.h>

#include "astrolabe/sdk/heuristic.h"
#include "astrolabe/sdk/testing/ida.h"
#include "astrolabe/sliding_tile/board.h"
#include "astrolabe/sliding_tile/per_tile.h"
#include "boards.h"
#include "plugins_under_test.h"

namespace {

using namespace astro::testing;
using sliding_tile::Board;
using sliding_tile::Instance;
using sliding_tile::Move;

// Not admissible, not even in the lookups: any number that depends on the state.
struct Wild {
  static constexpr astro::HeuristicInfo kInfo{.id = "wild", .summary = "w"};
  explicit Wild(const Instance& instance) : instance(instance) {}
  int64_t Evaluate(const Board& board) const {
    int64_t h = 0;
    for (int square = 0; square < board.cells(); ++square) h += (board.tile(square) * (square + 3)) % 5;
    if (h % 11 == 3) return astro::kDeadEnd;
    return h % 7;
  }
  Instance instance;
};

// The same with something to carry along.
struct WildCarrying : Wild {
  static constexpr astro::HeuristicInfo kInfo{.id = "wild_carrying", .summary = "w"};
  struct Aux {
    int64_t sum;
    uint8_t padding_on_purpose[13];
  };
  using Wild::Wild;
  Aux RootAux(const Board& board) const {
    Aux aux = {};
    for (int square = 0; square < board.cells(); ++square) aux.sum += Term(board.tile(square), square);
    return aux;
  }
  int64_t EvaluateMove(const Board& parent, int64_t, const Aux& in, const Move& move, Aux& out) const {
    const int tile = parent.tile(move.from);
    out.sum = in.sum - Term(tile, move.from) + Term(tile, move.to);
    return out.sum % 11 == 3 ? astro::kDeadEnd : out.sum % 7;
  }
  static int64_t Term(int tile, int square) { return (tile * (square + 3)) % 5; }
};

// An additive table with other numbers than one.
struct Weighted : sliding_tile::PerTile<Weighted> {
  static constexpr astro::HeuristicInfo kInfo{.id = "weighted", .summary = "w"};
  using PerTile::PerTile;
  static int TileCost(const Instance& puzzle, int tile, int square) {
    const int rows = std::abs(puzzle.row(square) - puzzle.goal_row(tile));
    const int cols = std::abs(puzzle.col(square) - puzzle.goal_col(tile));
    return tile % 3 == 0 ? 2 * rows + cols : tile % 3 == 1 ? rows : rows + cols;
  }
};

// One whose table is a lie: what a tile costs depends on how it came.
struct Crooked : Weighted {
  static constexpr astro::HeuristicInfo kInfo{.id = "crooked", .summary = "w"};
  explicit Crooked(const Instance& instance)
      : Weighted(instance), zeros(instance.cells() * instance.cells() * instance.cells(), -1) {}
  std::optional<astro_additive_table_v1> AdditiveTable() const {
    auto table = *Weighted::AdditiveTable();
    table.delta = zeros.data();
    return table;
  }
  std::vector<int8_t> zeros;
};

template <class H>
const astro_heuristic_v1* Functions() {
  return astro::Heuristic<H, sliding_tile::Problem>::Functions();
}

struct Case {
  const char* name;
  const astro_heuristic_v1* (*heuristic)();
  bool table;  // the additive table is used where there is a kernel for it
};
const Case kCases[] = {
    {"manhattan", [] { return Plugin("manhattan").Heuristic(); }, true},
    {"hamming", [] { return Plugin("hamming").Heuristic(); }, true},
    {"weighted", &Functions<Weighted>, true},
    {"wild", &Functions<Wild>, false},
    {"wild_carrying", &Functions<WildCarrying>, false},
};

struct Shape {
  int rows;
  int cols;
};
const Shape kShapes[] = {{2, 2}, {3, 3}, {2, 4}, {4, 3}, {4, 4}, {3, 6}, {5, 5}, {3, 86}};

class Kernel : public ::testing::TestWithParam<std::tuple<Shape, Case>> {
 protected:
  const Shape& shape() const { return std::get<0>(GetParam()); }
  const Case& heuristic_case() const { return std::get<1>(GetParam()); }
  // A board whose root is no dead end to this heuristic.
  std::string Searchable(FakeHost& host) const {
    for (uint32_t seed = 3;; ++seed) {
      std::string text = Scrambled(12, seed);
      ProblemUnderTest problem(Plugin("sliding_tile").Problem(), host, text);
      if (HeuristicUnderTest(heuristic_case().heuristic(), host, problem).Eval(problem.Initial()) != ASTRO_DEAD_END) {
        return text;
      }
    }
  }
  bool HasRegisterKernel() const { return shape().rows == shape().cols && (shape().rows == 3 || shape().rows == 4); }
  std::string Scrambled(int steps, uint32_t seed) const {
    std::mt19937 random(seed);
    const auto goal =
        boards::Walk(shape().rows, shape().cols, boards::BlankLast(shape().rows * shape().cols), 999, random);
    return boards::WithGoal(shape().rows, shape().cols, boards::Walk(shape().rows, shape().cols, goal, steps, random),
                            goal);
  }
};

INSTANTIATE_TEST_SUITE_P(Shapes, Kernel, ::testing::Combine(::testing::ValuesIn(kShapes), ::testing::ValuesIn(kCases)),
                         [](const auto& info) {
                           const Shape& shape = std::get<0>(info.param);
                           return std::string(std::get<1>(info.param).name) + std::to_string(shape.rows) + "x" +
                                  std::to_string(shape.cols);
                         });

TEST_P(Kernel, VisitsTheNodesOfTheDefinition) {
  FakeHost host;
  for (uint32_t seed = 1; seed <= 4; ++seed) {
    ProblemUnderTest problem(Plugin("sliding_tile").Problem(), host, Scrambled(seed == 1 ? 0 : 14, seed));
    ASSERT_TRUE(problem.ok()) << problem.faults.Text();
    HeuristicUnderTest heuristic(heuristic_case().heuristic(), host, problem);
    ASSERT_TRUE(heuristic.ok());
    IdaLimits limits;
    limits.max_expanded = 20000;
    const int64_t root_h = heuristic.Eval(problem.Initial());
    for (int64_t bound = root_h == ASTRO_DEAD_END ? 5 : root_h - 1; bound < 14; ++bound) {
      const IdaIteration expected = ReferenceIda(problem, heuristic, bound, limits).Run();
      EXPECT_EQ(RunKernel(problem, heuristic, bound, false, limits), expected)
          << "seed " << seed << ", bound " << bound;
      const IdaIteration additive = RunKernel(problem, heuristic, bound, true, limits);
      EXPECT_EQ(additive, expected) << "with the table, seed " << seed << ", bound " << bound;
      EXPECT_EQ(additive.used_additive, heuristic_case().table && HasRegisterKernel() && bound >= root_h);
      if (expected.end != ASTRO_IDA_EXHAUSTED) break;
    }
  }
}

TEST_P(Kernel, StopsAtEveryLimitExactly) {
  FakeHost host;
  ProblemUnderTest problem(Plugin("sliding_tile").Problem(), host, Searchable(host));
  HeuristicUnderTest heuristic(heuristic_case().heuristic(), host, problem);
  const int64_t root_h = heuristic.Eval(problem.Initial());
  const int64_t bound = root_h + 4;
  for (uint64_t limit = 0; limit < 40; ++limit) {
    for (const bool table : {false, true}) {
      IdaLimits limits;
      limits.max_expanded = limit;
      ASSERT_EQ(RunKernel(problem, heuristic, bound, table, limits),
                ReferenceIda(problem, heuristic, bound, limits).Run())
          << limit << " expanded, table " << table;
      limits = {};
      limits.max_generated = limit;
      ASSERT_EQ(RunKernel(problem, heuristic, bound, table, limits),
                ReferenceIda(problem, heuristic, bound, limits).Run())
          << limit << " generated, table " << table;
      limits.path_cap = static_cast<uint32_t>(limit);
      limits.max_generated = 3000;
      ASSERT_EQ(RunKernel(problem, heuristic, bound, table, limits),
                ReferenceIda(problem, heuristic, bound, limits).Run())
          << limit << " path room, table " << table;
    }
  }
}

TEST_P(Kernel, GoesOnWhenPolledAsIfNothingHadBeen) {
  FakeHost host;
  ProblemUnderTest problem(Plugin("sliding_tile").Problem(), host, Searchable(host));
  HeuristicUnderTest heuristic(heuristic_case().heuristic(), host, problem);
  const int64_t root_h = heuristic.Eval(problem.Initial());
  IdaLimits straight;
  straight.max_expanded = 20000;
  for (const bool table : {false, true}) {
    const IdaIteration expected = RunKernel(problem, heuristic, root_h + 4, table, straight);
    for (const uint64_t step : {1, 2, 3, 7}) {
      IdaLimits limits = straight;
      limits.expand_step = step;
      ASSERT_EQ(RunKernel(problem, heuristic, root_h + 4, table, limits), expected) << step;
      limits.generate_step = step;
      ASSERT_EQ(RunKernel(problem, heuristic, root_h + 4, table, limits), expected) << step;
    }
  }
}

// Cut at a depth and begun anew below: what was counted above and below is what the whole iteration counts, and the
// path, way and rest, is its path.
TEST_P(Kernel, BelowSeveralRootsIsTheRestOfTheIteration) {
  FakeHost host;
  int found = 0;
  for (uint32_t seed = 1; seed <= 4; ++seed) {
    ProblemUnderTest problem(Plugin("sliding_tile").Problem(), host, Scrambled(16, seed));
    HeuristicUnderTest heuristic(heuristic_case().heuristic(), host, problem);
    ASSERT_EQ(problem.Kernel()->flags & ASTRO_IDA_TAKES_ROOTS, ASTRO_IDA_TAKES_ROOTS);
    const int64_t root_h = heuristic.Eval(problem.Initial());
    if (root_h == ASTRO_DEAD_END) continue;
    for (int64_t bound = root_h; bound < root_h + 8; ++bound) {
      IdaLimits few;
      few.max_expanded = 20000;
      const IdaIteration whole = RunKernel(problem, heuristic, bound, false, few);
      if (whole.end == ASTRO_IDA_STOPPED) break;
      for (const size_t depth : {1u, 3u, 6u}) {
        const IdaCut cut(problem, heuristic, bound, depth);
        if (cut.starts.empty()) continue;
        for (const bool table : {false, true}) {
          for (const bool any_order : {false, true}) {
            SCOPED_TRACE(testing::Message() << "seed " << seed << ", bound " << bound << ", depth " << depth
                                            << ", table " << table << ", any order " << any_order);
            IdaLimits limits;
            limits.any_order = any_order;
            limits.expand_step = 100;
            const IdaIteration rest = RunKernel(problem, heuristic, bound, table, limits, cut.starts);
            ASSERT_EQ(rest.end, whole.end);
            IdaCut::Counts above = cut.all;
            if (rest.end == ASTRO_IDA_FOUND) {
              ++found;
              ASSERT_LT(rest.found_root, cut.starts.size());
              above = cut.before[rest.found_root];
              std::vector<astro::Op> path = cut.ways[rest.found_root];
              path.insert(path.end(), rest.path.begin(), rest.path.end());
              EXPECT_EQ(path, whole.path);
              EXPECT_EQ(rest.path_cost, whole.path_cost);
            } else {
              EXPECT_EQ(std::min(rest.next_bound, cut.next_bound), whole.next_bound);
            }
            EXPECT_EQ(above.expanded + rest.expanded, whole.expanded);
            EXPECT_EQ(above.generated + rest.generated, whole.generated);
            EXPECT_EQ(rest.used_additive, table && heuristic_case().table && HasRegisterKernel());
            if (testing::Test::HasFailure()) return;
          }
        }
      }
      if (whole.end == ASTRO_IDA_FOUND) break;
    }
  }
  EXPECT_TRUE(found > 0 || !heuristic_case().table);
}

TEST(KernelTable, ThatIsNoSumIsLeftAlone) {
  FakeHost host;
  std::mt19937 random(2);
  ProblemUnderTest problem(Plugin("sliding_tile").Problem(), host,
                           boards::Text(4, 4, boards::Walk(4, 4, boards::BlankLast(16), 30, random)));
  HeuristicUnderTest crooked(Functions<Crooked>(), host, problem);
  HeuristicUnderTest weighted(Functions<Weighted>(), host, problem);
  const int64_t bound = weighted.Eval(problem.Initial()) + 2;
  const IdaIteration result = RunKernel(problem, crooked, bound, true);
  EXPECT_FALSE(result.used_additive);
  EXPECT_EQ(result, RunKernel(problem, weighted, bound, false));
}

// Worse than inadmissible: below zero, which the ABI forbids. The search may go wrong, never the process. The board has
// no solution, so that all is searched.
TEST(KernelHeuristic, BelowZeroStillEndsAtTheBound) {
  FakeHost host;
  ProblemUnderTest problem(Plugin("sliding_tile").Problem(), host, "1 2 3/4 5 6/8 7 0");
  HeuristicUnderTest manhattan(Plugin("manhattan").Heuristic(), host, problem);
  astro_heuristic_v1 negative = manhattan.functions();
  negative.eval_ops = [](const void*, const void*, int64_t, const void*, const astro_op*, uint32_t n, int64_t* h,
                         void*) {
    for (uint32_t i = 0; i < n; ++i) h[i] = -1000;
  };
  HeuristicUnderTest heuristic(&negative, host, problem);
  IdaLimits limits;
  limits.max_expanded = 100000;
  EXPECT_EQ(RunKernel(problem, heuristic, 15, false, limits).end, ASTRO_IDA_EXHAUSTED);
}

}  // namespace
