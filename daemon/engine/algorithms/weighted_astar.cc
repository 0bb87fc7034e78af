#include "daemon/engine/algorithms/weighted_astar.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "daemon/engine/algorithms/best_first_search.h"

namespace astrolabe::engine {
namespace {

constexpr int64_t kDenominator = 1000;

struct ByWeightedF {
  static constexpr bool kUsesH = true;
  static constexpr bool kUnitSteps = false;
  static constexpr bool kMonotone = false;

  static constexpr Cost kLargest = kInfinity - 1;

  Cost numerator = 1;  // of w, in lowest terms
  Cost denominator = 1;

  // The largest stands for all that are larger: bounds stay true, the order among those nodes is lost.
  Cost Priority(Cost g, Cost h) const {
    Cost scaled;
    Cost weighted;
    Cost sum;
    const bool overflow = __builtin_mul_overflow(g, denominator, &scaled) |
                          __builtin_mul_overflow(h, numerator, &weighted) |
                          __builtin_add_overflow(scaled, weighted, &sum);
    return overflow ? kLargest : std::min(sum, kLargest);
  }
  Cost H(Cost priority, Cost g) const { return priority == kLargest ? -1 : (priority - g * denominator) / numerator; }
  // g + h >= priority / numerator, as w >= 1; rounded up, since costs are integers.
  Cost LowerBound(Cost priority, Cost) const { return priority / numerator + (priority % numerator != 0 ? 1 : 0); }
  Guarantee guarantee() const { return {.kind = Guarantee::kBounded}; }
};

}  // namespace

std::unique_ptr<Algorithm> MakeWeightedAStar(const Task& task) {
  const int64_t thousandths = std::llround(task.params.Get<double>("weight") * kDenominator);
  const int64_t common = std::gcd(thousandths, kDenominator);
  const ByWeightedF order{thousandths / common, kDenominator / common};
  return std::make_unique<BestFirstSearch<ByWeightedF>>(task, order, TiesOf(task));
}

}  // namespace astrolabe::engine
