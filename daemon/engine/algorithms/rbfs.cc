// The recursion on a stack of its own: each node on the path keeps a backed-up value for each of its children, the
// largest lower bound known of the solutions below it. The search is below the child of least value, until that value
// passes the bound: the least value of any other node that waits on the path.
//
// Where a path could go round for ever (no promise of solvability, free operators), a child that is on the path already
// is a dead end. The tree of paths without cycles is finite, so all values reach infinity in the end.
#include "daemon/engine/algorithms/rbfs.h"

#include <algorithm>
#include <cstring>
#include <string>

#include "daemon/engine/algorithms/expander.h"
#include "daemon/engine/algorithms/iteration.h"
#include "daemon/engine/events.h"
#include "daemon/engine/runner.h"
#include "daemon/engine/structures/frame_stack.h"
#include "daemon/engine/structures/layout.h"
#include "daemon/engine/structures/path_set.h"
#include "daemon/engine/structures/state_hash.h"

namespace astrolabe::engine {
namespace {

class Rbfs final : public Algorithm {
 public:
  explicit Rbfs(const Task& task)
      : task_(task),
        problem_(task.space.calls()),
        info_(task.space.info()),
        cycles_(ChecksDuplicates(task)),
        expander_(task.space, &task.evaluator, task.memory),
        stack_(info_, 0, {.child_states = true, .backed_up = true}, task.memory),
        on_path_(task.memory),
        limits_(AccountedAllocator<Limits>(task.memory)) {}

  SearchEnd Search(Runner& runner) override {
    NodeEvents events(task_.space, task_.sink, runner);
    Frame& root = stack_.At(0);
    task_.space.InitialState(root.own_state);
    root.state = root.own_state;
    root.g = 0;
    root.op = kNoOp;
    root.h = expander_.Evaluate(runner, root.own_state);
    if (root.h < 0) return SearchEnd::kBroken;
    runner.SetInitialH(root.h);
    events.Record(NodeKind::kSource, root.state, nullptr, kNoOp, 0, root.h, 0);
    if (root.h == kInfinity) return SearchEnd::kExhausted;
    // The root's bound: with an admissible h no solution below a larger value is wanted.
    const Cost most = task_.admissible && task_.max_cost ? *task_.max_cost : kInfinity - 1;
    const Cost value = Recurse(runner, events, root.h, most);
    if (end_ != SearchEnd::kExhausted) return end_;
    if (value != kInfinity) {
      runner.RaiseLowerBound(value);
      runner.NoteCostCut();
    }
    return SearchEnd::kExhausted;
  }

  bool Extract(Runner&, Solution& solution) override {
    for (size_t depth = 1; depth <= depth_; ++depth) solution.path.push_back(stack_.At(depth).op);
    solution.cost = stack_.At(depth_).g;
    return true;
  }

  Gauges Observe() const override {
    return {.max_open = static_cast<int64_t>(max_open_), .stored = static_cast<int64_t>(depth_ + 1), .best_h = best_h_};
  }

 private:
  // Of a node on the path: its own backed-up value, and the bound its subtree must not pass.
  struct Limits {
    Cost value;
    Cost bound;
  };

  // Searches below the root; returns its new value. end_ says whether and why the search is over.
  Cost Recurse(Runner& runner, NodeEvents& events, Cost value, Cost bound) {
    depth_ = 0;
    limits_.assign(1, {value, bound});
    if (value > bound) return value;
    if (cycles_) Push(stack_.At(0));
    if (!Enter(runner, events)) return 0;
    for (;;) {
      Frame& node = stack_.At(depth_);
      uint32_t best = 0;
      Cost second = kInfinity;
      FindBest(node, best, second);
      const Cost least = node.count > 0 ? node.backed_up[best] : kInfinity;
      if (depth_ == 0 && least != kInfinity) runner.RaiseLowerBound(least);
      if (least == kInfinity || least > limits_[depth_].bound) {
        Leave(events, node);
        if (depth_ == 0) return least;
        limits_.pop_back();
        open_ -= node.count;
        --depth_;
        Frame& parent = stack_.At(depth_);
        parent.backed_up[parent.next] = least;
        continue;
      }
      node.next = best;
      limits_.push_back({least, std::min(limits_[depth_].bound, second)});
      Frame& child = stack_.At(depth_ + 1);
      child.state = node.child_states + best * stack_.state_stride();
      child.op = node.ops[best];
      child.g = node.g + node.costs[best];
      child.h = node.hs[best];
      ++depth_;
      if (cycles_) Push(child);
      if (!Enter(runner, events)) return 0;
    }
  }

