#include "daemon/engine/algorithms/window_search.h"

#include <algorithm>
#include <cstring>
#include <functional>
#include <queue>
#include <utility>

#include "daemon/engine/runner.h"
#include "daemon/engine/structures/layout.h"
#include "daemon/engine/structures/memory_account.h"
#include "daemon/engine/structures/node_table.h"

namespace astrolabe::engine {
namespace {

// Memory of one window's nodes: it is made anew for each.
constexpr size_t kWindowBytes = size_t{64} << 20;
constexpr size_t kLeastNodes = 100;
constexpr uint64_t kNodeEffort = 16;  // its children are built and looked up

}  // namespace

// The nodes met from one end.
class WindowSearch::Side {
 public:
  using Id = NodeTable::Id;

  Side(const Task& task, const std::byte* root, bool forward)
      : is_forward(forward), nodes(task.space.info(), task.memory), open_(Later{}, Entries(Allocator(task.memory))) {
    bool added;
    open_.push({0, nodes.FindOrAdd(root, nodes.Hash(root), NodeTable::kNone, kNoOp, 0, added)});
  }

  // g of the cheapest open node; kInfinity: none is open.
  Cost Top() {
    while (!open_.empty() && (nodes.Closed(open_.top().second) || nodes.G(open_.top().second) != open_.top().first)) {
      open_.pop();
    }
    return open_.empty() ? kInfinity : open_.top().first;
  }
  // Precondition: Top() was asked, and is no kInfinity.
  Id Pop() {
    const Id id = open_.top().second;
    open_.pop();
    nodes.Close(id);
    return id;
  }
  void Open(Id id, Cost g) { open_.push({g, id}); }
  size_t open() const { return open_.size(); }

  const bool is_forward;
  NodeTable nodes;

 private:
  using Entry = std::pair<Cost, Id>;
  using Later = std::greater<Entry>;
  using Allocator = AccountedAllocator<Entry>;
  using Entries = std::vector<Entry, Allocator>;

  std::priority_queue<Entry, Entries, Later> open_;
};

// Where the cheapest way known so far meets, and what it costs; before one is known, the bound.
struct WindowSearch::Meeting {
  Cost cost;
  NodeTable::Id forward = NodeTable::kNone;
  NodeTable::Id backward = NodeTable::kNone;
};

WindowSearch::WindowSearch(const Task& task)
    : task_(task),
      both_ways_(task.space.info().undirected),
      fitting_(std::max(kLeastNodes, kWindowBytes / StateStride(task.space.info()))),
      expander_(task.space, nullptr, task.memory) {}

WindowSearch::~WindowSearch() = default;

WindowFinder::Result WindowSearch::Find(Runner& runner, const std::byte* from, const std::byte* to, Cost bound) {
  // Expansions cost far more here than where the path was constructed, and making the tables is none.
  if (!runner.LookAround()) return {End::kStopped, {}, 0};
  if (bound > 0 && std::memcmp(from, to, task_.space.info().state_size) == 0) return {End::kCheaper, {}, 0};
  Side forward(task_, from, true);
  Side backward(task_, to, false);
  Meeting meeting{.cost = bound};
  for (;;) {
    const Cost ahead = forward.Top();
    const Cost behind = both_ways_ ? backward.Top() : 0;
    // Every way that was not met yet leaves both sides through open nodes.
    if (ahead == kInfinity || behind == kInfinity || ahead >= meeting.cost - behind) break;
    if (forward.nodes.size() + size_t{backward.nodes.size()} > max_nodes_) return {End::kTooLarge, {}, 0};
    if (!runner.MayExpand()) return {End::kStopped, {}, 0};
    const bool from_behind = both_ways_ && backward.open() < forward.open();
    const End end =
        from_behind ? Expand(runner, backward, forward, meeting) : Expand(runner, forward, backward, meeting);
    if (end != End::kNothing) return {end, {}, 0};
  }
  max_stored_ = std::max(max_stored_, size_t{forward.nodes.size()} + backward.nodes.size());
  if (meeting.forward == NodeTable::kNone) return {End::kNothing, {}, 0};
  return {End::kCheaper, Path(forward, backward, meeting), meeting.cost};
}

// kNothing: go on.
WindowFinder::End WindowSearch::Expand(Runner& runner, Side& side, Side& other, Meeting& meeting) {
  const NodeTable::Id id = side.Pop();
  runner.CountExpanded();
  effort_ += kNodeEffort;
  std::memcpy(expander_.scratch(), side.nodes.State(id), task_.space.info().state_size);
  switch (expander_.Expand(runner, expander_.scratch(), side.nodes.LastOp(id), side.nodes.G(id), 0)) {
    case SearchEnd::kExhausted:
      break;
    case SearchEnd::kStopped:
      return End::kStopped;
    default:
      return End::kBroken;
  }
  for (const Child& child : expander_.children()) {
    if (child.g >= meeting.cost) continue;
    bool added;
    const uint64_t hash = side.nodes.Hash(child.state);
    const NodeTable::Id met = side.nodes.FindOrAdd(child.state, hash, id, child.op, child.g, added);
    if (!added) {
      if (side.nodes.G(met) <= child.g) continue;
      side.nodes.Set(met, id, child.op, child.g);
    }
    const NodeTable::Id there = other.nodes.Find(child.state, hash);
    if (there != NodeTable::kNone && child.g < meeting.cost - other.nodes.G(there)) {
      meeting.cost = child.g + other.nodes.G(there);
      meeting.forward = side.is_forward ? met : there;
      meeting.backward = side.is_forward ? there : met;
    }
    // Whatever the other side has not met yet is no nearer to it than its cheapest open node.
    if (child.g < meeting.cost - other.Top()) side.Open(met, child.g);
  }
  return End::kNothing;
}

std::vector<Op> WindowSearch::Path(const Side& forward, const Side& backward, const Meeting& meeting) const {
  const SpaceCalls& problem = task_.space.calls();
  std::vector<Op> path = forward.nodes.Path(meeting.forward);
  for (NodeTable::Id id = meeting.backward; backward.nodes.Parent(id) != NodeTable::kNone;
       id = backward.nodes.Parent(id)) {
    path.push_back(problem.inverse_op(problem.problem, backward.nodes.LastOp(id)));
  }
  return path;
}

}  // namespace astrolabe::engine
