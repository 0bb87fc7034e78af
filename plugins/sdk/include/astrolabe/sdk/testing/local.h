// Holds what local search uses against its contracts: factored states, random states, and the trail of an objective.
// See astrolabe/abi/factored.h, random_state.h, local.h.
#ifndef ASTROLABE_SDK_TESTING_LOCAL_H_
#define ASTROLABE_SDK_TESTING_LOCAL_H_

#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "astrolabe/sdk/random.h"
#include "astrolabe/sdk/testing/under_test.h"

namespace astro::testing {

// A trail as the host holds it. Needs the extension; check ok().
class TrailUnderTest {
 public:
  explicit TrailUnderTest(const HeuristicUnderTest& heuristic)
      : f_(*heuristic.LocalCalls()), heuristic_(heuristic.get()), trail_(f_.open_trail(heuristic_)) {}
  TrailUnderTest(const TrailUnderTest&) = delete;
  TrailUnderTest& operator=(const TrailUnderTest&) = delete;
  ~TrailUnderTest() {
    if (trail_ != nullptr) f_.close_trail(heuristic_, trail_);
  }

  bool ok() const { return trail_ != nullptr; }
  void Bind(const std::vector<uint32_t>& values) { f_.bind(trail_, values.data()); }
  int64_t Objective() const { return f_.objective(trail_); }
  int64_t Delta(uint32_t variable, uint32_t value) const { return f_.delta(trail_, variable, value); }
  void Deltas(uint32_t first, uint32_t count, int64_t* out) const { f_.deltas(trail_, first, count, out); }
  bool HasSample() const { return f_.sample != nullptr; }
  void Sample(uint32_t variable, const std::vector<uint32_t>& values, int64_t* out) const {
    f_.sample(trail_, variable, static_cast<uint32_t>(values.size()), values.data(), out);
  }
  void Commit(uint32_t variable, uint32_t value) { f_.commit(trail_, variable, value); }
  bool InConflict(uint32_t variable) const {
    return f_.in_conflict == nullptr || f_.in_conflict(trail_, variable) != 0;
  }

