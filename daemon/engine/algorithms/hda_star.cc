#include "daemon/engine/algorithms/hda_star.h"

#include <algorithm>
#include <atomic>
#include <cstring>
#include <mutex>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "daemon/engine/algorithms/astar.h"
#include "daemon/engine/algorithms/best_first_search.h"
#include "daemon/engine/algorithms/child_value.h"
#include "daemon/engine/algorithms/node_grant.h"
#include "daemon/engine/algorithms/search_threads.h"
#include "daemon/engine/runner.h"
#include "daemon/engine/structures/layout.h"
#include "daemon/engine/structures/message_box.h"
#include "daemon/engine/structures/node_share.h"

namespace astrolabe::engine {
namespace {

// Batches of nodes expanded between two times that all is sent, full or not: the sooner others have a node the better
// their order is.
constexpr uint32_t kSendEvery = 8;
constexpr size_t kSpareBatches = 64;

// A number that one thread writes and others read now and then.
class Published {
 public:
  void Set(uint64_t value) { value_.store(value, std::memory_order_relaxed); }
  void Raise(uint64_t value) {
    if (value > get()) Set(value);
  }
  void Add(uint64_t value) { Set(get() + value); }
  uint64_t get() const { return value_.load(std::memory_order_relaxed); }

 private:
  std::atomic<uint64_t> value_{0};
};

// What belongs to one search thread; the boxes and published numbers are read by others.
template <size_t kSlot>
struct ThreadShare {
  ThreadShare(const Task& task, const Evaluator& evaluator, size_t slot, Ties ties, NodeBudget& expansions,
              NodeBudget& generations)
      : heuristic(evaluator.calls()),
        nodes(slot, ties, task.memory),
        parents(task.memory, kMaxBatch * StateStride(task.space.info(), slot)),
        children(task.memory, (task.space.info().max_ops + kSpareOps) * StateStride(task.space.info(), slot)),
        aux(task.memory, (task.space.info().max_ops + kSpareOps + 1) * RoundUp(evaluator.info().aux_size, 8) + 8),
        ops(task.space.info().max_ops + kSpareOps),
        costs(task.space.info().max_ops + kSpareOps),
        hs(task.space.info().max_ops + kSpareOps),
        may_expand(expansions),
        may_generate(generations) {}

  const EvaluatorCalls heuristic;
  NodeShare<kSlot> nodes;
  MessageBox box;
  std::vector<MessageBatch> out;      // by owner; its own is not sent
  std::vector<MessageBatch> spare;    // to be used again
  std::vector<MessageBatch> arrived;  // being stored
  uint32_t batches = 0;               // expanded since all was sent

  // Of one expansion.
  Block parents;
  Block children;
  Block aux;
  std::vector<Op> ops;
  std::vector<Cost> costs;
  std::vector<Cost> hs;
  NodeGrant may_expand;
  NodeGrant may_generate;

  // For the lower bound when all threads have ended.
  Cost floor = kInfinity;  // least f of what it has, before it began what it does now
  Cost hand = kInfinity;   // f of nodes popped and not expanded
  bool ended = false;      // it returned; else an exception ended it
  bool cost_cut = false;
  Cost least_cut_f = kInfinity;

  Published expanded;
  Published generated;
  Published open;
  Published max_open;
  Published stored;
};

template <size_t kSlot>
class HdaStar final : public Algorithm {
 public:
  explicit HdaStar(const Task& task)
      : task_(task),
        info_(task.space.info()),
        problem_(task.space.calls()),
        slot_(SlotSize(info_.state_size)),
        stride_(StateStride(info_, slot_)),
        aux_size_(task.evaluator.info().aux_size),
        least_cost_(info_.zero_costs ? 0 : 1),
        threads_(std::in_place, task.thread_starter, static_cast<int>(task.thread_evaluators.size())) {}

  SearchEnd Search(Runner& runner) override {
    MakeShares(runner);
    Block root(task_.memory, stride_);
    task_.space.InitialState(root.data());
    const EvaluatorCalls& heuristic = task_.evaluator.calls();
    const Cost h = heuristic.eval(heuristic.context, root.data());
    if (h < 0) return runner.Break("the heuristic gave a negative h for the initial state");
    runner.SetInitialH(h);
    if (h == kInfinity) return SearchEnd::kExhausted;
    if (TooDear(0, h)) {
      runner.NoteCostCut();
      runner.RaiseLowerBound(h);
      return SearchEnd::kExhausted;
    }
    runner.RaiseLowerBound(h);
    AddRoot(root.data(), h);
    bool started = false;
    try {
      started = threads_->Run([this](int thread) { Work(static_cast<uint32_t>(thread)); },
                              [this, &runner] { return Poll(runner); }, [this] { CloseBoxes(); });
    } catch (...) {
      if (Conclude(runner) == SearchEnd::kBroken) return SearchEnd::kBroken;
      throw;
    }
    if (started) return Conclude(runner);
    threads_.emplace(nullptr, 1);
    return Search(runner);
  }

