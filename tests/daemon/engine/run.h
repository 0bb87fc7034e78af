// Short ways to run a search in a test.
#ifndef ASTROLABE_TESTS_DAEMON_ENGINE_RUN_H_
#define ASTROLABE_TESTS_DAEMON_ENGINE_RUN_H_

#include <string>
#include <utility>

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

}  // namespace astrolabe::engine::testing

#endif  // ASTROLABE_TESTS_DAEMON_ENGINE_RUN_H_
