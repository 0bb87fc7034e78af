// WindowSearch: a cheapest way from one state to another that is near, by Dijkstra's algorithm; from both ends where
// operators have inverses of equal cost, else from the first alone.
#ifndef ASTROLABE_DAEMON_ENGINE_ALGORITHMS_WINDOW_SEARCH_H_
#define ASTROLABE_DAEMON_ENGINE_ALGORITHMS_WINDOW_SEARCH_H_

#include <algorithm>
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
  explicit WindowSearch(const Task& task);
  ~WindowSearch() override;

  void Allow(uint64_t nodes) override { max_nodes_ = std::min<uint64_t>(nodes, fitting_); }
  Result Find(Runner& runner, const std::byte* from, const std::byte* to, Cost bound) override;

 private:
  class Side;
  struct Meeting;

  End Expand(Runner& runner, Side& side, Side& other, Meeting& meeting);
  std::vector<Op> Path(const Side& forward, const Side& backward, const Meeting& meeting) const;

  const Task& task_;
  const bool both_ways_;
  const size_t fitting_;  // into the memory of a window
  size_t max_nodes_ = 0;
  Expander expander_;
};

}  // namespace astrolabe::engine

#endif  // ASTROLABE_DAEMON_ENGINE_ALGORITHMS_WINDOW_SEARCH_H_
