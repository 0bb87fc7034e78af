// The travelling salesman problem, as the SDK wants it.
#ifndef ASTROLABE_PLUGINS_TSP_PROBLEM_H_
#define ASTROLABE_PLUGINS_TSP_PROBLEM_H_

#include <cstdint>
#include <memory>
#include <string_view>
#include <vector>

#include "astrolabe/sdk/problem.h"
#include "astrolabe/tsp/tour.h"
#include "plugins/tsp/cities.h"
#include "plugins/tsp/problem_info.h"

namespace tsp {

// Immutable. Its address is stable: the view points into it.
class Tsp {
 public:
  static constexpr const astro::ProblemInfo& kInfo = kProblemInfo;
  static constexpr std::string_view kStateLayout = TSP_LAYOUT;

  static std::unique_ptr<Tsp> Parse(std::string_view text, const astro::Params& params,
                                    astro::Diagnostics& diagnostics);
  explicit Tsp(Cities cities);
  Tsp(const Tsp&) = delete;
  Tsp& operator=(const Tsp&) = delete;

  // Not UNDIRECTED: every step can be taken back, but a tour is written from city 1 on, one way round, so that the
  // number of the step back depends on the tour.
  astro::SpaceInfo Space() const;
  const void* DomainView() const { return &view_; }
  void InitialState(void* out) const;

  // The same for every tour.
  uint32_t Ops(const void* state, astro::Op last_op, astro::Op* ops, int64_t* costs) const;
  void Apply(const void* state, astro::Op op, void* out) const { Problem::Child(Instance(&view_), state, op, out); }
  bool IsGoal(const void*) const { return false; }
  bool ApplyInPlace(void* state, astro::Op op, int64_t* cost) const;

  // Each tour is as likely as the others.
  void RandomState(uint64_t seed, void* out) const;

  void RenderState(const void* state, astro::Writer& out) const;
  bool ParseState(std::string_view text, astro::Diagnostics& diagnostics, void* out) const;
  void RenderOp(astro::Op op, astro::Writer& out) const;
  void CanonicalText(astro::Writer& out) const;
  void Describe(astro::Writer& out) const;
  uint32_t Solvable(astro::Writer& reason) const;

 private:
  uint32_t cities() const { return view_.cities; }

  const Cities cities_;
  const std::vector<int32_t> distances_;
  std::vector<astro::Op> ops_;
  tsp_view_v1 view_ = {};
};

}  // namespace tsp

#endif  // ASTROLABE_PLUGINS_TSP_PROBLEM_H_
