// Short ways to run a search in a test.
#ifndef ASTROLABE_TESTS_DAEMON_ENGINE_RUN_H_
#define ASTROLABE_TESTS_DAEMON_ENGINE_RUN_H_

#include <string>
#include <utility>
#include <vector>

#include "daemon/engine/search.h"

namespace astrolabe::engine::testing {

inline SearchRequest MakeRequest(const StateSpace& space, std::string algorithm, const Evaluator* evaluator = nullptr) {
  SearchRequest request;
  request.space = &space;
  request.algorithm = std::move(algorithm);
  if (evaluator != nullptr) request.evaluators.push_back({evaluator});
  return request;
}

inline SearchResult Solve(const SearchRequest& request) {
  SearchObserver nobody;
  const StopToken never;
  return RunSearch(request, nobody, never);
}

// Of all rows of the catalogue that search for one path, for parametrised tests. What takes constructed solutions,
// local search and counting have tests of their own.
inline std::vector<size_t> AlgorithmIndices() {
  std::vector<size_t> all;
  for (size_t i = 0; i < Algorithms().size(); ++i) {
    const AlgorithmDescription& row = Algorithms()[i];
    if (!row.needs_construct && !row.local && !row.counts_solutions) all.push_back(i);
  }
  return all;
}

}  // namespace astrolabe::engine::testing

#endif  // ASTROLABE_TESTS_DAEMON_ENGINE_RUN_H_
