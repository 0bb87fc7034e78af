#include "daemon/engine/algorithms/frontier.h"

#include <algorithm>
#include <cstring>
#include <numeric>
#include <utility>

#include "daemon/engine/algorithms/child_value.h"
#include "daemon/engine/runner.h"
#include "daemon/engine/structures/layout.h"

namespace astrolabe::engine {
namespace {

constexpr size_t kRoots = 2048;
constexpr size_t kMostBytes = size_t{16} << 20;
constexpr uint32_t kNoWay = UINT32_MAX;
// Levels that hardly branch are not worth following further.
constexpr int kMostLevels = 64;
// A node of thousands of children must not fill memory.
constexpr size_t kMostPerRoot = 8;

// Room for `count` units, doubled when there is more.
void Reserve(Block& block, size_t used, size_t wanted, MemoryAccount& memory) {
  if (wanted <= block.bytes()) return;
  Block larger(memory, std::max(wanted, 2 * block.bytes()));
  if (used > 0) std::memcpy(larger.data(), block.data(), used);
  block = std::move(larger);
}

}  // namespace

size_t Frontier::Wanted(const SpaceInfo& info) {
  const size_t fitting = kMostBytes / StateStride(info);
  return fitting >= kRoots / 16 ? std::min(fitting, kRoots) : 0;
}

Frontier::Frontier(const Task& task)
    : task_(task),
      info_(task.space.info()),
      problem_(task.space.calls()),
      heuristic_(task.evaluator.calls()),
      aux_size_(task.evaluator.info().aux_size),
      stride_(StateStride(info_)),
      least_cost_(info_.zero_costs ? 0 : 1),
      now_(task.memory),
      next_(task.memory),
      ways_(AccountedAllocator<Way>(task.memory)),
      child_states_(task.memory, (info_.max_ops + kSpareOps) * stride_),
      child_aux_(task.memory, (info_.max_ops + kSpareOps) * std::max<size_t>(aux_size_, 1)),
      ops_(info_.max_ops + kSpareOps),
      costs_(info_.max_ops + kSpareOps),
      hs_(info_.max_ops + kSpareOps) {}

void Frontier::Level::Clear() {
  h.clear();
  g.clear();
  op.clear();
  way.clear();
  before.clear();
}

void Frontier::Push(Level& to, const void* state, const void* aux, Cost h, Cost g, Op op, uint32_t way) {
  const size_t n = to.h.size();
  Reserve(to.states, n * stride_, (n + 1) * stride_, task_.memory);
  std::memcpy(to.states.data() + n * stride_, state, info_.state_size);
  if (aux_size_ > 0) {
    Reserve(to.aux, n * aux_size_, (n + 1) * aux_size_, task_.memory);
    std::memcpy(to.aux.data() + n * aux_size_, aux, aux_size_);
  }
  to.h.push_back(h);
  to.g.push_back(g);
  to.op.push_back(op);
  to.way.push_back(way);
  to.before.push_back(std::exchange(since_, Counts{}));
}

void Frontier::Copy(const Level& from, size_t i, Level& to) {
  Push(to, State(from, i), Aux(from, i), from.h[i], from.g[i], from.op[i], from.way[i]);
}

SearchEnd Frontier::Cut(Runner& runner, const Root& root, Cost bound, size_t wanted) {
  next_bound_ = kInfinity;
  ways_.clear();
  since_ = tail_ = Counts{};
  now_.Clear();
  Push(now_, root.state, root.aux, root.h, root.g, root.op, kNoWay);
  for (int level = 0; level < kMostLevels && size() < wanted; ++level) {
    next_.Clear();
    since_ = Counts{};
    bool expanded = false;
    for (size_t i = 0; i < size(); ++i) {
      since_ += now_.before[i];
      if (next_.h.size() > kMostPerRoot * wanted || problem_.is_goal(problem_.problem, State(now_, i)) != 0) {
        Copy(now_, i, next_);
        continue;
      }
      if (i % 16 == 0 && !runner.LookAround()) return SearchEnd::kStopped;
      if (SearchEnd end = Expand(runner, i, bound); end != SearchEnd::kExhausted) return end;
      expanded = true;
    }
    since_ += tail_;
    tail_ = std::exchange(since_, Counts{});
    std::swap(now_, next_);
    if (!expanded) break;
  }
  return SearchEnd::kExhausted;
}

SearchEnd Frontier::Expand(Runner& runner, size_t i, Cost bound) {
  const std::byte* state = State(now_, i);
  ++since_.expanded;
  const uint32_t n =
      problem_.expand(problem_.problem, state, now_.op[i], ops_.data(), costs_.data(), child_states_.data(), stride_);
  if (n > info_.max_ops) return runner.Break("a state has more operators than the problem's max_ops");
  if (n == 0) return SearchEnd::kExhausted;
  if (heuristic_.eval_ops == nullptr) {
    heuristic_.eval_batch(heuristic_.context, n, child_states_.data(), stride_, hs_.data());
  } else {
    heuristic_.eval_ops(heuristic_.context, state, now_.h[i], Aux(now_, i), ops_.data(), n, hs_.data(),
                        aux_size_ > 0 ? child_aux_.data() : nullptr);
  }
  for (uint32_t k = 0; k < n; ++k) {
    ++since_.generated;
    const Cost cost = info_.unit_cost ? info_.cost_scale : costs_[k];
    const ChildValue value = JudgeChild(now_.g[i], cost, hs_[k], least_cost_, bound);
    if (value.fate == ChildFate::kBroken) return runner.Break(WhyBroken(cost, hs_[k], least_cost_));
    if (value.fate == ChildFate::kCut) next_bound_ = std::min(next_bound_, value.f);
    if (value.fate != ChildFate::kEnter) continue;
    ways_.push_back({now_.way[i], ops_[k]});
    Push(next_, child_states_.data() + k * stride_, child_aux_.data() + k * aux_size_, hs_[k], value.g, ops_[k],
         static_cast<uint32_t>(ways_.size() - 1));
  }
  return SearchEnd::kExhausted;
}

void Frontier::SortByH() {
  std::vector<size_t> order(size());
  std::iota(order.begin(), order.end(), size_t{0});
  std::stable_sort(order.begin(), order.end(), [this](size_t a, size_t b) { return now_.h[a] < now_.h[b]; });
  next_.Clear();
  for (const size_t i : order) {
    since_ = now_.before[i];
    Copy(now_, i, next_);
  }
  std::swap(now_, next_);
}

Root Frontier::At(size_t i) const {
  return {.state = State(now_, i), .aux = Aux(now_, i), .h = now_.h[i], .g = now_.g[i], .op = now_.op[i]};
}

KernelRoots Frontier::Range(size_t first, size_t last) const {
  return {.count = static_cast<uint32_t>(last - first),
          .states = State(now_, first),
          .stride = stride_,
          .h = now_.h.data() + first,
          .g = now_.g.data() + first,
          .last_op = now_.op.data() + first,
          .aux = Aux(now_, first)};
}

void Frontier::AppendPath(size_t i, std::vector<Op>& path) const {
  const size_t before = path.size();
  for (uint32_t way = now_.way[i]; way != kNoWay; way = ways_[way].above) path.push_back(ways_[way].op);
  std::reverse(path.begin() + static_cast<std::ptrdiff_t>(before), path.end());
}

}  // namespace astrolabe::engine
