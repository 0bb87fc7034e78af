#include "daemon/engine/algorithms/window_beam.h"

#include <algorithm>
#include <bit>
#include <cstring>
#include <string>
#include <utility>

#include "daemon/engine/runner.h"
#include "daemon/engine/structures/layout.h"
#include "daemon/engine/structures/least.h"
#include "daemon/engine/structures/state_hash.h"

namespace astrolabe::engine {
namespace {

constexpr uint32_t kNoLink = ~uint32_t{0};
constexpr uint64_t kBeamNodeEffort = 6;  // its children are built, hashed and sorted
constexpr size_t kBeamBytesAnEffort = 256;
constexpr size_t kNodesBetweenLooks = 512;  // whose states may be large
constexpr size_t kSeenANode = 16;           // of a layer: some layers back most states are still known

}  // namespace

WindowBeam::WindowBeam(const Task& task, std::unique_ptr<Distance> distance)
    : task_(task),
      distance_(std::move(distance)),
      calls_(distance_->calls()),
      stride_(StateStride(task.space.info())),
      layer_(AccountedAllocator<Node>(task.memory)),
      next_(AccountedAllocator<Node>(task.memory)),
      children_(AccountedAllocator<Child>(task.memory)),
      links_(AccountedAllocator<Link>(task.memory)),
      seen_(AccountedAllocator<uint64_t>(task.memory)),
      ops_(size_t{task.space.info().max_ops} + kSpareOps),
      costs_(ops_.size()),
      hs_(ops_.size()) {}

size_t WindowBeam::Bytes(size_t width, size_t operators) const {
  const size_t children = std::min<size_t>(task_.space.info().max_ops, 4) * sizeof(Child);
  // Lists that grow take up to twice what they hold, and what they held, for a moment.
  return width * (2 * stride_ + 2 * sizeof(Node) + 2 * kSeenANode * sizeof(uint64_t) + 3 * children +
                  3 * operators * sizeof(Link));
}

size_t WindowBeam::held_bytes() const {
  return states_.bytes() + next_states_.bytes() + layer_.capacity() * sizeof(Node) + next_.capacity() * sizeof(Node) +
         children_.capacity() * sizeof(Child) + links_.capacity() * sizeof(Link) + seen_.capacity() * sizeof(uint64_t);
}

void WindowBeam::Allow(uint64_t width) {
  if (width == width_) return;
  width_ = 0;
  states_ = Block();
  next_states_ = Block();
  List<uint64_t>(seen_.get_allocator()).swap(seen_);
  states_ = Block(task_.memory, width * stride_);
  next_states_ = Block(task_.memory, width * stride_);
  seen_.resize(std::bit_ceil(width * kSeenANode));
  width_ = width;
}

WindowFinder::Result WindowBeam::Find(Runner& runner, const std::byte* from, const std::byte* to, Cost bound) {
  const size_t size = task_.space.info().state_size;
  // Binding is no expansion, but takes time.
  if (!runner.LookAround()) return {End::kStopped, {}, 0};
  effort_ += kBeamNodeEffort + size / kBeamBytesAnEffort;
  calls_.bind(calls_.meter, to);
  const Cost h = calls_.eval(calls_.meter, from);
  if (h < 0) {
    runner.Break("the problem gave a negative distance between states: " + std::to_string(h));
    return {End::kBroken, {}, 0};
  }
  if (h >= bound) return {End::kNothing, {}, 0};
  ++window_;
  dropped_ = false;
  target_ = to;
  std::memcpy(states_.data(), from, size);
  Seen(from);
  layer_.assign(1, {0, h, kNoLink, kNoOp});
  links_.clear();
  if (h == 0 && std::memcmp(from, to, size) == 0) return Way(layer_.front());
  while (!layer_.empty()) {
    End end = MakeChildren(runner, bound);
    if (end == End::kNothing) end = MakeLayer(runner);
    if (end == End::kCheaper) return Way(next_.back());
    if (end != End::kNothing) return {end, {}, 0};
    std::swap(layer_, next_);
    std::swap(states_, next_states_);
    max_stored_ = std::max(max_stored_, links_.size());
  }
  return {dropped_ ? End::kTooLarge : End::kNothing, {}, 0};
}

WindowFinder::End WindowBeam::MakeChildren(Runner& runner, Cost bound) {
  children_.clear();
  for (uint32_t node = 0; node < layer_.size(); ++node) {
    if (const End end = ExpandNode(runner, node, bound); end != End::kNothing) return end;
  }
  const size_t made = children_.size();
  // Some will prove to be the same state.
  const size_t enough = width_ + width_ / 2;
  if (!KeepLeast(children_, enough, [&runner] { return runner.LookAround(); })) return End::kStopped;
  if (made > enough) dropped_ = true;
  std::sort(children_.begin(), children_.end());
  return End::kNothing;
}

WindowFinder::End WindowBeam::ExpandNode(Runner& runner, uint32_t node, Cost bound) {
  if (!runner.MayExpand()) return End::kStopped;
  ++effort_;
  runner.CountExpanded();
  const Node& parent = layer_[node];
  const std::byte* const state = State(states_, node);
  const SpaceCalls& problem = task_.space.calls();
  const uint32_t n = problem.ops(problem.problem, state, parent.op, ops_.data(), costs_.data());
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
  if (n > 0) calls_.eval_ops(calls_.meter, state, parent.h, ops_.data(), n, hs_.data());
  for (uint32_t i = 0; i < n; ++i) {
    if (hs_[i] == kInfinity) continue;
    Cost g;
    Cost f;
    if (costs_[i] < 1 || hs_[i] < 0 || __builtin_add_overflow(parent.g, costs_[i], &g) ||
        __builtin_add_overflow(g, hs_[i], &f)) {
      runner.Break("an operator costs " + std::to_string(costs_[i]) + " and leads to a state at distance " +
                   std::to_string(hs_[i]));
      return End::kBroken;
    }
    if (f >= bound) continue;
    const uint64_t chance = FoldMultiply(window_ ^ kHashSeed0, (uint64_t{node} << 32 | ops_[i]) ^ kHashSeed1);
    children_.push_back({f, static_cast<uint32_t>(chance), node, g, hs_[i], ops_[i]});
  }
  return End::kNothing;
}

WindowFinder::End WindowBeam::MakeLayer(Runner& runner) {
  const SpaceCalls& problem = task_.space.calls();
  const size_t size = task_.space.info().state_size;
  next_.clear();
  for (size_t i = 0; i < children_.size(); ++i) {
    if (next_.size() == width_) {
      dropped_ = true;
      break;
    }
    if (i % kNodesBetweenLooks == kNodesBetweenLooks - 1 && !runner.LookAround()) return End::kStopped;
    const Child& child = children_[i];
    std::byte* const state = State(next_states_, next_.size());
    problem.apply(problem.problem, State(states_, child.parent), child.op, state);
    effort_ += kBeamNodeEffort + size / kBeamBytesAnEffort;
    if (Seen(state)) continue;
    next_.push_back({child.g, child.h, static_cast<uint32_t>(links_.size()), child.op});
    links_.push_back({layer_[child.parent].link, child.op});
    if (child.h == 0 && std::memcmp(state, target_, size) == 0) return End::kCheaper;
  }
  return End::kNothing;
}

bool WindowBeam::Seen(const std::byte* state) {
  const uint64_t hash = HashBytes(state, task_.space.info().state_size) ^ window_ * kHashSeed1;
  uint64_t& place = seen_[FoldMultiply(hash, kHashSeed2) & (seen_.size() - 1)];
  return std::exchange(place, hash) == hash;
}

WindowFinder::Result WindowBeam::Way(const Node& last) const {
  Result result{End::kCheaper, {}, last.g};
  for (uint32_t link = last.link; link != kNoLink; link = links_[link].parent) result.ops.push_back(links_[link].op);
  std::reverse(result.ops.begin(), result.ops.end());
  return result;
}

}  // namespace astrolabe::engine