  // From the incumbent back over all owners.
  bool Extract(Runner&, Solution& solution) override {
    solution.cost = incumbent_;
    solution.may_be_cheaper = true;  // a cheaper way to a node of it may be known
    uint32_t owner = goal_owner_;
    NodeArray::Id id = goal_;
    for (uint32_t above; (above = shares_[owner]->nodes.Parent(id)) != NodeArray::kNone;) {
      solution.path.push_back(shares_[owner]->nodes.LastOp(id));
      owner = above % count();
      id = above / count();
    }
    std::reverse(solution.path.begin(), solution.path.end());
    return true;
  }

  Gauges Observe() const override {
    Gauges gauges;
    for (const auto& share : shares_) {
      gauges.open += static_cast<int64_t>(share->open.get());
      gauges.max_open += static_cast<int64_t>(share->max_open.get());
      gauges.stored += static_cast<int64_t>(share->stored.get());
    }
    return gauges;
  }

 private:
  using Share = ThreadShare<kSlot>;
  using Nodes = NodeShare<kSlot>;

  // --- the thread that was called ---------------------------------------------------------------------
  void MakeShares(Runner& runner) {
    shares_.clear();
    expansions_.emplace(runner.ExpansionsLeft(), threads_->count());
    generations_.emplace(runner.GenerationsLeft(), threads_->count());
    const Ties ties = TiesOf(task_);
    for (uint32_t i = 0; i < static_cast<uint32_t>(threads_->count()); ++i) {
      shares_.push_back(
          std::make_unique<Share>(task_, *task_.thread_evaluators[i], slot_, ties, *expansions_, *generations_));
    }
    for (auto& share : shares_) {
      for (size_t i = 0; i < shares_.size(); ++i) share->out.emplace_back(slot_, task_.memory);
    }
    pending_ = threads_->count();
  }

  void AddRoot(const std::byte* state, Cost h) {
    const uint64_t hash = Nodes::HashOf(state, slot_);
    const uint32_t owner = Owner(hash);
    MessageBatch& batch = shares_[owner]->out[owner];
    Write(batch.Append(h), state, hash, 0, NodeArray::kNone, kNoOp);
    shares_[owner]->nodes.Store(batch, kInfinity);
    batch.Clear();
  }

  bool Poll(Runner& runner) {
    Count(runner);
    if (threads_->alone()) RaiseLowerBound(runner, true);  // nothing is on its way, nothing in hand
    return runner.LookAround();
  }

  // Told to the runner: what is new.
  void Count(Runner& runner) {
    uint64_t expanded = 0;
    uint64_t generated = 0;
    for (const auto& share : shares_) {
      expanded += share->expanded.get();
      generated += share->generated.get();
    }
    runner.Count(expanded - told_expanded_, generated - told_generated_);
    told_expanded_ = expanded;
    told_generated_ = generated;
  }

  // `whole`: no share was left in the middle of anything.
  void RaiseLowerBound(Runner& runner, bool whole) const {
    Cost least = incumbent_;
    for (const auto& share : shares_) {
      const Cost own = whole || share->ended ? std::min(share->nodes.best_f(), share->hand) : share->floor;
      least = std::min({least, own, share->least_cut_f, share->box.least_f()});
      for (const MessageBatch& batch : share->out) least = std::min(least, batch.least_f());
    }
    if (least != kInfinity) runner.RaiseLowerBound(least);
  }

  // When all threads have ended.
  SearchEnd Conclude(Runner& runner) {
    Count(runner);
    Cost least_cut_f = kInfinity;
    bool cost_cut = false;
    for (const auto& share : shares_) {
      runner.statistics().duplicates += static_cast<int64_t>(share->nodes.verdicts().duplicates);
      runner.statistics().reopened += static_cast<int64_t>(share->nodes.verdicts().reopened);
      cost_cut = cost_cut || share->cost_cut;
      least_cut_f = std::min(least_cut_f, share->least_cut_f);
    }
    if (cost_cut) runner.NoteCostCut();
    if (!broken_.empty()) return runner.Break(broken_);
    if (done_) {
      if (incumbent_ != kInfinity) return SearchEnd::kSolved;
      if (cost_cut) runner.RaiseLowerBound(least_cut_f);
      return SearchEnd::kExhausted;
    }
    if (const StopReason limit = limit_.load(); limit != StopReason::kNone) runner.Stop(limit);
    RaiseLowerBound(runner, false);
    if (incumbent_ != kInfinity && !runner.LastSolution()) return SearchEnd::kBroken;
    return SearchEnd::kStopped;
  }

