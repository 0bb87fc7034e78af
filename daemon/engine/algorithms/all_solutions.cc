// Depth-first search through everything that can be reached; counts the goals. In a tree no state is met twice, and
// nothing is kept but the path; else all states that were met are kept, and each is entered once.
#include "daemon/engine/algorithms/all_solutions.h"

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "daemon/engine/events.h"
#include "daemon/engine/runner.h"
#include "daemon/engine/structures/frame_stack.h"
#include "daemon/engine/structures/layout.h"
#include "daemon/engine/structures/node_table.h"

namespace astrolabe::engine {
namespace {

class AllSolutions final : public Algorithm {
 public:
  explicit AllSolutions(const Task& task)
      : task_(task),
        problem_(task.space.calls()),
        max_ops_(task.space.info().max_ops),
        stack_(task.space.info(), 0, {}, task.memory) {
    if (!task.space.info().tree) met_.emplace(task.space.info(), task.memory);
  }

  SearchEnd Search(Runner& runner) override {
    NodeEvents events(task_.space, task_.sink, runner);
    Frame& root = stack_.At(0);
    root.op = kNoOp;
    root.g = 0;
    root.state = root.own_state;
    task_.space.InitialState(root.own_state);
    events.Record(NodeKind::kSource, root.state, nullptr, kNoOp, 0, 0, 0);
    IsNew(root);
    if (SearchEnd end = Enter(runner, events, root); end != SearchEnd::kExhausted) return end;
    for (depth_ = 0;;) {
      Frame& node = stack_.At(depth_);
      if (node.next == node.count) {
        Record(events, NodeKind::kClosing, node);
        if (depth_ == 0) break;
        --depth_;
        continue;
      }
      if (!runner.MayGenerate()) return SearchEnd::kStopped;
      runner.CountGenerated();
      Frame& child = stack_.At(depth_ + 1);
      child.op = node.ops[node.next];
      child.g = CostThrough(node);
      ++node.next;
      child.state = child.own_state;
      problem_.apply(problem_.problem, node.state, child.op, child.own_state);
      ++depth_;
      if (!IsNew(child)) {
        runner.CountDuplicate();
        Record(events, NodeKind::kPruned, child);
        --depth_;
        continue;
      }
      Record(events, NodeKind::kGenerating, child);
      if (SearchEnd end = Enter(runner, events, child); end != SearchEnd::kExhausted) return end;
    }
    complete_ = true;
    return count_ > 0 ? SearchEnd::kSolved : SearchEnd::kExhausted;
  }

  // Of the first solution, when it is found.
  bool Extract(Runner&, Solution& solution) override {
    for (size_t depth = 1; depth <= depth_; ++depth) solution.path.push_back(stack_.At(depth).op);
    solution.may_be_cheaper = true;
    solution.cost = kInfinity;
    return true;
  }

  Gauges Observe() const override {
    return {.open = static_cast<int64_t>(depth_), .stored = met_ ? static_cast<int64_t>(met_->size()) : 0};
  }
  Guarantee guarantee() const override {
    return {.kind = Guarantee::kNothing, .needs_admissible = false, .uses_heuristics = false};
  }
  int64_t solution_count() const override { return count_; }
  std::string note() const override {
    const std::string solutions = std::to_string(count_) + (count_ == 1 ? " solution" : " solutions");
    if (!complete_) return "It is the first of at least " + solutions + ".";
    return "It is the first of " + solutions + "; there are no more.";
  }

 private:
  // A goal is counted and searched below like any other state. kExhausted: go on.
  SearchEnd Enter(Runner& runner, NodeEvents& events, Frame& node) {
    node.count = node.next = 0;
    if (problem_.is_goal(problem_.problem, node.state) != 0) {
      ++count_;
      Record(events, NodeKind::kGoal, node);
      if (count_ == 1 && !runner.NewSolution()) return SearchEnd::kBroken;
    }
    if (!runner.MayExpand()) return SearchEnd::kStopped;
    runner.CountExpanded();
    Record(events, NodeKind::kExpanding, node);
    // The operator that takes the last one back leads to a state that was met.
    node.count = problem_.ops(problem_.problem, node.state, node.op, node.ops, node.costs);
    if (node.count > max_ops_) return runner.Break("a state has more operators than the problem's max_ops");
    return SearchEnd::kExhausted;
  }

  // Of the next child; for events alone.
  static Cost CostThrough(const Frame& node) {
    const Cost cost = node.costs[node.next];
    return cost >= 0 && cost < kInfinity - node.g ? node.g + cost : kInfinity;
  }

  bool IsNew(const Frame& node) {
    if (!met_) return true;
    bool added;
    const auto* state = static_cast<const std::byte*>(node.state);
    met_->FindOrAdd(state, met_->Hash(state), NodeTable::kNone, node.op, 0, added);
    return added;
  }
  void Record(NodeEvents& events, NodeKind kind, const Frame& node) {
    if (!events.Wants(kind)) return;
    const void* parent = depth_ > 0 ? stack_.At(depth_ - 1).state : nullptr;
    events.Record(kind, node.state, parent, node.op, node.g, 0, static_cast<int64_t>(depth_));
  }

  const Task& task_;
  const SpaceCalls problem_;
  const uint32_t max_ops_;
  FrameStack stack_;
  std::optional<NodeTable> met_;
  size_t depth_ = 0;
  int64_t count_ = 0;
  bool complete_ = false;
};

}  // namespace

std::unique_ptr<Algorithm> MakeAllSolutions(const Task& task) { return std::make_unique<AllSolutions>(task); }

}  // namespace astrolabe::engine
