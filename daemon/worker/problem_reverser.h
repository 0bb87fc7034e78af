// Making the reversed problem of an instance; see astrolabe/abi/reversed.h.
#ifndef ASTROLABE_DAEMON_WORKER_PROBLEM_REVERSER_H_
#define ASTROLABE_DAEMON_WORKER_PROBLEM_REVERSER_H_

#include <memory>
#include <variant>

#include "daemon/worker/instance_loader.h"

namespace astrolabe::worker {

// `problem` was made by `ref`. The reversed problem does not need it; it needs `host`, as `problem` does. A refusal of
// kind kRejected, with one violation at least: there is no such problem. `control` null: nothing is cancelled.
std::variant<std::unique_ptr<AbiProblem>, Refusal> ReverseProblem(const AbiProblem& problem, const ProblemRef& ref,
                                                                  const HostServices& host,
                                                                  DiagnosticCollector& diagnostics,
                                                                  JobControl* control);

}  // namespace astrolabe::worker

#endif  // ASTROLABE_DAEMON_WORKER_PROBLEM_REVERSER_H_
