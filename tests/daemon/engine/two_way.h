// A board, Manhattan distance, and the same for the way back: what any algorithm may ask for.
#ifndef ASTROLABE_TESTS_DAEMON_ENGINE_TWO_WAY_H_
#define ASTROLABE_TESTS_DAEMON_ENGINE_TWO_WAY_H_

#include <string>

#include "tests/daemon/engine/run.h"
#include "tests/daemon/engine/sliding_domain.h"

namespace astrolabe::engine::testing {

class TwoWayBoard {
 public:
  explicit TwoWayBoard(const TileSpec& spec)
      : space_(spec),
        h_(space_, TileHeuristicKind::kManhattan),
        reversed_(Reversed(spec)),
        reversed_h_(reversed_, TileHeuristicKind::kManhattan) {}

  SearchRequest Request(const std::string& algorithm) const {
    SearchRequest request = MakeRequest(space_, algorithm, &h_);
    for (const AlgorithmDescription& row : Algorithms()) {
      if (row.id != algorithm || !row.needs_reversed) continue;
      request.reversed = &reversed_;
      request.reversed_evaluators.push_back({&reversed_h_});
    }
    return request;
  }
  const TileSpace& space() const { return space_; }

 private:
  const TileSpace space_;
  const TileHeuristic h_;
  const TileSpace reversed_;
  const TileHeuristic reversed_h_;
};

}  // namespace astrolabe::engine::testing

#endif  // ASTROLABE_TESTS_DAEMON_ENGINE_TWO_WAY_H_
