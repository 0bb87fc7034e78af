#include "plugins/sliding_tile/batch_kernel.h"

#include <algorithm>
#include <array>
#include <bit>
#include <new>
#include <vector>

#include "plugins/sliding_tile/batch_search.h"
#include "plugins/sliding_tile/moves.h"
#include "plugins/tiles/spaces.h"

namespace sliding_tile {
namespace {

using Registers = RegisterKernel<4, 4, MaskH>;

constexpr int64_t kMaxSlack = 31;  // half of it has to fit into a nibble

// Where an iteration is cut: a node and the way to it.
struct Subtree {
  uint64_t state = 0;
  uint32_t root = 0;  // that the way begins at
  uint8_t blank = 0;
  uint8_t back = 0;
  uint8_t half_slack = 0;
  uint8_t length = 0;
  std::array<uint8_t, kMaxCutDepth> ops = {};
  // Counted since the subtree before this one was entered, above the cut.
  uint32_t expanded = 0;
  uint32_t generated = 0;

  BatchNode Node() const { return state | uint64_t{half_slack} << (4 * blank); }
  uint32_t Way() const { return blank * 4u + back; }
};

// All subtrees in depth-first order; what is above them is expanded.
class Cutter {
 public:
  Cutter(const AdditiveRun& run, int depth) : run_(run), depth_(depth) {}

  void Cut(uint64_t state, uint32_t blank, uint32_t back, int64_t slack, int length) {
    if (length == depth_ || state == run_.goal) {
      Subtree tree{state,
                   root,
                   static_cast<uint8_t>(blank),
                   static_cast<uint8_t>(back),
                   static_cast<uint8_t>(slack / 2),
                   static_cast<uint8_t>(length)};
      std::copy_n(ops_.begin(), length, tree.ops.begin());
      tree.expanded = expanded_;
      tree.generated = generated_;
      subtrees.push_back(tree);
      expanded_ = 0;
      generated_ = 0;
      return;
    }
    ++expanded_;
    for (uint32_t direction = 0; direction < 4; ++direction) {
      const astro_op op = blank * 4 + direction;
      if (direction == back || !moves_.IsOp(op)) continue;
      ++generated_;
      const uint32_t target = moves_.Target(op);
      const uint64_t tile = state >> (4 * target) & 15;
      const int64_t child_slack = slack - (run_.raises[blank][direction] >> tile & 1) * 2;
      if (child_slack < 0) continue;
      ops_[static_cast<size_t>(length)] = static_cast<uint8_t>(op);
      Cut(state ^ (tile << (4 * target) | tile << (4 * blank)), target, Opposite(direction), child_slack, length + 1);
    }
  }

  uint32_t root = 0;  // of what is cut now
  std::vector<Subtree> subtrees;
  // Above the cut, after the last subtree.
  uint32_t expanded() const { return expanded_; }
  uint32_t generated() const { return generated_; }

 private:
  const AdditiveRun& run_;
  const int depth_;
  const Moves moves_{Shape{4, 4}};
  std::array<uint8_t, kMaxCutDepth> ops_ = {};
  uint32_t expanded_ = 0;
  uint32_t generated_ = 0;
};

BatchRun MakeBatchRun(const AdditiveRun& run) {
  BatchRun batch;
  batch.goal = run.goal;
  batch.goal_blank = tiles::FindBlank(run.goal);
  for (size_t blank = 0; blank < 16; ++blank) {
    for (size_t direction = 0; direction < 4; ++direction) {
      for (uint32_t tile = 1; tile < 16; ++tile) {
        if ((run.raises[blank][direction] >> tile & 1) != 0)
          batch.raises[blank][direction] |= uint64_t{1} << (63 - tile);
      }
    }
  }
  return batch;
}

class BatchKernel {
 public:
  BatchKernel(const BatchOptions& options, AdditiveRun& run, uint32_t groups, uint32_t depth,
              std::vector<Subtree> subtrees)
      : options_(options),
        run_(run),
        groups_(groups),
        subtrees_(std::move(subtrees)),
        batch_(*options.steps, options.frame_nodes, depth, MakeBatchRun(run),
               options.frames != nullptr ? *options.frames : own_frames_) {}

