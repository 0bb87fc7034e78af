// The problem of N queens, as the SDK wants it.
#ifndef ASTROLABE_PLUGINS_QUEENS_PROBLEM_H_
#define ASTROLABE_PLUGINS_QUEENS_PROBLEM_H_

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string_view>

#include "astrolabe/queens/board.h"
#include "astrolabe/sdk/problem.h"
#include "plugins/queens/placement.h"
#include "plugins/queens/problem_info.h"

namespace queens {

// Immutable. Its address is stable: the view is a part of it.
class Queens {
 public:
  static constexpr const astro::ProblemInfo& kInfo = kProblemInfo;
  static constexpr std::string_view kStateLayout = QUEENS_LAYOUT;

  static std::unique_ptr<Queens> Parse(std::string_view text, const astro::Params& params,
                                       astro::Diagnostics& diagnostics);
  explicit Queens(Placement placement);
  Queens(const Queens&) = delete;
  Queens& operator=(const Queens&) = delete;

  astro::SpaceInfo Space() const;
  const void* DomainView() const { return &view_; }
  // The queens that are given; in the complete formulation without any, all in row 0.
  void InitialState(void* out) const { Store(placement_.rows, out); }

  // None in the complete formulation: its steps are those of the variables below.
  uint32_t Ops(const void* state, astro::Op, astro::Op* ops, int64_t* costs) const;
  void Apply(const void* state, astro::Op op, void* out) const { Problem::Child(Instance(&view_), state, op, out); }
  bool IsGoal(const void* state) const;
  bool ApplyInPlace(void* state, astro::Op op, int64_t* cost) const;

  // Complete formulation: a column is a variable, its queen's row the value.
  std::optional<astro::FactoredInfo> Factored() const;
  void ValuesOf(const void* state, uint32_t* out) const;
  void StateOf(const uint32_t* values, void* out) const;
  void RenderStep(uint32_t column, uint32_t row, astro::Writer& out) const;
  // The row of each queen is drawn alone, each of `queens` rows as likely as the others. In the incremental formulation
  // every search begins where the instance does.
  void RandomState(uint64_t seed, void* out) const;

  void RenderState(const void* state, astro::Writer& out) const;
  bool ParseState(std::string_view text, astro::Diagnostics& diagnostics, void* out) const;
  void RenderOp(astro::Op op, astro::Writer& out) const;
  void CanonicalText(astro::Writer& out) const;
  void Describe(astro::Writer& out) const;
  uint32_t Solvable(astro::Writer& reason) const;
  void Facts(const void* state, astro::FactWriter& out) const;
  // By the closed formula: the queens that stand elsewhere are moved, or all that are missing placed.
  void Construct(astro::OpWriter& out) const;

 private:
  bool complete() const { return placement_.formulation == Formulation::kComplete; }
  uint32_t queens() const { return placement_.queens; }
  // A step has a number as operator.
  bool HasStepNumbers() const { return uint64_t{queens()} * queens() < astro::kNoOp; }
  Board View(const void* state) const { return Board(view_.cell_bytes, queens(), state); }
  uint32_t SolvableFromGiven(astro::Writer& reason) const;
  // Columns behind `rows` have row 0 in the complete formulation, else no queen.
  void Store(std::span<const uint32_t> rows, void* out) const;

  const Placement placement_;
  queens_view_v1 view_ = {};
};

}  // namespace queens

#endif  // ASTROLABE_PLUGINS_QUEENS_PROBLEM_H_
