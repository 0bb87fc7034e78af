// WindowSearch: a cheapest way from one state to another that is near, by Dijkstra's algorithm; from both ends where
// operators have inverses of equal cost, else from the first alone.
#ifndef ASTROLABE_DAEMON_ENGINE_ALGORITHMS_WINDOW_SEARCH_H_
#define ASTROLABE_DAEMON_ENGINE_ALGORITHMS_WINDOW_SEARCH_H_

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "daemon/engine/algorithms/algorithm.h"
#include "daemon/engine/algorithms/expander.h"

namespace astrolabe::engine {

class WindowSearch {
 public:
  enum class End {
    kCheaper,   // there is a way below the bound: ops and cost are the cheapest's
    kNothing,   // no way costs less than the bound
    kTooLarge,  // more than max_nodes were needed
    kStopped,   // the runner said so
    kBroken,    // a plugin broke its contract; the runner has the text
  };
  struct Result {
    End end;
    std::vector<Op> ops;
    Cost cost = 0;
  };

  // Throws std::bad_alloc, as Find does. The task outlives it.
  WindowSearch(const Task& task, size_t max_nodes);
  ~WindowSearch();

  // States are aligned and of the space's stride. Expansions are asked for and counted.
  Result Find(Runner& runner, const std::byte* from, const std::byte* to, Cost bound);

  size_t max_stored() const { return max_stored_; }

 private:
  class Side;
  struct Meeting;

  End Expand(Runner& runner, Side& side, Side& other, Meeting& meeting);
  std::vector<Op> Path(const Side& forward, const Side& backward, const Meeting& meeting) const;

  const Task& task_;
  const bool both_ways_;
  const size_t max_nodes_;
  Expander expander_;
  size_t max_stored_ = 0;
};

}  // namespace astrolabe::engine

#endif  // ASTROLABE_DAEMON_ENGINE_ALGORITHMS_WINDOW_SEARCH_H_
