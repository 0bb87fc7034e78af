// What becomes of a child under a bound on f, by its h and the cost of its operator.
#ifndef ASTROLABE_DAEMON_ENGINE_ALGORITHMS_CHILD_VALUE_H_
#define ASTROLABE_DAEMON_ENGINE_ALGORITHMS_CHILD_VALUE_H_

#include <string>

#include "daemon/engine/domain.h"

namespace astrolabe::engine {

enum class ChildFate { kEnter, kCut, kDeadEnd, kBroken };

// Precondition of g and f: kEnter or kCut.
struct ChildValue {
  ChildFate fate;
  Cost g;
  Cost f;
};

inline ChildValue JudgeChild(Cost parent_g, Cost cost, Cost h, Cost least_cost, Cost bound) {
  ChildValue child;
  if (h < 0 || cost < least_cost) return {ChildFate::kBroken, 0, 0};
  const bool overflow = __builtin_add_overflow(parent_g, cost, &child.g) | __builtin_add_overflow(child.g, h, &child.f);
  if (h == kInfinity) {
    child.fate = ChildFate::kDeadEnd;
  } else if (overflow || child.f == kInfinity) {
    child.fate = ChildFate::kBroken;
  } else {
    child.fate = child.f > bound ? ChildFate::kCut : ChildFate::kEnter;
  }
  return child;
}

// Why a child is kBroken.
inline std::string WhyBroken(Cost cost, Cost h, Cost least_cost) {
  if (h < 0) return "the heuristic gave a negative h: " + std::to_string(h);
  if (cost < least_cost) {
    return "an operator costs " + std::to_string(cost) + ", the problem promised at least " +
           std::to_string(least_cost);
  }
  return "the costs of a path add up to more than 2^63 - 2";
}

}  // namespace astrolabe::engine

#endif  // ASTROLABE_DAEMON_ENGINE_ALGORITHMS_CHILD_VALUE_H_
