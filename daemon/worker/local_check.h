// A quick look at whether what local search uses keeps its contract: at load on the manifest's first example, in a job
// on its own instance.
#ifndef ASTROLABE_DAEMON_WORKER_LOCAL_CHECK_H_
#define ASTROLABE_DAEMON_WORKER_LOCAL_CHECK_H_

#include <cstdint>
#include <optional>

#include "daemon/worker/abi_heuristic.h"
#include "daemon/worker/abi_problem.h"
#include "daemon/worker/finding.h"

namespace astrolabe::worker {

// Random states and factored states of `problem`: the same from call to call, values and states that lead back to each
// other, steps that are operators too. Nullopt: fine, or it has none of these.
std::optional<Finding> CheckLocalProblem(const AbiProblem& problem);

// The trail of `evaluator` against its eval, on a state of `seed` and after some steps. Precondition: the problem is
// factored and the evaluator has a trail. Nullopt: fine, or there is no memory for a trail.
std::optional<Finding> CheckTrail(const AbiProblem& problem, const AbiEvaluator& evaluator, uint64_t seed);

}  // namespace astrolabe::worker

#endif  // ASTROLABE_DAEMON_WORKER_LOCAL_CHECK_H_
