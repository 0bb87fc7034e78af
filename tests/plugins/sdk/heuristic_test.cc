#include "astrolabe/sdk/heuristic.h"

#include <gtest/gtest.h>

#include <random>

#include "astrolabe/sdk/testing/under_test.h"
#include "counter.h"

namespace {

using astro::testing::FakeHost;
using astro::testing::HeuristicUnderTest;
using astro::testing::ProblemUnderTest;
using counter::Domain;
using counter::Instance;
using counter::Position;
using counter::Step;

struct Incremental : counter::Distance {
  static constexpr astro::HeuristicInfo kInfo{.id = "incremental", .summary = "i"};
  using Distance::Distance;
  int64_t EvaluateMove(const Position& parent, int64_t, const Step& step) const {
    return counter::Remaining(instance, parent.value + step.amount);
  }
};

// Carries the value itself along, and never looks at the parent.
struct Carrying : counter::Distance {
  static constexpr astro::HeuristicInfo kInfo{.id = "carrying", .summary = "c"};
  struct Aux {
    char tag;  // makes a copy that is not aligned visible
    int64_t value;
  };
  using Distance::Distance;
  Aux RootAux(const Position& position) const { return {'x', position.value}; }
  int64_t EvaluateMove(const Position&, int64_t, const Aux& in, const Step& step, Aux& out) const {
    out.value = in.value + step.amount;
    return counter::Remaining(instance, out.value);
  }
};

// Carries the digits of the value, as many as the instance needs.
struct CarryingBytes : counter::Distance {
  static constexpr astro::HeuristicInfo kInfo{.id = "carrying_bytes", .summary = "b"};
  using Distance::Distance;
  uint32_t AuxSize() const { return instance.goal() > 20 ? 5 : 3; }
  void RootAux(const Position& position, std::byte* out) const { Write(position.value, out); }
  void EvaluateMoves(const Position&, int64_t, const std::byte* aux, const astro::Op* ops, uint32_t n, int64_t* out_h,
                     std::byte* out_aux) const {
    int64_t value = 0;
    for (uint32_t i = 0; i < AuxSize(); ++i) value = value * 10 + static_cast<int64_t>(aux[i]);
    for (uint32_t i = 0; i < n; ++i) {
      const int64_t child = value + Domain::MakeMove(instance, ops[i]).amount;
      out_h[i] = counter::Remaining(instance, child);
      Write(child, out_aux + i * AuxSize());
    }
  }
  void Write(int64_t value, std::byte* out) const {
    for (uint32_t i = AuxSize(); i-- > 0; value /= 10) out[i] = static_cast<std::byte>(value % 10);
  }
};

struct WithScratch : counter::Distance {
  static constexpr astro::HeuristicInfo kInfo{.id = "with_scratch", .summary = "w"};
  struct Context {
    uint64_t seed;
    int calls = 0;
  };
  using Distance::Distance;
  Context OpenContext(uint64_t seed) const { return {seed}; }
  using Distance::Evaluate;
  int64_t Evaluate(const Position& position, Context& context) const {
    ++context.calls;
    return counter::Remaining(instance, position.value);
  }
};

template <class H>
class EveryKind : public ::testing::Test {};
using Kinds = ::testing::Types<counter::Distance, Incremental, Carrying, CarryingBytes, WithScratch>;
TYPED_TEST_SUITE(EveryKind, Kinds);

// Along a random walk the h of children before they are built equals the h of the children.
TYPED_TEST(EveryKind, EvaluatesOperatorsAsItEvaluatesChildren) {
  FakeHost host;
  ProblemUnderTest problem(astro::Problem<counter::Counter>::Functions(), host, "30");
  HeuristicUnderTest heuristic(astro::Heuristic<TypeParam, Domain>::Functions(), host, problem);
  ASSERT_TRUE(heuristic.ok());
  const astro_heuristic_v1& f = heuristic.functions();
  const uint32_t aux_size = heuristic.info().aux_size;
  std::mt19937 random(7);
  auto state = problem.Initial();
  std::vector<std::byte> aux = heuristic.RootAux(state);
  for (int i = 0; i < 200; ++i) {
    const std::vector<astro::Op> ops = problem.Ops(state);
    std::vector<int64_t> h(ops.size());
    std::vector<std::byte> child_aux(ops.size() * aux_size + 1);
    f.eval_ops(heuristic.context(), state.get(), heuristic.Eval(state), aux.data(), ops.data(),
               static_cast<uint32_t>(ops.size()), h.data(), child_aux.data());
    for (size_t k = 0; k < ops.size(); ++k) EXPECT_EQ(h[k], heuristic.Eval(problem.Apply(state, ops[k])));
    const size_t pick = random() % ops.size();
    if (reinterpret_cast<const Position*>(problem.Apply(state, ops[pick]).get())->value >= 60) {
      state = problem.Initial();
      aux = heuristic.RootAux(state);
      continue;
    }
    state = problem.Apply(state, ops[pick]);
    aux.assign(child_aux.begin() + pick * aux_size, child_aux.begin() + (pick + 1) * aux_size);
  }
  EXPECT_TRUE(host.failures.empty());
}

TYPED_TEST(EveryKind, EvaluatesBatchesWithAStride) {
  FakeHost host;
  ProblemUnderTest problem(astro::Problem<counter::Counter>::Functions(), host, "30");
  HeuristicUnderTest heuristic(astro::Heuristic<TypeParam, Domain>::Functions(), host, problem);
  const Position states[4] = {{0}, {-1}, {20}, {-1}};
  int64_t h[2];
  heuristic.functions().eval_batch(heuristic.context(), 2, states, 2 * sizeof(Position), h);
  EXPECT_EQ(h[0], 18);
  EXPECT_EQ(h[1], 6);
}

TEST(Heuristic, NeedsNoContextWhenItBuildsNoChild) {
  EXPECT_EQ((astro::Heuristic<Incremental, Domain>::Functions()->open_context), nullptr);
  EXPECT_NE((astro::Heuristic<counter::Distance, Domain>::Functions()->open_context), nullptr);
}

TEST(Heuristic, CarriesAsManyBytesAsTheInstanceNeeds) {
  FakeHost host;
  for (const auto& [text, bytes] : {std::pair{"30", 5u}, {"9", 3u}}) {
    ProblemUnderTest problem(astro::Problem<counter::Counter>::Functions(), host, text);
    HeuristicUnderTest heuristic(astro::Heuristic<CarryingBytes, Domain>::Functions(), host, problem);
    EXPECT_EQ(heuristic.info().aux_size, bytes);
  }
}

TEST(HostServices, KeepWhatIsCommittedAndForgetWhatIsNot) {
  FakeHost fake;
  const astro::Host host(fake.get());
  const astro::CacheKey key = {1, 2, 3};
  { astro::CacheWriter(host, key, 10).data()[9] = std::byte{7}; }
  EXPECT_FALSE(host.CacheOpen(key).has_value());
  astro::CacheWriter writer(host, key, 10);
  EXPECT_EQ(writer.data()[9], std::byte{0});
  writer.data()[9] = std::byte{8};
  EXPECT_EQ(writer.Commit()[9], std::byte{8});
  ASSERT_TRUE(host.CacheOpen(key).has_value());
  EXPECT_EQ((*host.CacheOpen(key))[9], std::byte{8});
}

TEST(HostServices, ADescriptionIsToldToAHostThatTakesIt) {
  FakeHost fake;
  astro_host_v1 old = *fake.get();
  old.struct_size = offsetof(astro_host_v1, cache_describe);
  old.cache_describe = nullptr;
  astro::CacheWriter(astro::Host(&old), {1}, 10, "unheard").data()[0] = std::byte{1};
  EXPECT_TRUE(fake.descriptions.empty());
  astro::CacheWriter(astro::Host(fake.get()), {1}, 10, "a table").data()[0] = std::byte{1};
  EXPECT_EQ(fake.descriptions, std::vector<std::string>{"a table"});
}

TEST(HostServices, ThrowWhenTheBudgetHasNoRoom) {
  FakeHost fake;
  fake.budget_bytes = 10000;
  const astro::HostMemory memory(astro::Host(fake.get()), 8192);
  EXPECT_EQ(memory.size(), 8192u);
  EXPECT_EQ(reinterpret_cast<uintptr_t>(memory.data()) % astro::HostMemory::kAlign, 0u);
  EXPECT_THROW(astro::HostMemory(astro::Host(fake.get()), 8192), std::bad_alloc);
}

TEST(Heuristic, PassesDeadEndsOn) {
  FakeHost host;
  ProblemUnderTest problem(astro::Problem<counter::Counter>::Functions(), host, "50");
  HeuristicUnderTest heuristic(astro::Heuristic<counter::Distance, Domain>::Functions(), host, problem);
  EXPECT_EQ(heuristic.Eval(problem.Initial()), ASTRO_DEAD_END);
}

TEST(Heuristic, RefusesTheStatesOfAnotherProblem) {
  FakeHost host;
  ProblemUnderTest problem(astro::Problem<counter::Counter>::Functions(), host, "5");
  astro_problem_v1 other = problem.functions();
  other.state_layout = astro::ToText("counter/2");
  astro::testing::Faults faults;
  void* heuristic = nullptr;
  astro::testing::FakeParams params;
  EXPECT_EQ((astro::Heuristic<counter::Distance, Domain>::Functions()->create(host.get(), &other, problem.get(),
                                                                              params.get(), faults.get(), &heuristic)),
            ASTRO_REFUSED);
  ASSERT_EQ(faults.list.size(), 1u);
  EXPECT_NE(faults.list[0].message.find("counter/2"), std::string::npos);
  EXPECT_EQ(heuristic, nullptr);
}

// Finds out in Build what holds; asks for a claim that its manifest does not have, too.
struct Careful : counter::Distance {
  static constexpr astro::HeuristicInfo kInfo{.id = "careful", .summary = "c", .admissible = true, .consistent = true};
  using Distance::Distance;
  void Build(astro::Host, astro::Diagnostics& diagnostics) {
    if (instance.goal() == 13) diagnostics.Error("instance").Message("13 is refused");
    if (instance.goal() < 10) {
      claims = ASTRO_CLAIM_ADMISSIBLE | ASTRO_CLAIM_PERFECT;
    } else {
      diagnostics.Note("instance").Message("too far to be sure");
    }
  }
  uint32_t Claims() const { return claims; }
  uint32_t claims = 0;
};

TEST(Heuristic, MayClaimLessForAnInstanceNeverMore) {
  FakeHost host;
  const astro_heuristic_v1* careful = astro::Heuristic<Careful, Domain>::Functions();
  ProblemUnderTest near(astro::Problem<counter::Counter>::Functions(), host, "5");
  EXPECT_EQ(HeuristicUnderTest(careful, host, near).info().claims, static_cast<uint32_t>(ASTRO_CLAIM_ADMISSIBLE));
  ProblemUnderTest far(astro::Problem<counter::Counter>::Functions(), host, "20");
  EXPECT_EQ(HeuristicUnderTest(careful, host, far).info().claims, 0u);
}

TEST(Heuristic, BuildMayNoteAndRefuse) {
  FakeHost host;
  const astro_heuristic_v1* careful = astro::Heuristic<Careful, Domain>::Functions();
  ProblemUnderTest far(astro::Problem<counter::Counter>::Functions(), host, "20");
  HeuristicUnderTest noted(careful, host, far);
  EXPECT_TRUE(noted.ok());
  EXPECT_EQ(noted.faults.Text(), "0:0 too far to be sure\n");
  ProblemUnderTest thirteen(astro::Problem<counter::Counter>::Functions(), host, "13");
  EXPECT_EQ(HeuristicUnderTest(careful, host, thirteen).status(), ASTRO_REFUSED);
}

TEST(Heuristic, SaysItsClaims) {
  FakeHost host;
  ProblemUnderTest problem(astro::Problem<counter::Counter>::Functions(), host, "5");
  HeuristicUnderTest heuristic(astro::Heuristic<counter::Distance, Domain>::Functions(), host, problem);
  EXPECT_EQ(heuristic.info().claims, static_cast<uint32_t>(ASTRO_CLAIM_ADMISSIBLE));
}

}  // namespace