  End Search() {
    const size_t groups = std::clamp<size_t>(subtrees_.size() / 64, 1, groups_);
    const size_t size = (subtrees_.size() + groups - 1) / groups;
    for (size_t first = 0; first < subtrees_.size(); first += size) {
      const End end = SearchGroup(first, std::min(first + size, subtrees_.size()));
      if (end != End::kNone) return end;
    }
    return End::kNone;
  }
  // After kFound.
  uint32_t found_root() const { return found_root_; }

 private:
  End SearchGroup(size_t first, size_t last) {
    batch_.Clear();
    uint64_t expanded = run_.granted;
    uint64_t generated = run_.generated;
    for (size_t i = first; i < last; ++i) {
      const Subtree& tree = subtrees_[i];
      if (!batch_.Add(tree.Node(), tree.Way())) return SearchInOrder(first, last);
      expanded += tree.expanded;
      generated += tree.generated;
    }
    switch (batch_.Search(*run_.control, run_.granted, run_.generated)) {
      case BatchEnd::kNoMemory:
        return SearchInOrder(first, last);
      case BatchEnd::kGoal:
        return Narrow(first, last);
      case BatchEnd::kStopped:
        return End::kStopped;
      case BatchEnd::kExhausted:
        run_.granted = expanded + batch_.expanded();
        run_.generated = generated + batch_.generated();
        return End::kNone;
    }
    return End::kStopped;
  }

  // A goal is in one of them; what comes before the one that depth-first search would find is to be counted.
  End Narrow(size_t first, size_t last) {
    if (batch_.expanded() <= options_.small_group || last - first == 1) return SearchInOrder(first, last);
    const size_t size = (last - first + kParts - 1) / kParts;
    for (size_t part = first; part < last; part += size) {
      const End end = SearchGroup(part, std::min(part + size, last));
      if (end != End::kNone) return end;
    }
    return End::kNone;
  }

  End SearchInOrder(size_t first, size_t last) {
    for (size_t i = first; i < last; ++i) {
      const Subtree& tree = subtrees_[i];
      run_.granted += tree.expanded;
      run_.generated += tree.generated;
      const End end = Registers::SearchFrom(run_, tree.blank, tree.back, tree.state, 2 * tree.half_slack);
      if (end == End::kFound) {
        found_root_ = tree.root;
        for (size_t k = tree.length; k > 0; --k) run_.path[run_.path_len++] = tree.ops[k - 1];
      }
      if (end != End::kNone) return end;
    }
    return End::kNone;
  }

  static constexpr size_t kParts = 8;

  const BatchOptions& options_;
  AdditiveRun& run_;
  const uint32_t groups_;
  uint32_t found_root_ = 0;
  const std::vector<Subtree> subtrees_;
  BatchFramePool own_frames_;
  BatchSearch batch_;
};

}  // namespace

BatchOptions DefaultBatchOptions() {
  BatchOptions options;
  options.steps = VectorSteps() != nullptr ? VectorSteps() : &PortableSteps();
  return options;
}

std::optional<End> RunBatchKernel(const BatchOptions& options, AdditiveRun& run, std::span<const BatchRoot> roots,
                                  uint32_t depth, uint32_t& found_root) {
  const bool single = roots.size() == 1;
  for (const BatchRoot& root : roots) {
    if (root.slack > kMaxSlack || (single && root.state == run.goal)) return std::nullopt;
  }
  // Below several roots as deep as is enough for twice the least number.
  const int levels = single ? options.cut_depth
                            : static_cast<int>(std::bit_width(2 * uint64_t{options.least_subtrees} / roots.size()));
  Cutter cutter(run, std::clamp(levels, 1, kMaxCutDepth));
  std::optional<BatchKernel> kernel;
  try {
    for (const BatchRoot& root : roots) {
      cutter.Cut(root.state, root.blank, root.back, root.slack, 0);
      ++cutter.root;
    }
    if (cutter.subtrees.size() < (single ? options.least_subtrees : options.least_subtrees / 8)) return std::nullopt;
    kernel.emplace(options, run, single ? options.groups : 1, depth, std::move(cutter.subtrees));
  } catch (const std::bad_alloc&) {
    return std::nullopt;
  }
  const End end = kernel->Search();
  found_root = kernel->found_root();
  if (end == End::kNone) {
    run.granted += cutter.expanded();
    run.generated += cutter.generated();
  }
  return end;
}

}  // namespace sliding_tile
