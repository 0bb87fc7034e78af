// WindowFinder: finds a cheapest way from one state to another that is near. What `improve` asks for each window.
#ifndef ASTROLABE_DAEMON_ENGINE_ALGORITHMS_WINDOW_FINDER_H_
#define ASTROLABE_DAEMON_ENGINE_ALGORITHMS_WINDOW_FINDER_H_

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "daemon/engine/domain.h"

namespace astrolabe::engine {

class Runner;

class WindowFinder {
 public:
  enum class End {
    kCheaper,   // there is a way below the bound: ops and cost are the cheapest's
    kNothing,   // no way costs less than the bound
    kTooLarge,  // more nodes were needed than one window may have
    kStopped,   // the runner said so
    kBroken,    // a plugin broke its contract; the runner has the text
  };
  struct Result {
    End end;
    std::vector<Op> ops;
    Cost cost = 0;
  };

  virtual ~WindowFinder() = default;
  // States are aligned and of the space's stride. Expansions are asked for and counted. Throws std::bad_alloc.
  virtual Result Find(Runner& runner, const std::byte* from, const std::byte* to, Cost bound) = 0;
  // From now on a window may have so many nodes, or as many of them as memory allows.
  virtual void Allow(uint64_t nodes) = 0;
  // A cheapest path that Find gave holds all that Find relied on. False: it does not, the runner has the text.
  virtual bool Confirm(Runner&, const std::byte*, std::span<const Op>, const std::byte*) { return true; }

  size_t max_stored() const { return max_stored_; }
  // Of all windows, in what it costs to apply an operator in place; roughly, but the same every time.
  uint64_t effort() const { return effort_; }

 protected:
  size_t max_stored_ = 0;
  uint64_t effort_ = 0;
};

}  // namespace astrolabe::engine

#endif  // ASTROLABE_DAEMON_ENGINE_ALGORITHMS_WINDOW_FINDER_H_
