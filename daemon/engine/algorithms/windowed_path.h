// WindowedPath: a path from the initial state that gets shorter window by window.
#ifndef ASTROLABE_DAEMON_ENGINE_ALGORITHMS_WINDOWED_PATH_H_
#define ASTROLABE_DAEMON_ENGINE_ALGORITHMS_WINDOWED_PATH_H_

#include <cstddef>
#include <cstdint>
#include <functional>
#include <vector>

#include "daemon/engine/algorithms/algorithm.h"
#include "daemon/engine/algorithms/constructed_path.h"
#include "daemon/engine/algorithms/window_finder.h"
#include "daemon/engine/structures/block.h"

namespace astrolabe::engine {

// At any time it is: what the pass has done with, the window, and what it has not come to.
class WindowedPath {
 public:
  // What came of the windows of a pass.
  struct Tally {
    uint64_t shortened = 0;
    uint64_t left = 0;       // none is shorter
    uint64_t too_large = 0;  // perhaps one is
  };

  // The task outlives it. Throws std::bad_alloc.
  explicit WindowedPath(const Task& task);

  // As ConstructPath.
  SearchEnd Construct(Runner& runner);

  // Once along the path with windows of so many operators, `first` in the first, each of the others half of the one
  // before. go_on() is asked after each window: false is kBroken. kExhausted: through.
  SearchEnd Pass(Runner& runner, WindowFinder& finder, size_t width, size_t first, const std::function<bool()>& go_on);
  const Tally& tally() const { return tally_; }  // of the last pass
  // Where the pass is, 0 to 1.
  double progress() const;

  // Of a path that no pass is on. The goal where it ends is the only one.
  bool EndsInTheOnlyGoal() { return task_.space.GoalState(to_.data()); }
  // Precondition: that. False: the path does not hold all that the finder relied on, the runner has the text.
  bool Confirm(Runner& runner, WindowFinder& finder);

  Cost cost() const { return cost_; }
  size_t size() const { return done_.size() + window_.size() + ahead_.size() - read_; }
  std::vector<Op> Operators() const;

 private:
  // Takes operators into the window, up to `width`.
  void Fill(size_t width);
  SearchEnd ImproveWindow(Runner& runner, WindowFinder& finder);
  bool Leave(size_t count);

  const Task& task_;
  Block from_;  // where the window begins
  Block to_;    // and ends
  AccountedPath done_;
  std::vector<Op> window_;
  AccountedPath ahead_;
  size_t read_ = 0;  // of ahead_
  Cost cost_ = 0;    // of the whole path
  Tally tally_;
};

}  // namespace astrolabe::engine

#endif  // ASTROLABE_DAEMON_ENGINE_ALGORITHMS_WINDOWED_PATH_H_
