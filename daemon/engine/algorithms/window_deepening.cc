#include "daemon/engine/algorithms/window_deepening.h"

#include <algorithm>
#include <cstring>
#include <optional>
#include <string>
#include <utility>

#include "daemon/engine/runner.h"
#include "daemon/engine/structures/layout.h"

namespace astrolabe::engine {
namespace {

// What a window costs besides its nodes: its two ends are read.
constexpr uint64_t kWindowEffort = 4;
constexpr size_t kBytesAnEffort = 256;

}  // namespace

WindowDeepening::WindowDeepening(const Task& task, std::unique_ptr<Distance> distance)
    : task_(task),
      distance_(std::move(distance)),
      calls_(distance_->calls()),
      state_(task.memory, StateStride(task.space.info())),
      nodes_(AccountedAllocator<Node>(task.memory)),
      children_(AccountedAllocator<Child>(task.memory)),
      ops_(size_t{task.space.info().max_ops} + kSpareOps),
      costs_(ops_.size()),
      hs_(ops_.size()) {}

WindowFinder::Result WindowDeepening::Find(Runner& runner, const std::byte* from, const std::byte* to, Cost bound) {
  const size_t size = task_.space.info().state_size;
  // Binding is no expansion, but takes time.
  if (!runner.LookAround()) return {End::kStopped, {}, 0};
  effort_ += kWindowEffort + size / kBytesAnEffort;
  calls_.bind(calls_.meter, to);
  const Cost h = calls_.eval(calls_.meter, from);
  if (h < 0) {
    runner.Break("the problem gave a negative distance between states: " + std::to_string(h));
    return {End::kBroken, {}, 0};
  }
  target_ = to;
  left_ = allowed_;
  std::memcpy(state_.data(), from, size);
  for (Cost threshold = h; threshold < bound; threshold = next_bound_) {
    const End end = Iterate(runner, h, threshold);
    if (end == End::kNothing) continue;
    if (end != End::kCheaper) return {end, {}, 0};
    Result result{end, {}, nodes_.back().g};
    for (size_t i = 1; i < nodes_.size(); ++i) result.ops.push_back(nodes_[i].op);
    return result;
  }
  return {End::kNothing, {}, 0};
}

WindowFinder::End WindowDeepening::Iterate(Runner& runner, Cost h, Cost bound) {
  next_bound_ = kInfinity;
  nodes_.assign(1, {0, h, kNoOp, 0});
  children_.clear();
  for (;;) {
    if (nodes_.back().h == 0 && AtTarget()) return End::kCheaper;
    if (const End end = Expand(runner, bound); end != End::kNothing) return end;
    while (children_.size() == nodes_.back().children) {
      if (nodes_.size() == 1) return End::kNothing;
      const Op back = task_.space.calls().inverse_op(task_.space.calls().problem, nodes_.back().op);
      if (!Step(runner, back)) return End::kBroken;
      nodes_.pop_back();
    }
    const Child child = children_.back();
    children_.pop_back();
    if (!Step(runner, child.op)) return End::kBroken;
    nodes_.push_back({child.g, child.h, child.op, children_.size()});
  }
}

WindowFinder::End WindowDeepening::Expand(Runner& runner, Cost bound) {
  if (left_ == 0) return End::kTooLarge;
  if (!runner.MayExpand()) return End::kStopped;
  --left_;
  ++effort_;
  runner.CountExpanded();
  const Node node = nodes_.back();
  const SpaceCalls& problem = task_.space.calls();
  const uint32_t n = problem.ops(problem.problem, state_.data(), node.op, ops_.data(), costs_.data());
  if (n > task_.space.info().max_ops) {
    runner.Break("a state has more operators than the problem's max_ops");
    return End::kBroken;
  }
  if (n > runner.GenerationsLeft()) {
    runner.CountGenerated(runner.GenerationsLeft());
    runner.MayGenerate();
    return End::kStopped;
  }
  runner.CountGenerated(n);
  if (n > 0) calls_.eval_ops(calls_.meter, state_.data(), node.h, ops_.data(), n, hs_.data());
  // The first one comes from the end of the stack.
  for (uint32_t i = n; i-- > 0;) {
    if (hs_[i] == kInfinity) continue;
    Cost g;
    Cost f;
    if (costs_[i] < 1 || hs_[i] < 0 || __builtin_add_overflow(node.g, costs_[i], &g) ||
        __builtin_add_overflow(g, hs_[i], &f)) {
      runner.Break("an operator costs " + std::to_string(costs_[i]) + " and leads to a state at distance " +
                   std::to_string(hs_[i]));
      return End::kBroken;
    }
    if (f <= bound) {
      children_.push_back({ops_[i], g, hs_[i]});
    } else {
      next_bound_ = std::min(next_bound_, f);
    }
  }
  return End::kNothing;
}

bool WindowDeepening::AtTarget() const {
  return std::memcmp(state_.data(), target_, task_.space.info().state_size) == 0;
}

bool WindowDeepening::Step(Runner& runner, Op op) {
  if (task_.space.ApplyInPlace(state_.data(), op)) return true;
  runner.Break("an operator that the problem listed, or its inverse, is not possible");
  return false;
}

bool WindowDeepening::Confirm(Runner& runner, const std::byte* from, std::span<const Op> path, const std::byte* to) {
  std::vector<Cost> distances;
  std::vector<Cost> costs;
  calls_.bind(calls_.meter, to);
  std::memcpy(state_.data(), from, task_.space.info().state_size);
  for (const Op op : path) {
    distances.push_back(calls_.eval(calls_.meter, state_.data()));
    const std::optional<Cost> cost = task_.space.ApplyInPlace(state_.data(), op);
    if (!cost) return Step(runner, op);
    costs.push_back(*cost);
  }
  Cost remains = 0;
  for (size_t i = path.size(); i-- > 0;) {
    remains += costs[i];
    if (distances[i] <= remains) continue;
    runner.Break("the problem says that two states are " + std::to_string(distances[i]) +
                 " apart, but a path between them costs " + std::to_string(remains));
    return false;
  }
  return true;
}

}  // namespace astrolabe::engine
