// What all local search algorithms may be told: parameters of these names.
#ifndef ASTROLABE_DAEMON_ENGINE_LOCAL_OPTIONS_H_
#define ASTROLABE_DAEMON_ENGINE_LOCAL_OPTIONS_H_

#include <cstdint>
#include <string>
#include <vector>

#include "daemon/engine/domain.h"
#include "daemon/engine/params.h"
#include "daemon/engine/search.h"

namespace astrolabe::engine {

struct LocalOptions {
  static constexpr int64_t kUntilSolved = -1;

  int64_t restarts = 0;  // or kUntilSolved
  int64_t steps = 0;     // of a climb; 0: any number
  Cost target = -1;      // negative: none
  bool stop_at_solution = true;

  explicit LocalOptions(const Params& params)
      : restarts(params.Get<int64_t>("restarts")),
        steps(params.Get<int64_t>("steps")),
        target(params.Get<int64_t>("target")),
        stop_at_solution(params.Get<bool>("stop_at_solution")) {}
};

// `own`, then those of LocalOptions. default_steps: 0 where a climb ends by itself.
std::vector<ParamSpec> LocalParams(std::vector<ParamSpec> own, int64_t default_steps = 0);

// What is wrong with a request for a local search, whose params are complete; appended to `violations`.
void CheckLocalRequest(const SearchRequest& request, const AlgorithmDescription& algorithm, const Params& params,
                       std::vector<Violation>& violations);

}  // namespace astrolabe::engine

#endif  // ASTROLABE_DAEMON_ENGINE_LOCAL_OPTIONS_H_
