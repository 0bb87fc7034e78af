// Holds a reversed problem against the problem it was made from; see astrolabe/abi/reversed.h.
#ifndef ASTROLABE_SDK_TESTING_REVERSED_H_
#define ASTROLABE_SDK_TESTING_REVERSED_H_

#include <algorithm>
#include <cstdint>
#include <deque>
#include <set>
#include <string>
#include <tuple>
#include <vector>

#include "astrolabe/sdk/testing/under_test.h"

namespace astro::testing {

struct Step {
  Op op;
  int64_t cost;
  std::string child;  // the bytes
};

inline std::vector<Step> StepsOf(const ProblemUnderTest& problem, const StateBytes& state) {
  std::vector<Op> ops(problem.info().max_ops);
  std::vector<int64_t> costs(problem.info().max_ops);
  const uint32_t n = problem.functions().ops(problem.get(), state.get(), kNoOp, ops.data(), costs.data());
  std::vector<Step> steps;
  for (uint32_t i = 0; i < n; ++i) steps.push_back({ops[i], costs[i], problem.Apply(state, ops[i]).key()});
  return steps;
}

inline int64_t CountSteps(const std::vector<Step>& steps, const std::string& child, int64_t cost) {
  return std::count_if(steps.begin(), steps.end(),
                       [&](const Step& step) { return step.child == child && step.cost == cost; });
}

// Walks at most max_states states from the start of `problem`. Empty, or the first thing that breaks the contract.
inline std::string ReversedFault(const ProblemUnderTest& problem, const ProblemUnderTest& reversed, size_t max_states) {
  if (reversed.info().state_size != problem.info().state_size) return "the states have another size";
  if (!problem.IsGoal(reversed.Initial())) return "the reversed problem does not start in the goal";
  if (!reversed.IsGoal(problem.Initial())) return "the start is not the goal of the reversed problem";
  std::set<std::string> seen{problem.Initial().key()};
  std::deque<StateBytes> queue{problem.Initial()};
  for (; !queue.empty(); queue.pop_front()) {
    const StateBytes& state = queue.front();
    const std::vector<Step> forward = StepsOf(problem, state);
    for (const Step& step : forward) {
      const StateBytes child = problem.Apply(state, step.op);
      const std::string where = problem.Render(state) + " -> " + problem.Render(child) + ": ";
      const std::vector<Step> back = StepsOf(reversed, child);
      if (CountSteps(back, state.key(), step.cost) != CountSteps(forward, step.child, step.cost)) {
        return where + "not as many operators back, at this cost";
      }
      for (const Step& turned : back) {
        if (turned.child != state.key()) continue;
        const Op op = problem.ReversedCalls()->forward_op(reversed.get(), child.get(), turned.op);
        const bool leads = std::any_of(forward.begin(), forward.end(), [&](const Step& candidate) {
          return std::tie(candidate.op, candidate.cost, candidate.child) == std::tie(op, turned.cost, step.child);
        });
        if (!leads) return where + "forward_op gives no operator that leads there at this cost";
      }
      if (seen.size() < max_states && seen.insert(step.child).second) queue.push_back(child);
    }
  }
  return "";
}

}  // namespace astro::testing

#endif  // ASTROLABE_SDK_TESTING_REVERSED_H_
