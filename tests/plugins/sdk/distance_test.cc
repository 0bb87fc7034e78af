// What the SDK makes of a problem that bounds the cost between states.
#include "astrolabe/abi/distance.h"

#include <gtest/gtest.h>

#include <array>
#include <stdexcept>

#include "astrolabe/sdk/testing/under_test.h"
#include "street.h"

namespace {

using astro::testing::FakeHost;
using astro::testing::ProblemUnderTest;
using street::Line;
using street::Street;

// Forward and back along the line, at the cost of 1. Its text says how it goes wrong.
class Towpath : public Line<Towpath> {
 public:
  static constexpr astro::ProblemInfo kInfo{.id = "towpath", .summary = "there and back"};
  static constexpr uint32_t kFlags = 0;
  uint32_t Ops(const State&, astro::Op, astro::Op* ops, int64_t*) const {
    ops[0] = 0;
    ops[1] = 1;
    return 2;
  }
  void Apply(const State& state, astro::Op op, State& out) const {
    out.place = op == 0 ? state.place + 1 : state.place - 1;
  }
  std::unique_ptr<Towpath> Reversed(astro::Diagnostics&) const = delete;

  class Steps {
   public:
    explicit Steps(bool throws) : throws_(throws) {}
    void Bind(const State& target) { target_ = target.place; }
    int64_t Evaluate(const State& state) const {
      if (throws_) throw std::runtime_error("no steps here");
      return state.place > target_ ? state.place - target_ : target_ - state.place;
    }
    int64_t EvaluateOp(const State& parent, int64_t, astro::Op op) const {
      return Evaluate({op == 0 ? parent.place + 1 : parent.place - 1});
    }

   private:
    const bool throws_;
    uint32_t target_ = 0;
  };
  Steps Distance() const {
    if (text_ == "memory") throw std::bad_alloc();
    return Steps(text_ == "throws");
  }
};

const astro_problem_distance_v1* DistanceFunctions(const ProblemUnderTest& problem) {
  return static_cast<const astro_problem_distance_v1*>(
      problem.functions().get_extension(astro::ToText(ASTRO_PROBLEM_DISTANCE_V1)));
}

TEST(Distance, IsExportedOnlyByProblemsThatHaveIt) {
  FakeHost host;
  EXPECT_EQ(DistanceFunctions(ProblemUnderTest(astro::Problem<Street>::Functions(), host, "")), nullptr);
  const ProblemUnderTest towpath(astro::Problem<Towpath>::Functions(), host, "");
  ASSERT_NE(DistanceFunctions(towpath), nullptr);
  EXPECT_EQ(DistanceFunctions(towpath)->struct_size, sizeof(astro_problem_distance_v1));
}

TEST(Distance, IsToTheTargetThatWasBoundLast) {
  FakeHost host;
  const ProblemUnderTest towpath(astro::Problem<Towpath>::Functions(), host, "");
  const auto* const calls = DistanceFunctions(towpath);
  void* const meter = calls->open(towpath.get());
  void* const other = calls->open(towpath.get());
  const Towpath::State two{2};
  const Towpath::State five{5};
  calls->bind(meter, &five);
  calls->bind(other, &two);
  EXPECT_EQ(calls->eval(meter, &two), 3);
  EXPECT_EQ(calls->eval(other, &two), 0);
  const std::array<astro_op, 2> ops = {0, 1};
  std::array<int64_t, 2> h = {};
  calls->eval_ops(meter, &two, 3, ops.data(), 2, h.data());
  EXPECT_EQ(h, (std::array<int64_t, 2>{2, 4}));
  calls->bind(meter, &two);
  EXPECT_EQ(calls->eval(meter, &five), 3);
  calls->close(meter);
  calls->close(other);
  EXPECT_TRUE(host.failures.empty());
}

TEST(Distance, LetsNoExceptionOut) {
  FakeHost host;
  const ProblemUnderTest full(astro::Problem<Towpath>::Functions(), host, "memory");
  EXPECT_EQ(DistanceFunctions(full)->open(full.get()), nullptr);
  EXPECT_TRUE(host.failures.empty()) << "no memory is no failure";
  const ProblemUnderTest towpath(astro::Problem<Towpath>::Functions(), host, "throws");
  void* const meter = DistanceFunctions(towpath)->open(towpath.get());
  const Towpath::State two{2};
  DistanceFunctions(towpath)->bind(meter, &two);
  DistanceFunctions(towpath)->eval(meter, &two);
  DistanceFunctions(towpath)->close(meter);
  ASSERT_EQ(host.failures.size(), 1u);
  EXPECT_EQ(host.failures[0].function, "distance.eval");
}

}  // namespace
