// What the SDK makes of a problem that constructs paths.
#include "astrolabe/abi/construct.h"

#include <gtest/gtest.h>

#include <stdexcept>
#include <vector>

#include "astrolabe/sdk/testing/under_test.h"
#include "street.h"

namespace {

using astro::testing::FakeHost;
using astro::testing::Faults;
using astro::testing::ProblemUnderTest;
using street::Line;
using street::Street;

// Its text says how it goes wrong.
class Walkway : public Line<Walkway> {
 public:
  static constexpr astro::ProblemInfo kInfo{.id = "walkway", .summary = "constructs"};
  static constexpr uint32_t kFlags = 0;
  uint32_t Ops(const State& state, astro::Op, astro::Op* ops, int64_t*) const {
    ops[0] = state.place;
    return state.place == kLast ? 0 : 1;
  }
  void Apply(const State& state, astro::Op, State& out) const { out.place = state.place + 1; }
  std::unique_ptr<Walkway> Reversed(astro::Diagnostics&) const = delete;

  void Construct(astro::OpWriter& out) const {
    if (text_ == "closed") throw astro::Refused("the walkway is closed", "come back tomorrow");
    for (astro::Op op = 0; op < kLast; ++op) out.Write({&op, 1});
    if (text_ == "throws") throw std::runtime_error("a hole");
  }
};

struct Taken {
  explicit Taken(size_t most_ops = SIZE_MAX) : most(most_ops) {}
  std::vector<astro_op> ops;
  size_t most;
  const astro_op_sink sink = {this, [](void* ctx, const astro_op* piece, uint64_t count) -> int32_t {
                                auto& taken = *static_cast<Taken*>(ctx);
                                taken.ops.insert(taken.ops.end(), piece, piece + count);
                                return taken.ops.size() >= taken.most ? 1 : 0;
                              }};
};

const astro_problem_construct_v1* Calls(const ProblemUnderTest& problem) {
  return static_cast<const astro_problem_construct_v1*>(
      problem.functions().get_extension(astro::ToText(ASTRO_PROBLEM_CONSTRUCT_V1)));
}

TEST(Construct, IsExportedOnlyByProblemsThatHaveIt) {
  FakeHost host;
  EXPECT_EQ(Calls(ProblemUnderTest(astro::Problem<Street>::Functions(), host, "")), nullptr);
  const ProblemUnderTest walkway(astro::Problem<Walkway>::Functions(), host, "");
  ASSERT_NE(Calls(walkway), nullptr);
  EXPECT_EQ(Calls(walkway)->struct_size, sizeof(astro_problem_construct_v1));
}

TEST(Construct, WritesToTheHost) {
  FakeHost host;
  const ProblemUnderTest walkway(astro::Problem<Walkway>::Functions(), host, "");
  Taken taken;
  Faults faults;
  EXPECT_EQ(Calls(walkway)->construct(walkway.get(), &taken.sink, faults.get()), ASTRO_OK);
  EXPECT_EQ(taken.ops, (std::vector<astro_op>{0, 1, 2, 3, 4, 5}));
}

TEST(Construct, EndsWhenTheHostWantsNoMore) {
  FakeHost host;
  const ProblemUnderTest walkway(astro::Problem<Walkway>::Functions(), host, "");
  Taken taken(2);
  Faults faults;
  EXPECT_EQ(Calls(walkway)->construct(walkway.get(), &taken.sink, faults.get()), ASTRO_CANCELLED);
  EXPECT_EQ(taken.ops.size(), 2u);
  EXPECT_TRUE(host.failures.empty());
}

TEST(Construct, TellsWhyItRefuses) {
  FakeHost host;
  const ProblemUnderTest walkway(astro::Problem<Walkway>::Functions(), host, "closed");
  Taken taken;
  Faults faults;
  EXPECT_EQ(Calls(walkway)->construct(walkway.get(), &taken.sink, faults.get()), ASTRO_REFUSED);
  ASSERT_EQ(faults.list.size(), 1u);
  EXPECT_EQ(faults.list[0].message, "the walkway is closed");
  EXPECT_EQ(faults.list[0].hint, "come back tomorrow");
}

TEST(Construct, LetsNoExceptionOut) {
  FakeHost host;
  const ProblemUnderTest walkway(astro::Problem<Walkway>::Functions(), host, "throws");
  Taken taken;
  Faults faults;
  EXPECT_EQ(Calls(walkway)->construct(walkway.get(), &taken.sink, faults.get()), ASTRO_INTERNAL);
  ASSERT_EQ(host.failures.size(), 1u);
  EXPECT_EQ(host.failures[0].function, "construct");
}

}  // namespace