  // --- a search thread ----------------------------------------------------------------------------------
  void Work(uint32_t self) {
    Share& own = *shares_[self];
    WorkOn(own, self);
    Publish(own);
    own.ended = true;
  }

  void WorkOn(Share& own, uint32_t self) {
    while (threads_->GoOn()) {
      own.floor = own.nodes.best_f();
      if (!own.box.seems_empty()) Receive(own);
      if (own.nodes.best_f() < incumbent_.load(std::memory_order_relaxed)) {
        if (!ExpandBatch(own, self)) return threads_->Stop();
        if (++own.batches >= kSendEvery) SendAll(own, self);
        continue;
      }
      SendAll(own, self);
      if (pending_.fetch_sub(1) == 1) {
        done_ = true;
        return threads_->Stop();
      }
      if (!own.box.Wait()) return;
      pending_.fetch_add(1);
      Receive(own);
    }
  }

  void Receive(Share& own) {
    own.box.TakeAll(own.arrived);
    for (const MessageBatch& batch : own.arrived) own.floor = std::min(own.floor, batch.least_f());
    for (MessageBatch& batch : own.arrived) {
      own.nodes.Store(batch, incumbent_.load(std::memory_order_relaxed));
      batch.Clear();
      if (own.spare.size() < kSpareBatches) own.spare.push_back(std::move(batch));
    }
    pending_.fetch_sub(static_cast<int64_t>(own.arrived.size()));
    own.arrived.clear();
  }

  void Send(Share& own, uint32_t to) {
    MessageBatch empty;
    if (own.spare.empty()) {
      empty = MessageBatch(slot_, task_.memory);
    } else {
      empty = std::move(own.spare.back());
      own.spare.pop_back();
    }
    std::swap(own.out[to], empty);
    pending_.fetch_add(1);
    shares_[to]->box.Put(std::move(empty));
  }
  void SendAll(Share& own, uint32_t self) {
    own.batches = 0;
    for (uint32_t to = 0; to < count(); ++to) {
      if (to != self && own.out[to].size() > 0) Send(own, to);
    }
  }
  void StoreOwn(Share& own, uint32_t self) {
    own.nodes.Store(own.out[self], incumbent_.load(std::memory_order_relaxed));
    own.out[self].Clear();
  }

  // False: a limit or a broken contract ends the search.
  bool ExpandBatch(Share& own, uint32_t self) {
    Cost f = 0;
    Cost g = 0;
    NodeArray::Id ids[kMaxBatch];
    const uint32_t n = own.nodes.Pop(f, g, ids, own.parents.data(), stride_);
    own.hand = f;
    for (uint32_t i = 0; i < n; ++i) {
      const std::byte* state = own.parents.data() + i * stride_;
      if (problem_.is_goal(problem_.problem, state) != 0) {
        // The rest of the batch costs at least as much.
        Propose(g, self, ids[i]);
        break;
      }
      if (!Expand(own, self, state, ids[i], f, g)) return false;
    }
    StoreOwn(own, self);
    own.hand = kInfinity;
    Publish(own);
    return true;
  }

  bool Expand(Share& own, uint32_t self, const std::byte* state, NodeArray::Id id, Cost f, Cost g) {
    if (!own.may_expand.Has(1)) return Limit(StopReason::kExpansions);
    own.may_expand.Use(1);
    own.expanded.Add(1);
    const uint32_t n = problem_.expand(problem_.problem, state, own.nodes.LastOp(id), own.ops.data(), own.costs.data(),
                                       own.children.data(), stride_);
    if (n > info_.max_ops) return Break("a state has more operators than the problem's max_ops");
    if (n == 0) return true;
    if (!own.may_generate.Has(n)) {
      own.generated.Add(own.may_generate.left());
      own.may_generate.Use(own.may_generate.left());
      return Limit(StopReason::kGenerated);
    }
    own.may_generate.Use(n);
    own.generated.Add(n);
    Evaluate(own, state, f - g, n);
    if (id > (NodeArray::kNone - self - 1) / count()) throw std::bad_alloc();  // no numbers left
    const uint32_t parent = id * count() + self;
    for (uint32_t k = 0; k < n; ++k) {
      const Cost cost = info_.unit_cost ? info_.cost_scale : own.costs[k];
      const ChildValue value = JudgeChild(g, cost, own.hs[k], least_cost_, kInfinity);
      if (value.fate == ChildFate::kBroken) return Break(WhyBroken(cost, own.hs[k], least_cost_));
      if (value.fate == ChildFate::kDeadEnd) continue;
      if (TooDear(value.g, value.f)) {
        own.cost_cut = true;
        own.least_cut_f = std::min(own.least_cut_f, value.f);
        continue;
      }
      const std::byte* child = own.children.data() + k * stride_;
      const uint64_t hash = Nodes::HashOf(child, slot_);
      const uint32_t to = Owner(hash);
      Write(own.out[to].Append(value.f), child, hash, value.g, parent, own.ops[k]);
      if (!own.out[to].full()) continue;
      if (to == self) {
        StoreOwn(own, self);
      } else {
        Send(own, to);
      }
    }
    return true;
  }

