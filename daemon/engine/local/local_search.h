// LocalSearch: climbs, one after the other, until one finds a solution or no restarts are left. How a climb goes is the
// climber's: there is one for each algorithm.
#ifndef ASTROLABE_DAEMON_ENGINE_LOCAL_LOCAL_SEARCH_H_
#define ASTROLABE_DAEMON_ENGINE_LOCAL_LOCAL_SEARCH_H_

#include <memory>
#include <optional>

#include "daemon/engine/algorithms/algorithm.h"
#include "daemon/engine/local/options.h"
#include "daemon/engine/local/walk.h"

namespace astrolabe::engine {

class Climber {
 public:
  virtual ~Climber() = default;
  // What the algorithm looks at; the climber may keep a pointer to it. Throws std::bad_alloc, as Climb does.
  virtual std::unique_ptr<Neighbourhood> Open(const Task& task, Runner& runner) {
    return MakeNeighbourhood(task, runner);
  }
  // From the present state of the walk until walk.solved(), or there is nowhere to go.
  virtual ClimbEnd Climb(Walk& walk) = 0;
};

class LocalSearch final : public Algorithm {
 public:
  LocalSearch(const Task& task, std::unique_ptr<Climber> climber)
      : task_(task), options_(task.params), climber_(std::move(climber)) {}

  SearchEnd Search(Runner& runner) override;
  bool Extract(Runner&, Solution&) override { return false; }  // there is no path
  Gauges Observe() const override;
  Guarantee guarantee() const override { return {.kind = Guarantee::kNothing}; }
  std::optional<LocalAnswer> local_answer() const override;

 private:
  const Task& task_;
  const LocalOptions options_;
  const std::unique_ptr<Climber> climber_;
  std::optional<Walk> walk_;
};

}  // namespace astrolabe::engine

#endif  // ASTROLABE_DAEMON_ENGINE_LOCAL_LOCAL_SEARCH_H_
