// Passes of breadth-first search that keep the best nodes of each layer. A pass that ends without a goal although it
// dropped nothing has searched everything; else the next one is twice as wide. A layer is finished before its cheapest
// goal is taken.
#include "daemon/engine/algorithms/beam.h"

#include <algorithm>
#include <cstring>
#include <limits>
#include <optional>
#include <vector>

#include "daemon/engine/algorithms/expander.h"
#include "daemon/engine/events.h"
#include "daemon/engine/runner.h"
#include "daemon/engine/structures/layout.h"
#include "daemon/engine/structures/least.h"
#include "daemon/engine/structures/memory_account.h"
#include "daemon/engine/structures/node_table.h"

namespace astrolabe::engine {
namespace {

class Beam final : public Algorithm {
 public:
  using Id = NodeTable::Id;

  explicit Beam(const Task& task)
      : task_(task),
        problem_(task.space.calls()),
        by_h_(task.params.Get<std::string>("order") == "h"),
        width_(static_cast<size_t>(task.params.Get<int64_t>("width"))),
        expander_(task.space, &task.evaluator, task.memory),
        state_(task.memory, StateStride(task.space.info())),
        layer_(AccountedAllocator<Member>(task.memory)),
        next_(AccountedAllocator<Member>(task.memory)) {}

  SearchEnd Search(Runner& runner) override {
    NodeEvents events(task_.space, task_.sink, runner);
    for (;;) {
      dropped_ = false;
      if (SearchEnd end = Pass(runner, events); end != SearchEnd::kExhausted) return end;
      if (!dropped_) break;
      width_ = width_ > std::numeric_limits<size_t>::max() / 2 ? width_ : width_ * 2;
    }
    if (runner.cost_cut()) runner.RaiseLowerBound(least_cut_f_);
    return SearchEnd::kExhausted;
  }

  bool Extract(Runner&, Solution& solution) override {
    solution.path = nodes_->Path(goal_);
    solution.cost = nodes_->G(goal_);
    solution.may_be_cheaper = true;
    return true;
  }

  Gauges Observe() const override {
    return {.open = static_cast<int64_t>(layer_.size() + next_.size()),
            .max_open = static_cast<int64_t>(max_open_),
            .stored = nodes_ ? static_cast<int64_t>(nodes_->size()) : 0,
            .best_h = best_h_};
  }
  Guarantee guarantee() const override { return {.kind = Guarantee::kNothing}; }

 private:
  struct Verdict {
    NodeKind kind;
    bool goal = false;
  };
  struct Member {
    Cost key;
    Cost g;
    Cost h;
    Id id;
    bool operator<(const Member& other) const { return key != other.key ? key < other.key : id < other.id; }
  };
  using Layer = std::vector<Member, AccountedAllocator<Member>>;

  Cost Key(Cost g, Cost h) const { return by_h_ ? h : g + h; }

  SearchEnd Pass(Runner& runner, NodeEvents& events) {
    nodes_.reset();
    nodes_.emplace(task_.space.info(), task_.memory);
    layer_.clear();
    if (SearchEnd end = Start(runner, events); end != SearchEnd::kExhausted) return end;
    while (!layer_.empty()) {
      for (const Member& member : layer_) {
        if (nodes_->Closed(member.id) || nodes_->G(member.id) != member.g) continue;
        if (SearchEnd end = Expand(runner, events, member); end != SearchEnd::kExhausted) return end;
      }
      if (goal_ != NodeTable::kNone) return SearchEnd::kSolved;
      max_open_ = std::max(max_open_, next_.size());
      if (!KeepBest(runner)) return SearchEnd::kStopped;
    }
    return SearchEnd::kExhausted;
  }

  SearchEnd Start(Runner& runner, NodeEvents& events) {
    task_.space.InitialState(state_.data());
    const Cost h = expander_.Evaluate(runner, state_.data());
    if (h < 0) return SearchEnd::kBroken;
    runner.SetInitialH(h);
    if (best_h_ < 0) {
      best_h_ = h;
      events.Record(NodeKind::kSource, state_.data(), nullptr, kNoOp, 0, h, 0);
    } else {
      events.Record(NodeKind::kRestart, state_.data(), nullptr, kNoOp, 0, h, 0);
    }
    if (h == kInfinity) return SearchEnd::kExhausted;
    runner.RaiseLowerBound(h);
    if (TooDear(0, h)) {
      NoteTooDear(runner, h);
      return SearchEnd::kExhausted;
    }
    bool added;
    const Id id = nodes_->FindOrAdd(state_.data(), nodes_->Hash(state_.data()), NodeTable::kNone, kNoOp, 0, added);
    if (problem_.is_goal(problem_.problem, state_.data()) != 0) {
      goal_ = id;
      events.Record(NodeKind::kGoal, state_.data(), nullptr, kNoOp, 0, h, 0);
      return SearchEnd::kSolved;
    }
    layer_.push_back({Key(0, h), 0, h, id});
    return SearchEnd::kExhausted;
  }

