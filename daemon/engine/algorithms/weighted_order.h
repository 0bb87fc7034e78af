// The order of weighted A*: g + w * h, in integers.
#ifndef ASTROLABE_DAEMON_ENGINE_ALGORITHMS_WEIGHTED_ORDER_H_
#define ASTROLABE_DAEMON_ENGINE_ALGORITHMS_WEIGHTED_ORDER_H_

#include <algorithm>
#include <cmath>
#include <numeric>

#include "daemon/engine/algorithms/algorithm.h"

namespace astrolabe::engine {

// w as a rational number, to the nearest thousandth, at least 1.
struct Weight {
  static constexpr int64_t kDenominator = 1000;

  static Weight OfThousandths(int64_t thousandths) {
    const int64_t common = std::gcd(thousandths, kDenominator);
    return {thousandths / common, kDenominator / common};
  }
  static Weight Of(double weight) { return OfThousandths(std::llround(weight * kDenominator)); }

  Cost numerator = 1;  // in lowest terms
  Cost denominator = 1;
};

// An order of BestFirstSearch; see there.
struct ByWeightedF {
  static constexpr bool kUsesH = true;
  static constexpr bool kUnitSteps = false;
  static constexpr bool kMonotone = false;

  static constexpr Cost kLargest = kInfinity - 1;

  Weight w;

  // The largest stands for all that are larger: bounds stay true, the order among those nodes is lost.
  Cost Priority(Cost g, Cost h) const {
    Cost scaled;
    Cost weighted;
    Cost sum;
    const bool overflow = __builtin_mul_overflow(g, w.denominator, &scaled) |
                          __builtin_mul_overflow(h, w.numerator, &weighted) |
                          __builtin_add_overflow(scaled, weighted, &sum);
    return overflow ? kLargest : std::min(sum, kLargest);
  }
  Cost H(Cost priority, Cost g) const {
    return priority == kLargest ? -1 : (priority - g * w.denominator) / w.numerator;
  }
  // g + h >= priority / numerator, as w >= 1; rounded up, since costs are integers.
  Cost LowerBound(Cost priority, Cost) const { return priority / w.numerator + (priority % w.numerator != 0 ? 1 : 0); }
  Guarantee guarantee() const { return {.kind = Guarantee::kBounded}; }
};

}  // namespace astrolabe::engine

#endif  // ASTROLABE_DAEMON_ENGINE_ALGORITHMS_WEIGHTED_ORDER_H_