  // The first child of least value, and the least value of the others.
  static void FindBest(const Frame& node, uint32_t& best, Cost& second) {
    for (uint32_t i = 1; i < node.count; ++i) {
      if (node.backed_up[i] < node.backed_up[best]) {
        second = node.backed_up[best];
        best = i;
      } else {
        second = std::min(second, node.backed_up[i]);
      }
    }
  }

  // Tests the deepest node for the goal and expands it. False: the search is over, end_ says how.
  bool Enter(Runner& runner, NodeEvents& events) {
    Frame& node = stack_.At(depth_);
    if (node.h < best_h_ || best_h_ < 0) best_h_ = node.h;
    if (problem_.is_goal(problem_.problem, node.state) != 0) {
      Record(events, NodeKind::kGoal, node);
      return Stop(SearchEnd::kSolved);
    }
    if (!runner.MayExpand()) return Stop(SearchEnd::kStopped);
    runner.CountExpanded();
    Record(events, NodeKind::kExpanding, node);
    const auto* state = static_cast<const std::byte*>(node.state);
    if (SearchEnd end = expander_.Expand(runner, state, node.op, node.g, node.h); end != SearchEnd::kExhausted) {
      return Stop(end);
    }
    node.count = static_cast<uint32_t>(expander_.children().size());
    open_ += node.count;
    max_open_ = std::max(max_open_, open_);
    // A value above f: the node was expanded before, and what was learnt then holds for all its children.
    const Cost value = limits_[depth_].value;
    const Cost inherited = node.g + node.h < value ? value : 0;
    for (uint32_t i = 0; i < node.count; ++i) {
      const Child& child = expander_.children()[i];
      node.ops[i] = child.op;
      node.costs[i] = child.cost;
      node.hs[i] = child.h;
      std::byte* state_i = node.child_states + i * stack_.state_stride();
      std::memcpy(state_i, child.state, info_.state_size);
      node.backed_up[i] = child.h == kInfinity ? kInfinity : std::max(inherited, child.f);
      if (!MayEnter(runner, child)) node.backed_up[i] = kInfinity;
      if (events.enabled()) {
        const NodeKind kind = child.h == kInfinity             ? NodeKind::kDeadEnd
                              : node.backed_up[i] == kInfinity ? NodeKind::kPruned
                                                               : NodeKind::kGenerating;
        events.Record(kind, state_i, node.state, child.op, child.g, child.h, static_cast<int64_t>(depth_) + 1);
      }
    }
    return true;
  }

  // False: too dear, or on the path already.
  bool MayEnter(Runner& runner, const Child& child) {
    if (!cycles_ || child.h == kInfinity) return true;
    if (task_.max_cost && !task_.admissible && child.g > *task_.max_cost) {
      runner.NoteCostCut();
      return false;
    }
    return !on_path_.Contains(HashBytes(child.state, info_.state_size), [&](uint64_t depth) {
      return std::memcmp(stack_.At(depth).state, child.state, info_.state_size) == 0;
    });
  }

  void Push(Frame& node) {
    node.hash = HashBytes(node.state, info_.state_size);
    on_path_.Push(node.hash, depth_);
  }

  void Leave(NodeEvents& events, Frame& node) {
    if (cycles_) on_path_.Pop(node.hash, depth_);
    Record(events, NodeKind::kClosing, node);
  }

  bool Stop(SearchEnd end) {
    end_ = end;
    return false;
  }

  void Record(NodeEvents& events, NodeKind kind, const Frame& node) {
    if (!events.Wants(kind)) return;
    events.Record(kind, node.state, depth_ > 0 ? stack_.At(depth_ - 1).state : nullptr, node.op, node.g, node.h,
                  static_cast<int64_t>(depth_));
  }

  const Task& task_;
  const SpaceCalls problem_;
  const SpaceInfo info_;
  const bool cycles_;
  Expander expander_;
  FrameStack stack_;
  PathSet on_path_;
  std::vector<Limits, AccountedAllocator<Limits>> limits_;
  SearchEnd end_ = SearchEnd::kExhausted;
  size_t depth_ = 0;
  size_t open_ = 0;  // children on the path
  size_t max_open_ = 0;
  Cost best_h_ = -1;
};

}  // namespace

std::unique_ptr<Algorithm> MakeRbfs(const Task& task) { return std::make_unique<Rbfs>(task); }

}  // namespace astrolabe::engine
