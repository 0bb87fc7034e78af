// A tiny domain for the tests of the SDK: a number, that operators add to; goal: a multiple. Costs differ, some
// operators lead back, one end is dead.
#ifndef ASTROLABE_TESTS_PLUGINS_SDK_COUNTER_H_
#define ASTROLABE_TESTS_PLUGINS_SDK_COUNTER_H_

#include <charconv>
#include <cstring>
#include <memory>
#include <stdexcept>
#include <string>
#include <string_view>

#include "astrolabe/sdk/heuristic.h"
#include "astrolabe/sdk/problem.h"

namespace counter {

struct View {
  int64_t goal;
};

struct Instance {
  const View* view;
  int64_t goal() const { return view->goal; }
};

struct Position {
  int64_t value;
};

struct Step {
  int64_t amount;
};

constexpr int64_t kAmounts[] = {1, 5, -1};
constexpr int64_t kCosts[] = {1, 3, 1};

struct Domain {
  static constexpr std::string_view kProblemId = "counter";
  static constexpr std::string_view kStateLayout = "counter/1";
  using Instance = counter::Instance;
  using State = Position;
  using Move = Step;
  static Instance MakeInstance(const void* view) { return {static_cast<const View*>(view)}; }
  static size_t StateSize(const Instance&) { return sizeof(Position); }
  static Step MakeMove(const Instance&, astro_op op) { return {kAmounts[op]}; }
  static void Child(const Instance&, const void* in, astro_op op, void* out) {
    Position position;
    std::memcpy(&position, in, sizeof(position));
    position.value += kAmounts[op];
    std::memcpy(out, &position, sizeof(position));
  }
  template <class F>
  static int64_t Visit(const Instance&, const void* state, F&& f) {
    return f(*static_cast<const Position*>(state));
  }
};

// Text: the goal. "throw" throws, "nothing" gives neither an instance nor a fault.
class Counter {
 public:
  static constexpr astro::ProblemInfo kInfo{.id = "counter", .summary = "counts \"up\"\n\tand down"};
  static constexpr std::string_view kStateLayout = "counter/1";
  using State = Position;

  explicit Counter(int64_t goal) : view_{goal} {}
  static std::unique_ptr<Counter> Parse(std::string_view text, const astro::Params&, astro::Diagnostics& diagnostics) {
    if (text == "throw") throw std::runtime_error("no such counter");
    if (text == "memory") throw std::bad_alloc();
    if (text == "nothing") return nullptr;
    int64_t goal = 0;
    if (std::from_chars(text.data(), text.data() + text.size(), goal).ec != std::errc()) {
      diagnostics.Error("instance", 1, 1).Message("not a number").Expected("the goal");
      return nullptr;
    }
    return std::make_unique<Counter>(goal);
  }

  astro::SpaceInfo Space() const {
    astro::SpaceInfo info;
    info.state_size = sizeof(State);
    info.state_align = alignof(State);
    info.max_ops = 3;
    info.max_op_cost = 3;
    return info;
  }
  const void* DomainView() const { return &view_; }
  void InitialState(State& out) const { out.value = 0; }
  uint32_t Ops(const State& state, astro::Op, astro::Op* ops, int64_t* costs) const {
    if (state.value == 99) throw std::runtime_error("99 has no operators");
    uint32_t n = 0;
    for (astro::Op op = 0; op < 3; ++op) {
      if (op == 2 && state.value <= 0) continue;  // does not go below 0
      ops[n] = op;
      if (costs != nullptr) costs[n] = kCosts[op];
      ++n;
    }
    return n;
  }
  void Apply(const State& state, astro::Op op, State& out) const { out.value = state.value + kAmounts[op]; }
  bool IsGoal(const State& state) const { return state.value == view_.goal; }
  void RenderState(const State& state, astro::Writer& out) const { out << state.value; }
  void RenderOp(astro::Op op, astro::Writer& out) const { out << (op == 0 ? "ONE" : op == 1 ? "FIVE" : "BACK"); }
  void CanonicalText(astro::Writer& out) const { out << view_.goal; }

 private:
  View view_;
};

// Cheapest way up: 3 for five.
inline int64_t Remaining(const Instance& instance, int64_t value) {
  const int64_t left = instance.goal() - value;
  if (left > 40) return astro::kDeadEnd;  // a claim that no test contradicts: goals stay below
  return left > 0 ? left * 3 / 5 : -left;
}

struct Distance {
  static constexpr astro::HeuristicInfo kInfo{.id = "distance", .summary = "d", .admissible = true};
  explicit Distance(const Instance& instance) : instance(instance) {}
  int64_t Evaluate(const Position& position) const { return Remaining(instance, position.value); }
  Instance instance;
};

}  // namespace counter

#endif  // ASTROLABE_TESTS_PLUGINS_SDK_COUNTER_H_
