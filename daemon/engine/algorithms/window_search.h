// WindowSearch: a cheapest way from one state to another that is near, by Dijkstra's algorithm; from both ends where
// operators have inverses of equal cost, else from the first alone.
#ifndef ASTROLABE_DAEMON_ENGINE_ALGORITHMS_WINDOW_SEARCH_H_
#define ASTROLABE_DAEMON_ENGINE_ALGORITHMS_WINDOW_SEARCH_H_

#include <cstddef>
#include <cstdint>
#include <vector>

#include "daemon/engine/algorithms/algorithm.h"
#include "daemon/engine/algorithms/expander.h"
#include "daemon/engine/algorithms/window_finder.h"

namespace astrolabe::engine {

class WindowSearch final : public WindowFinder {
 public:
  // Throws std::bad_alloc. The task outlives it.
  WindowSearch(const Task& task, size_t max_nodes);
  ~WindowSearch() override;

  Result Find(Runner& runner, const std::byte* from, const std::byte* to, Cost bound) override;

 private:
  class Side;
  struct Meeting;

  End Expand(Runner& runner, Side& side, Side& other, Meeting& meeting);
  std::vector<Op> Path(const Side& forward, const Side& backward, const Meeting& meeting) const;

  const Task& task_;
  const bool both_ways_;
  const size_t max_nodes_;
  Expander expander_;
};

}  // namespace astrolabe::engine

#endif  // ASTROLABE_DAEMON_ENGINE_ALGORITHMS_WINDOW_SEARCH_H_