  SearchEnd Expand(Runner& runner, NodeEvents& events, const Member& node) {
    if (!runner.MayExpand()) return SearchEnd::kStopped;
    runner.CountExpanded();
    best_h_ = std::min(best_h_, node.h);
    nodes_->Close(node.id);
    std::memcpy(state_.data(), nodes_->State(node.id), task_.space.info().state_size);
    const int64_t depth = events.enabled() ? nodes_->Depth(node.id) : 0;
    RecordNode(events, NodeKind::kExpanding, node, depth);
    if (SearchEnd end = expander_.Expand(runner, state_.data(), nodes_->LastOp(node.id), node.g, node.h);
        end != SearchEnd::kExhausted) {
      return end;
    }
    for (const Child& child : expander_.children()) {
      const auto record = [&](NodeKind kind) {
        events.Record(kind, child.state, state_.data(), child.op, child.g, child.h, depth + 1);
      };
      const Verdict verdict = Consider(runner, node.id, child);
      record(verdict.kind);
      if (verdict.goal) record(NodeKind::kGoal);
    }
    RecordNode(events, NodeKind::kClosing, node, depth);
    return SearchEnd::kExhausted;
  }

  // What became of the child.
  Verdict Consider(Runner& runner, Id parent, const Child& child) {
    if (child.h == kInfinity) return {NodeKind::kDeadEnd};
    if (TooDear(child.g, child.f)) {
      NoteTooDear(runner, child.f);
      return {NodeKind::kPruned};
    }
    bool added;
    const Id id = nodes_->FindOrAdd(child.state, nodes_->Hash(child.state), parent, child.op, child.g, added);
    NodeKind kind = NodeKind::kGenerating;
    if (!added) {
      // The first way to a state is good enough, unless a dearer one might be cut by max_cost later.
      if (!task_.max_cost || nodes_->G(id) <= child.g) {
        runner.CountDuplicate();
        return {NodeKind::kPruned};
      }
      kind = nodes_->Closed(id) ? NodeKind::kReopening : NodeKind::kUpdating;
      if (kind == NodeKind::kReopening) runner.CountReopened();
      nodes_->Set(id, parent, child.op, child.g);
    }
    if (problem_.is_goal(problem_.problem, child.state) != 0) {
      if (goal_ == NodeTable::kNone || child.g < nodes_->G(goal_)) goal_ = id;
      return {kind, true};
    }
    next_.push_back({Key(child.g, child.h), child.g, child.h, id});
    return {kind};
  }

  // The next layer: the best of those that were made, at most width_. Their order does not matter: a layer is finished
  // before its goal is taken. False: stopped.
  bool KeepBest(Runner& runner) {
    const auto look = [&runner] { return runner.LookAround(); };
    size_t kept = 0;
    for (size_t i = 0; i < next_.size(); ++i) {
      if (i % kLeastBetweenLooks == kLeastBetweenLooks - 1 && !look()) return false;
      if (nodes_->G(next_[i].id) == next_[i].g) next_[kept++] = next_[i];
    }
    next_.resize(kept, Member{});
    dropped_ = dropped_ || kept > width_;
    if (!KeepLeast(next_, width_, look)) return false;
    std::swap(layer_, next_);
    next_.clear();
    return true;
  }

  void RecordNode(NodeEvents& events, NodeKind kind, const Member& node, int64_t depth) {
    if (!events.Wants(kind)) return;
    const Id parent = nodes_->Parent(node.id);
    events.Record(kind, state_.data(), parent != NodeTable::kNone ? nodes_->State(parent) : nullptr,
                  nodes_->LastOp(node.id), node.g, node.h, depth);
  }

  // Beyond max_cost: by f when h can be trusted, else by g.
  bool TooDear(Cost g, Cost f) const { return task_.max_cost && (task_.admissible ? f : g) > *task_.max_cost; }
  void NoteTooDear(Runner& runner, Cost f) {
    runner.NoteCostCut();
    least_cut_f_ = std::min(least_cut_f_, f);
  }

  const Task& task_;
  const SpaceCalls problem_;
  const bool by_h_;
  size_t width_;
  Expander expander_;
  Block state_;  // being expanded
  std::optional<NodeTable> nodes_;
  Layer layer_;
  Layer next_;
  bool dropped_ = false;  // in this pass
  Id goal_ = NodeTable::kNone;
  Cost best_h_ = -1;
  Cost least_cut_f_ = kInfinity;
  size_t max_open_ = 0;
};

}  // namespace

std::unique_ptr<Algorithm> MakeBeam(const Task& task) { return std::make_unique<Beam>(task); }

}  // namespace astrolabe::engine