  void Evaluate(Share& own, const std::byte* state, Cost h, uint32_t n) {
    const EvaluatorCalls& heuristic = own.heuristic;
    if (heuristic.eval_ops == nullptr) {
      heuristic.eval_batch(heuristic.context, n, own.children.data(), stride_, own.hs.data());
      return;
    }
    std::byte* parent_aux = nullptr;
    std::byte* child_aux = nullptr;
    if (aux_size_ > 0) {
      parent_aux = own.aux.data();
      child_aux = own.aux.data() + RoundUp(aux_size_, 8);
      heuristic.root_aux(heuristic.context, state, parent_aux);
    }
    heuristic.eval_ops(heuristic.context, state, h, parent_aux, own.ops.data(), n, own.hs.data(), child_aux);
  }

  // A goal of cost g.
  void Propose(Cost g, uint32_t owner, NodeArray::Id id) {
    const std::lock_guard<std::mutex> lock(mutex_);
    if (g >= incumbent_) return;
    incumbent_ = g;
    goal_owner_ = owner;
    goal_ = id;
  }
  bool Limit(StopReason reason) {
    StopReason none = StopReason::kNone;
    limit_.compare_exchange_strong(none, reason);
    return false;
  }
  bool Break(std::string what) {
    const std::lock_guard<std::mutex> lock(mutex_);
    if (broken_.empty()) broken_ = std::move(what);
    return false;
  }

  void Publish(Share& own) const {
    own.open.Set(own.nodes.open());
    own.max_open.Raise(own.nodes.open());
    own.stored.Set(own.nodes.stored());
  }

  // --- any ----------------------------------------------------------------------------------------------
  uint32_t count() const { return static_cast<uint32_t>(shares_.size()); }
  // By bits that depend on those that the index uses, but are none of them.
  uint32_t Owner(uint64_t hash) const {
    const uint64_t mixed = FoldMultiply(hash ^ kHashSeed2, kHashSeed0);
    return static_cast<uint32_t>((mixed >> 32) * count() >> 32);
  }
  void Write(NodeMessage& message, const std::byte* state, uint64_t hash, Cost g, uint32_t parent, Op op) const {
    message.g = g;
    message.hash = hash;
    message.parent = parent;
    message.op = op;
    std::memcpy(message.state(), state, kSlot != 0 ? kSlot : slot_);
  }
  // Beyond max_cost: by f when h can be trusted, else by g.
  bool TooDear(Cost g, Cost f) const { return task_.max_cost && (task_.admissible ? f : g) > *task_.max_cost; }
  void CloseBoxes() {
    for (const auto& share : shares_) share->box.Close();
  }

  const Task& task_;
  const SpaceInfo info_;
  const SpaceCalls problem_;
  const size_t slot_;
  const size_t stride_;
  const size_t aux_size_;
  const Cost least_cost_;
  std::optional<SearchThreads> threads_;
  std::optional<NodeBudget> expansions_;
  std::optional<NodeBudget> generations_;
  std::vector<std::unique_ptr<Share>> shares_;  // one a thread
  uint64_t told_expanded_ = 0;
  uint64_t told_generated_ = 0;

  // Written often; on a line of its own, away from what all threads read.
  alignas(64) std::atomic<int64_t> pending_{0};
  alignas(64) std::atomic<bool> done_{false};
  std::atomic<StopReason> limit_{StopReason::kNone};
  std::atomic<Cost> incumbent_{kInfinity};  // written under mutex_
  std::mutex mutex_;
  uint32_t goal_owner_ = 0;  // guarded by mutex_, as goal_ and broken_, while threads are at work
  NodeArray::Id goal_ = 0;
  std::string broken_;
};

}  // namespace

std::unique_ptr<Algorithm> MakeHdaStar(const Task& task) {
  if (task.sink != nullptr) return MakePlainAStar(task);
  switch (SlotSize(task.space.info().state_size)) {
    case 8:
      return std::make_unique<HdaStar<8>>(task);
    case 16:
      return std::make_unique<HdaStar<16>>(task);
    case 32:
      return std::make_unique<HdaStar<32>>(task);
    default:
      return std::make_unique<HdaStar<0>>(task);
  }
}

}  // namespace astrolabe::engine
