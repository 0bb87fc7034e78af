// What the SDK makes of problems and heuristics for local search, and that its testing helpers find what is wrong.
#include "astrolabe/abi/local.h"

#include <gtest/gtest.h>

#include <array>
#include <cstdlib>
#include <memory>
#include <new>
#include <stdexcept>
#include <string>
#include <vector>

#include "astrolabe/sdk/heuristic.h"
#include "astrolabe/sdk/problem.h"
#include "astrolabe/sdk/random.h"
#include "astrolabe/sdk/testing/local.h"
#include "street.h"

namespace {

using astro::testing::FactoredFault;
using astro::testing::FakeHost;
using astro::testing::HeuristicUnderTest;
using astro::testing::ProblemUnderTest;
using astro::testing::RandomStateFault;
using astro::testing::TrailFault;
using astro::testing::TrailUnderTest;

constexpr uint32_t kDials = 3;
constexpr uint32_t kMarks = 4;

struct Setting {
  std::array<uint8_t, kDials> mark;
};

// Dials that are turned to any mark. Text: how the problem goes wrong.
class Dials {
 public:
  static constexpr astro::ProblemInfo kInfo{.id = "dials", .summary = "three dials"};
  static constexpr std::string_view kStateLayout = "dials/1";
  using State = Setting;

  static std::unique_ptr<Dials> Parse(std::string_view text, const astro::Params&, astro::Diagnostics&) {
    auto dials = std::make_unique<Dials>();
    dials->text_ = text;
    return dials;
  }
  astro::SpaceInfo Space() const {
    astro::SpaceInfo info;
    info.state_size = sizeof(State);
    return info;
  }
  const void* DomainView() const { return this; }
  void InitialState(State&) const {}
  bool IsGoal(const State& state) const { return state.mark == State{}.mark; }
  uint32_t Ops(const State&, astro::Op, astro::Op*, int64_t*) const { return 0; }
  void Apply(const State&, astro::Op, State&) const {}
  bool ApplyInPlace(State& state, astro::Op op, int64_t* cost) const {
    if (op >= kDials * kMarks || text_ == "no steps") return false;
    state.mark[op / kMarks] = static_cast<uint8_t>(text_ == "other steps" ? 0 : op % kMarks);
    *cost = 1;
    return true;
  }
  void RenderState(const State&, astro::Writer& out) const { out << "marks"; }
  void RenderOp(astro::Op op, astro::Writer& out) const { out << op; }
  void CanonicalText(astro::Writer& out) const { out << text_; }

  std::optional<astro::FactoredInfo> Factored() const {
    if (text_ == "not factored") return std::nullopt;
    return astro::FactoredInfo{kDials, kMarks};
  }
  void ValuesOf(const State& state, uint32_t* out) const {
    for (const uint8_t mark : state.mark) *out++ = text_ == "wrong values" ? 0 : mark;
  }
  void StateOf(const uint32_t* values, State& out) const {
    for (uint8_t& mark : out.mark) mark = static_cast<uint8_t>(*values++);
  }
  void RenderStep(uint32_t dial, uint32_t mark, astro::Writer& out) const {
    if (text_ == "throws") throw std::runtime_error("stuck");
    out << "dial " << dial << " to " << mark;
  }
  void RandomState(uint64_t seed, State& out) const {
    static uint64_t calls = 0;
    astro::Random random(text_ == "restless" ? ++calls : seed);
    for (uint8_t& mark : out.mark) mark = static_cast<uint8_t>(random.Below(kMarks));
  }

 private:
  std::string text_;
};

struct Tag {
  static constexpr std::string_view kProblemId = "dials";
  static constexpr std::string_view kStateLayout = "dials/1";
  struct Instance {};
  using State = Setting;
  using Move = astro::Op;

  static Instance MakeInstance(const void*) { return {}; }
  static size_t StateSize(const Instance&) { return sizeof(State); }
  static Move MakeMove(const Instance&, astro::Op op) { return op; }
  static void Child(const Instance&, const void*, astro::Op, void*) {}
  template <class F>
  static int64_t Visit(const Instance&, const void* state, F&& f) {
    return f(*static_cast<const State*>(state));
  }
};

// The sum of the marks. A trail that does as little as it may.
struct Sum {
  static constexpr astro::HeuristicInfo kInfo{.id = "sum", .summary = "of the marks"};
  explicit Sum(const Tag::Instance&) {}
  int Evaluate(const Setting& setting) const {
    int sum = 0;
    for (const uint8_t mark : setting.mark) sum += mark;
    return sum;
  }

