// Spaces that construct a path which the test has chosen.
#ifndef ASTROLABE_TESTS_DAEMON_ENGINE_CONSTRUCTING_H_
#define ASTROLABE_TESTS_DAEMON_ENGINE_CONSTRUCTING_H_

#include <algorithm>
#include <functional>
#include <memory>
#include <random>
#include <span>
#include <utility>
#include <vector>

#include "daemon/engine/domain.h"
#include "tests/daemon/engine/boards.h"
#include "tests/daemon/engine/sliding_domain.h"

namespace astrolabe::engine::testing {

// Space: TileSpace or GraphSpace.
template <class Space>
class Constructing final : public Space {
 public:
  template <class Spec>
  Constructing(const Spec& spec, std::vector<Op> path, size_t piece = 7)
      : Space(spec), path_(std::move(path)), piece_(piece) {}

  bool HasConstruct() const override { return true; }
  Construction Construct(OpSink& sink) const override {
    if (!refusal.empty()) return {Construction::End::kRefused, refusal};
    std::span<const Op> left(path_);
    while (!left.empty()) {
      const size_t n = std::min(piece_, left.size());
      if (!sink.Take(left.first(n)) && heeds_stops) return {Construction::End::kStopped, ""};
      left = left.subspan(n);
    }
    return {Construction::End::kDone, ""};
  }

  std::unique_ptr<Distance> OpenDistance() const override { return distance ? distance() : nullptr; }

  std::string refusal;
  bool heeds_stops = true;
  std::function<std::unique_ptr<Distance>()> distance;  // none: the space has no distances

 private:
  const std::vector<Op> path_;
  const size_t piece_;
};

// A board and a path from it to the goal: a random walk, taken back.
struct WalkedBack {
  TileSpec spec;
  std::vector<Op> path;
};

inline WalkedBack RandomWalkBack(int rows, int columns, int steps, std::mt19937_64& random) {
  TileSpec spec;
  spec.rows = rows;
  spec.columns = columns;
  spec.goal = spec.start = BlankLast(rows * columns);
  const TileSpace space(spec);
  int blank = rows * columns - 1;
  std::vector<Op> path;
  for (int i = 0; i < steps; ++i) {
    const TileSpace::Moves& moves = space.moves(blank);
    const uint32_t k = static_cast<uint32_t>(random() % moves.count);
    const int target = moves.target[k];
    std::swap(spec.start[static_cast<size_t>(blank)], spec.start[static_cast<size_t>(target)]);
    // The way back: up and down, left and right add up to 3.
    path.push_back(static_cast<Op>(target) * 4 + (3 - moves.direction[k]));
    blank = target;
  }
  std::reverse(path.begin(), path.end());
  return {std::move(spec), std::move(path)};
}

}  // namespace astrolabe::engine::testing

#endif  // ASTROLABE_TESTS_DAEMON_ENGINE_CONSTRUCTING_H_
