// The best of all neighbours, one of them at random when there are several.
#ifndef ASTROLABE_DAEMON_ENGINE_LOCAL_BEST_MOVES_H_
#define ASTROLABE_DAEMON_ENGINE_LOCAL_BEST_MOVES_H_

#include <algorithm>
#include <optional>
#include <span>

#include "daemon/engine/local/walk.h"

namespace astrolabe::engine {

// Takes chunks of changes; keeps one of the smallest, each as likely as the others.
class BestOf {
 public:
  explicit BestOf(Random& random) : random_(random) {}

  void Add(uint64_t first, std::span<const Cost> changes) {
    Cost least = kNoStep;
    for (Cost change : changes) least = std::min(least, change);
    if (least > best_ || least == kNoStep) return;
    uint64_t here = 0;
    for (Cost change : changes) here += change == least;
    if (least < best_) count_ = 0;
    best_ = least;
    count_ += here;
    uint64_t nth = count_ > 1 ? random_.Below(count_) : 0;
    if (nth >= here) return;  // one of the chunks before keeps its place
    size_t i = 0;
    for (;; ++i) {
      if (changes[i] == least && nth-- == 0) break;
    }
    move_ = first + i;
  }
  // nullopt: there was none.
  std::optional<Step> step() const { return count_ > 0 ? std::optional(Step{move_, best_}) : std::nullopt; }

 private:
  Random& random_;
  Cost best_ = kNoStep;
  uint64_t count_ = 0;
  uint64_t move_ = 0;
};

// nullopt: the state has no neighbours, or the walk has failed.
inline std::optional<Step> BestMove(Walk& walk) {
  BestOf best(walk.random());
  const uint64_t moves = walk.Moves();
  for (uint64_t first = 0; first < moves;) {
    const std::span<const Cost> changes = walk.Changes(first);
    if (changes.empty()) return std::nullopt;
    best.Add(first, changes);
    first += changes.size();
  }
  return best.step();
}

}  // namespace astrolabe::engine

#endif  // ASTROLABE_DAEMON_ENGINE_LOCAL_BEST_MOVES_H_
