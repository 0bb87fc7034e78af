// A quick look at whether a problem keeps its contract, on one instance: seconds at most.
#ifndef ASTROLABE_DAEMON_WORKER_PROBLEM_CHECK_H_
#define ASTROLABE_DAEMON_WORKER_PROBLEM_CHECK_H_

#include <string>

#include "daemon/worker/load_fault.h"
#include "daemon/worker/worker_context.h"

namespace astrolabe::worker {

// Parses the manifest's first example and walks a few steps from its initial state: numbers of
// operators, apply against expand and apply_in_place byte for byte, costs, inverse operators, refusal of
// an impossible operator, states of local search, canonical text. The fault is CONTRACT_VIOLATION, naming the test.
MaybeFault CheckProblem(const WorkerContext& worker, const std::string& plugin, const ProblemRef& problem,
                        const ManifestProblem& manifest);

}  // namespace astrolabe::worker

#endif  // ASTROLABE_DAEMON_WORKER_PROBLEM_CHECK_H_
