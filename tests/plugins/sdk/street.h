// A one-way street: a directed problem that can be turned round.
#ifndef ASTROLABE_TESTS_PLUGINS_SDK_STREET_H_
#define ASTROLABE_TESTS_PLUGINS_SDK_STREET_H_

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

#include "astrolabe/sdk/problem.h"

namespace street {

// Places 0 .. last on a line; each operator goes one place further, at the cost of the higher place. Text: what is
// asked for below.
template <class Derived>
class Line {
 public:
  static constexpr std::string_view kStateLayout = "line/1";
  struct State {
    uint32_t place;
  };

  static std::unique_ptr<Derived> Parse(std::string_view text, const astro::Params&, astro::Diagnostics&) {
    auto line = std::make_unique<Derived>();
    line->text_ = text;
    return line;
  }
  astro::SpaceInfo Space() const {
    astro::SpaceInfo info;
    info.flags = Derived::kFlags;
    info.state_size = sizeof(State);
    info.state_align = alignof(State);
    info.max_ops = 2;
    info.max_op_cost = kLast;
    return info;
  }
  void InitialState(State& out) const { out.place = turned_ ? kLast : 0; }
  bool IsGoal(const State& state) const { return state.place == (turned_ ? 0 : kLast); }
  void RenderState(const State& state, astro::Writer& out) const { out << state.place; }
  void RenderOp(astro::Op op, astro::Writer& out) const { out << op; }
  void CanonicalText(astro::Writer& out) const { out << text_; }

  std::unique_ptr<Derived> Reversed(astro::Diagnostics& diagnostics) const {
    if (text_ == "nothing") return nullptr;
    if (text_ == "goals") {
      diagnostics.Error("instance").Message("two goals").Expected("one");
      return nullptr;
    }
    auto line = std::make_unique<Derived>();
    line->turned_ = !turned_;
    return line;
  }

 protected:
  static constexpr uint32_t kLast = 6;
  std::string text_;
  bool turned_ = false;
};

// One way. An operator is numbered by the place where it begins.
class Street : public Line<Street> {
 public:
  static constexpr astro::ProblemInfo kInfo{.id = "street", .summary = "one way"};
  static constexpr uint32_t kFlags = 0;
  uint32_t Ops(const State& state, astro::Op, astro::Op* ops, int64_t* costs) const {
    if (state.place == (turned_ ? 0 : kLast)) return 0;
    ops[0] = state.place;
    if (costs != nullptr) costs[0] = turned_ ? state.place : state.place + 1;
    return 1;
  }
  void Apply(const State& state, astro::Op, State& out) const {
    out.place = turned_ ? state.place - 1 : state.place + 1;
  }
  astro::Op ForwardOp(const State& state, astro::Op) const { return state.place - 1; }
};

}  // namespace street

#endif  // ASTROLABE_TESTS_PLUGINS_SDK_STREET_H_
