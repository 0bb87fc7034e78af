// EvaluatorSet: the heuristics of a request as one, and what they promise together.
#ifndef ASTROLABE_DAEMON_ENGINE_EVALUATOR_SET_H_
#define ASTROLABE_DAEMON_ENGINE_EVALUATOR_SET_H_

#include <memory>
#include <string>
#include <vector>

#include "daemon/engine/domain.h"
#include "daemon/engine/search.h"

namespace astrolabe::engine {

// Largest finite h of a combination: a larger sum is cut to it, so that it is never taken for a dead end
// and g + h does not overflow.
inline constexpr Cost kMaxCombinedH = kInfinity / 2;

class EvaluatorSet {
 public:
  // Appends what is wrong with the request's heuristics; empty: the set may be made.
  static void Check(const SearchRequest& request, std::vector<Violation>& violations);

  // Precondition: Check found nothing. `uses` outlives the set.
  EvaluatorSet(const std::vector<EvaluatorUse>& uses, Combine combine);
  ~EvaluatorSet();

  // The heuristic itself when there is one of weight 1, without another hop.
  const Evaluator& evaluator() const { return *evaluator_; }
  bool single() const { return single_; }
  // h = max or sum of floor(w * h_i) is promised not to exceed the true remaining cost.
  bool admissible() const { return admissible_; }
  // Of several heuristics, the id of one that gave a negative h; null: none is known.
  const std::string* broken() const;

 private:
  std::unique_ptr<Evaluator> owned_;
  const Evaluator* evaluator_;
  bool single_ = false;
  bool admissible_ = false;
};

}  // namespace astrolabe::engine

#endif  // ASTROLABE_DAEMON_ENGINE_EVALUATOR_SET_H_