  class Trail {
   public:
    void Bind(const uint32_t* values) { std::copy_n(values, kDials, value_.begin()); }
    int64_t Objective() const { return int64_t{value_[0]} + value_[1] + value_[2]; }
    int64_t Delta(uint32_t dial, uint32_t mark) const { return int64_t{mark} - value_[dial]; }
    void Commit(uint32_t dial, uint32_t mark) { value_[dial] = mark; }

   protected:
    std::array<uint32_t, kDials> value_ = {};
  };
  Trail OpenTrail(astro::Host) const { return {}; }
};

template <class OwnTrail>
struct SumWith : Sum {
  using Sum::Sum;
  using Trail = OwnTrail;
  Trail OpenTrail(astro::Host) const { return {}; }
};

template <class H>
const astro_heuristic_v1* SumFunctions() {
  return astro::Heuristic<H, Tag>::Functions();
}
const astro_problem_v1* DialsProblem() { return astro::Problem<Dials>::Functions(); }

TEST(Local, ExtensionsAreThereForClassesThatHaveThem) {
  FakeHost host;
  const ProblemUnderTest dials(DialsProblem(), host, "");
  const ProblemUnderTest street(astro::Problem<street::Street>::Functions(), host, "");
  EXPECT_NE(dials.FactoredCalls(), nullptr);
  EXPECT_NE(dials.RandomStateCalls(), nullptr);
  EXPECT_EQ(street.FactoredCalls(), nullptr);
  EXPECT_EQ(street.RandomStateCalls(), nullptr);
  EXPECT_EQ(dials.FactoredCalls()->struct_size, sizeof(astro_problem_factored_v1));
  EXPECT_EQ(dials.RandomStateCalls()->struct_size, sizeof(astro_problem_random_state_v1));
}

TEST(Local, AProblemIsFactoredByInstance) {
  FakeHost host;
  const ProblemUnderTest dials(DialsProblem(), host, "");
  EXPECT_EQ(FactoredFault(dials, 100, 1), "");
  EXPECT_EQ(RandomStateFault(dials, 100), "");
  astro_factored_info_v1 info = {};
  EXPECT_FALSE(ProblemUnderTest(DialsProblem(), host, "not factored").Factored(&info));
  EXPECT_EQ(info.variables, 0u);
  // A host of before, which knows less of the struct.
  info = {};
  info.struct_size = offsetof(astro_factored_info_v1, values);
  EXPECT_EQ(dials.FactoredCalls()->info(dials.get(), &info), 1);
  EXPECT_EQ(info.variables, kDials);
  EXPECT_EQ(info.values, 0u);
}

TEST(Local, TheHelpersFindWhatIsWrongWithAProblem) {
  FakeHost host;
  const auto fault = [&](std::string_view text) {
    return FactoredFault(ProblemUnderTest(DialsProblem(), host, text), 50, 1);
  };
  EXPECT_EQ(fault("not factored"), "not factored");
  EXPECT_EQ(fault("wrong values"), "values() does not give what state() was given");
  EXPECT_NE(fault("no steps").find("is not possible"), std::string::npos);
  EXPECT_NE(fault("other steps").find("is not the step"), std::string::npos);
  EXPECT_NE(RandomStateFault(ProblemUnderTest(DialsProblem(), host, "restless"), 50), "");
}

TEST(Local, NoExceptionLeavesAProblem) {
  FakeHost host;
  const ProblemUnderTest dials(DialsProblem(), host, "throws");
  astro::testing::Written([&](const astro_sink* sink) { dials.FactoredCalls()->render_step(dials.get(), 0, 0, sink); });
  ASSERT_EQ(host.failures.size(), 1u);
  EXPECT_EQ(host.failures[0].function, "factored.render_step");
}

TEST(Local, ATrailNeedsNoMoreThanFourFunctions) {
  FakeHost host;
  const ProblemUnderTest dials(DialsProblem(), host, "");
  const HeuristicUnderTest sum(SumFunctions<Sum>(), host, dials);
  ASSERT_NE(sum.LocalCalls(), nullptr);
  EXPECT_EQ(sum.LocalCalls()->in_conflict, nullptr);
  EXPECT_EQ(TrailFault(dials, sum, 10, 20, 1), "");
  EXPECT_TRUE(host.failures.empty());
}

struct WholeTrail : Sum::Trail {
  void Deltas(uint32_t first, uint32_t count, int64_t* out) const {
    for (uint32_t dial = first; dial < first + count; ++dial) {
      for (uint32_t mark = 0; mark < kMarks; ++mark) *out++ = Delta(dial, mark);
    }
    ++deltas_calls;
  }
  bool InConflict(uint32_t dial) const { return value_[dial] != 0; }
  static inline int deltas_calls = 0;
};

TEST(Local, AnOwnTableOfDeltasIsUsed) {
  FakeHost host;
  const ProblemUnderTest dials(DialsProblem(), host, "");
  const HeuristicUnderTest sum(SumFunctions<SumWith<WholeTrail>>(), host, dials);
  EXPECT_EQ(TrailFault(dials, sum, 10, 20, 1), "");
  EXPECT_GT(WholeTrail::deltas_calls, 0);
  TrailUnderTest trail(sum);
  trail.Bind({0, 2, 0});
  EXPECT_FALSE(trail.InConflict(0));
  EXPECT_TRUE(trail.InConflict(1));
}

struct Forgetful : Sum::Trail {
  void Bind(const uint32_t* values) {
    if (!bound_) Sum::Trail::Bind(values);
    bound_ = true;
  }
  bool bound_ = false;
};
struct Optimist : Sum::Trail {
  int64_t Delta(uint32_t dial, uint32_t mark) const { return Sum::Trail::Delta(dial, mark) - 1; }
};
struct Lazy : Sum::Trail {
  void Commit(uint32_t, uint32_t) {}
};
struct Shuffled : Sum::Trail {
  void Deltas(uint32_t, uint32_t count, int64_t* out) const { std::fill_n(out, count * kMarks, 0); }
};
struct Content : Sum::Trail {
  bool InConflict(uint32_t) const { return false; }
};

template <class OwnTrail>
std::string FaultOf() {
  FakeHost host;
  const ProblemUnderTest dials(DialsProblem(), host, "");
  const HeuristicUnderTest sum(SumFunctions<SumWith<OwnTrail>>(), host, dials);
  return TrailFault(dials, sum, 5, 5, 1);
}

TEST(Local, TheHelpersFindWhatIsWrongWithATrail) {
  EXPECT_NE(FaultOf<Forgetful>().find("the objective is"), std::string::npos);
  EXPECT_NE(FaultOf<Optimist>().find("not the difference of eval"), std::string::npos);
  EXPECT_NE(FaultOf<Lazy>().find("the objective is"), std::string::npos);
  EXPECT_NE(FaultOf<Shuffled>().find("deltas is not delta"), std::string::npos);
  EXPECT_NE(FaultOf<Content>().find("is said to be in no conflict"), std::string::npos);
}

struct Greedy : Sum {
  using Sum::Sum;
  Trail OpenTrail(astro::Host host) const {
    const astro::HostMemory memory(host, 1 << 20);
    return {};
  }
};
struct Clumsy : Sum {
  using Sum::Sum;
  Trail OpenTrail(astro::Host) const { throw std::runtime_error("dropped"); }
};

TEST(Local, ATrailIsNullWhenTheBudgetIsUsedUp) {
  FakeHost host;
  const ProblemUnderTest dials(DialsProblem(), host, "");
  const HeuristicUnderTest greedy(SumFunctions<Greedy>(), host, dials);
  EXPECT_TRUE(TrailUnderTest(greedy).ok());
  host.budget_bytes = 1000;
  EXPECT_FALSE(TrailUnderTest(greedy).ok());
  EXPECT_TRUE(host.failures.empty());
  const HeuristicUnderTest clumsy(SumFunctions<Clumsy>(), host, dials);
  EXPECT_FALSE(TrailUnderTest(clumsy).ok());
  ASSERT_EQ(host.failures.size(), 1u);
  EXPECT_EQ(host.failures[0].function, "open_trail");
}

}  // namespace
