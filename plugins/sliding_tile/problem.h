// The sliding-tile problem, as the SDK wants it.
#ifndef ASTROLABE_PLUGINS_SLIDING_TILE_PROBLEM_H_
#define ASTROLABE_PLUGINS_SLIDING_TILE_PROBLEM_H_

#include <memory>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

#include "astrolabe/abi/ida.h"
#include "astrolabe/sdk/problem.h"
#include "astrolabe/sliding_tile/view.h"
#include "plugins/sliding_tile/batch_frame_pool.h"
#include "plugins/sliding_tile/board_distance.h"
#include "plugins/sliding_tile/moves.h"
#include "plugins/sliding_tile/problem_info.h"
#include "plugins/sliding_tile/puzzle.h"
#include "plugins/tiles/board_space.h"

namespace sliding_tile {

// Immutable. Its address is stable: spaces and view point into it.
class SlidingTile {
 public:
  static constexpr const astro::ProblemInfo& kInfo = kProblemInfo;
  static constexpr std::string_view kStateLayout = SLIDING_TILE_LAYOUT;

  static std::unique_ptr<SlidingTile> Parse(std::string_view text, const astro::Params& params,
                                            astro::Diagnostics& diagnostics);
  explicit SlidingTile(Puzzle puzzle);
  SlidingTile(const SlidingTile&) = delete;
  SlidingTile& operator=(const SlidingTile&) = delete;

  astro::SpaceInfo Space() const;
  const void* DomainView() const { return &view_; }
  void InitialState(void* out) const { space_.Store(puzzle_.start, out); }
  bool GoalState(void* out) const {
    space_.Store(puzzle_.goal, out);
    return true;
  }

  template <class F>
  [[gnu::always_inline]] auto Visit(F&& f) const {
    return space_.Visit(std::forward<F>(f));
  }

  bool ApplyInPlace(void* state, astro_op op, int64_t* cost) const { return space_.ApplyInPlace(state, op, cost); }
  astro_op InverseOp(astro_op op) const;

  void RenderState(const void* state, astro::Writer& out) const;
  bool ParseState(std::string_view text, astro::Diagnostics& diagnostics, void* out) const;
  void RenderOp(astro_op op, astro::Writer& out) const;
  void CanonicalText(astro::Writer& out) const;
  void Describe(astro::Writer& out) const;
  astro::Sha256::Digest Fingerprint() const;
  uint32_t Solvable(astro::Writer& reason) const;

  // A solution row by row, for boards of any size (see construct.h).
  void Construct(astro::OpWriter& out) const;

  // Manhattan distance between two boards.
  BoardDistance Distance() const { return BoardDistance(moves_, space_, row_.data(), col_.data()); }

  // hamming, manhattan, solvable and twin of a board.
  void Facts(const void* state, astro::FactWriter& out) const;

  // The same shape with start and goal swapped. Never null.
  std::unique_ptr<SlidingTile> Reversed(astro::Diagnostics& diagnostics) const;

  // The register kernel, for shapes that have one; nullopt: the SDK's.
  static constexpr bool kKernelTakesRoots = true;
  std::optional<int32_t> RunKernel(astro_ida_v1& call) const;

 private:
  const Puzzle puzzle_;
  const Moves moves_;
  const Tiles goal_square_;   // of each tile
  std::vector<uint8_t> row_;  // of each square
  std::vector<uint8_t> col_;
  const tiles::BoardSpace<Moves> space_;
  sliding_tile_view_v1 view_ = {};
  std::unique_ptr<BatchFramePool> batch_frames_ = std::make_unique<BatchFramePool>();
};

}  // namespace sliding_tile

#endif  // ASTROLABE_PLUGINS_SLIDING_TILE_PROBLEM_H_