 private:
  const astro_heuristic_local_v1& f_;
  const void* heuristic_;
  void* trail_;
};

inline std::vector<uint32_t> RandomValues(const astro_factored_info_v1& info, Random& random) {
  std::vector<uint32_t> values(info.variables);
  for (uint32_t& value : values) value = static_cast<uint32_t>(random.Below(info.values));
  return values;
}

// Draws `states` states. Empty, or the first thing that breaks the contract.
inline std::string FactoredFault(const ProblemUnderTest& problem, uint64_t states, uint64_t seed) {
  astro_factored_info_v1 info = {};
  if (!problem.Factored(&info)) return "not factored";
  if (info.variables == 0 || info.values == 0) return "no variables or no values";
  const bool numbered = uint64_t{info.variables} * info.values < kNoOp;
  Random random(seed);
  for (uint64_t i = 0; i < states; ++i) {
    std::vector<uint32_t> values = RandomValues(info, random);
    const StateBytes state = problem.State(values);
    if (problem.Values(state) != values) return "values() does not give what state() was given";
    // Canonical: whatever was in the memory before.
    StateBytes dirty = problem.NewState();
    std::fill_n(dirty.get(), problem.info().state_size, std::byte{0xFF});
    problem.FactoredCalls()->state(problem.get(), values.data(), dirty.get());
    if (!(dirty == state)) return "state() leaves some bytes as they were";
    const auto variable = static_cast<uint32_t>(random.Below(info.variables));
    const auto value = static_cast<uint32_t>(random.Below(info.values));
    if (!numbered || values[variable] == value) continue;
    StateBytes stepped = state;
    int64_t cost = -1;
    const Op op = variable * info.values + value;
    const std::string step = "operator " + std::to_string(op) + " ";
    if (problem.functions().apply_in_place(problem.get(), stepped.get(), op, &cost) != ASTRO_OK) {
      return step + "is not possible";
    }
    values[variable] = value;
    if (!(stepped == problem.State(values))) return step + "is not the step of its variable and value";
    if (cost < 0 || cost > problem.info().max_op_cost) return step + "costs " + std::to_string(cost);
  }
  return "";
}

// Binds `climbs` times to random values and commits `steps` random steps from there. Empty, or the first thing that
// breaks the contract. Compares with eval of states that the problem makes, so it is for small instances.
inline std::string TrailFault(const ProblemUnderTest& problem, const HeuristicUnderTest& heuristic, uint64_t climbs,
                              uint64_t steps, uint64_t seed) {
  astro_factored_info_v1 info = {};
  if (!problem.Factored(&info)) return "not factored";
  if (heuristic.LocalCalls() == nullptr) return "no extension";
  TrailUnderTest trail(heuristic);
  if (!trail.ok()) return "no trail";
  Random random(seed);
  std::vector<int64_t> deltas(size_t{info.variables} * info.values);
  for (uint64_t climb = 0; climb < climbs; ++climb) {
    std::vector<uint32_t> values = RandomValues(info, random);
    trail.Bind(values);
    for (uint64_t step = 0; step <= steps; ++step) {
      const int64_t objective = heuristic.Eval(problem.State(values));
      if (trail.Objective() != objective) {
        return "the objective is " + std::to_string(trail.Objective()) + ", eval gives " + std::to_string(objective);
      }
      trail.Deltas(0, info.variables, deltas.data());
      for (uint32_t variable = 0; variable < info.variables; ++variable) {
        bool matters = false;
        for (uint32_t value = 0; value < info.values; ++value) {
          const std::string where = "variable " + std::to_string(variable) + " to " + std::to_string(value) + ": ";
          const int64_t delta = trail.Delta(variable, value);
          if (deltas[size_t{variable} * info.values + value] != delta) return where + "deltas is not delta";
          std::vector<uint32_t> neighbour = values;
          neighbour[variable] = value;
          if (heuristic.Eval(problem.State(neighbour)) != objective + delta) {
            return where + "delta is " + std::to_string(delta) + ", not the difference of eval";
          }
          matters = matters || delta < 0;
        }
        if (matters && !trail.InConflict(variable)) {
          return "variable " + std::to_string(variable) + " is said to be in no conflict, and a step of it helps";
        }
        // A part of the table is that part of the whole.
        std::vector<int64_t> part(info.values);
        trail.Deltas(variable, 1, part.data());
        if (!std::equal(part.begin(), part.end(),
                        deltas.begin() + static_cast<std::ptrdiff_t>(variable) * info.values)) {
          return "deltas of one variable differ from those of all";
        }
        if (!trail.HasSample()) continue;
        std::vector<uint32_t> all(info.values);
        for (uint32_t value = 0; value < info.values; ++value) all[value] = info.values - 1 - value;
        std::vector<int64_t> sampled(info.values);
        trail.Sample(variable, all, sampled.data());
        if (!std::equal(part.rbegin(), part.rend(), sampled.begin())) return "samples differ from deltas";
      }
      const auto variable = static_cast<uint32_t>(random.Below(info.variables));
      values[variable] = static_cast<uint32_t>(random.Below(info.values));
      trail.Commit(variable, values[variable]);
    }
  }
  return "";
}

// Empty, or the first thing that breaks the contract of random states.
inline std::string RandomStateFault(const ProblemUnderTest& problem, uint64_t seeds) {
  for (uint64_t seed = 0; seed < seeds; ++seed) {
    const StateBytes state = problem.Random(seed);
    StateBytes dirty = problem.NewState();
    std::fill_n(dirty.get(), problem.info().state_size, std::byte{0xFF});
    problem.RandomStateCalls()->random_state(problem.get(), seed, dirty.get());
    if (!(dirty == state)) return "seed " + std::to_string(seed) + " gives other bytes the second time";
  }
  return "";
}

}  // namespace astro::testing

#endif  // ASTROLABE_SDK_TESTING_LOCAL_H_
