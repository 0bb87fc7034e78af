// HdaThread: one search thread of HDA*, with the share of the states that it owns.
//
// Share: LineShare or NodeShare.
#ifndef ASTROLABE_DAEMON_ENGINE_ALGORITHMS_HDA_THREAD_H_
#define ASTROLABE_DAEMON_ENGINE_ALGORITHMS_HDA_THREAD_H_

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <new>
#include <utility>
#include <vector>

#include "daemon/engine/algorithms/algorithm.h"
#include "daemon/engine/algorithms/child_value.h"
#include "daemon/engine/algorithms/hda_board.h"
#include "daemon/engine/algorithms/node_grant.h"
#include "daemon/engine/algorithms/search_threads.h"
#include "daemon/engine/structures/best_first.h"
#include "daemon/engine/structures/layout.h"
#include "daemon/engine/structures/message_box.h"
#include "daemon/engine/structures/node_array.h"

namespace astrolabe::engine {

// A number that one thread writes and others read now and then.
class Published {
 public:
  void Set(uint64_t value) { value_.store(value, std::memory_order_relaxed); }
  void Add(uint64_t value) { Set(get() + value); }
  uint64_t get() const { return value_.load(std::memory_order_relaxed); }

 private:
  std::atomic<uint64_t> value_{0};
};

template <class Share>
class HdaThread {
 public:
  using Batch = typename Share::Batch;
  using Team = std::vector<std::unique_ptr<HdaThread>>;

  // All outlive it. `team`: all threads of the search by number, complete before Work.
  HdaThread(const Task& task, uint32_t self, Ties ties, HdaBoard& board, SearchThreads& threads, const Team& team)
      : task_(task),
        info_(task.space.info()),
        problem_(task.space.calls()),
        heuristic_(task.thread_evaluators[self]->calls()),
        aux_size_(task.evaluator.info().aux_size),
        least_cost_(info_.zero_costs ? 0 : 1),
        slot_(SlotSize(info_.state_size)),
        self_(self),
        board_(board),
        threads_(threads),
        team_(team),
        nodes_(slot_, ties, task.memory, board.threads),
        parents_(MakeParentBatch(info_, task.memory)),
        children_(task.memory, (info_.max_ops + kSpareOps) * parents_.stride),
        aux_(task.memory, (info_.max_ops + kSpareOps + 1) * RoundUp(aux_size_, 8) + 8),
        ops_(info_.max_ops + kSpareOps),
        costs_(info_.max_ops + kSpareOps),
        hs_(info_.max_ops + kSpareOps),
        may_expand_(board.expansions),
        may_generate_(board.generations) {
    for (uint32_t i = 0; i < board.threads; ++i) out_.emplace_back(slot_, task.memory);
  }

  // Before Work, to the owner of the initial state, which is padded.
  void AddRoot(const std::byte* state, Cost h) {
    out_[self_].Append(state, h, 0, kNoOp, NodeArray::kNone);
    StoreOwn();
  }

  // The search, until there is nothing left to do anywhere or it is to stop.
  void Work() {
    Search();
    Publish();
    ended_ = true;
  }
  void CloseBox() { box_.Close(); }

  // --- any thread, at any time ---
  uint64_t expanded() const { return expanded_.get(); }
  uint64_t generated() const { return generated_.get(); }
  uint64_t open() const { return open_.get(); }
  uint64_t max_open() const { return max_open_.get(); }
  uint64_t stored() const { return stored_.get(); }

  // --- when no thread is at work ---
  const Share& nodes() const { return nodes_; }
  bool cost_cut() const { return cost_cut_; }
  Cost least_cut_f() const { return least_cut_f_; }
  // The least f of what is not yet expanded here, or was sent from here, or was cut. between_batches: no thread was
  // left in the middle of anything.
  Cost LeastF(bool between_batches) const {
    Cost least = between_batches || ended_ ? std::min(nodes_.best_f(), hand_) : floor_;
    least = std::min({least, least_cut_f_, box_.least_f()});
    for (const Batch& batch : out_) least = std::min(least, batch.least_f());
    return least;
  }

 private:
  // Batches of nodes expanded between two times that all is sent, full or not.
  static constexpr uint32_t kSendEvery = 16;

  Cost incumbent() const { return board_.incumbent.load(std::memory_order_relaxed); }

  void Search() {
    while (threads_.GoOn()) {
      floor_ = nodes_.best_f();
      const bool received = !box_.seems_empty();
      if (received) Receive();
      const Cost f = nodes_.best_f();
      const bool has_work = f < incumbent();
      if (board_.pace.Tell(self_, has_work ? f : kInfinity) || received) {
        board_.pace.WakeWaiting([this](uint32_t i) { team_[i]->box_.Poke(); });
      }
      if (!has_work) {
        SendAll();
        if (!Rest()) return;
      } else if (MayExpand(f)) {
        if (!ExpandBatch()) return threads_.Stop();
        if (++batches_ >= kSendEvery || board_.pace.anyone_rests()) SendAll();
      } else {
        SendAll();
        if (!Wait(f)) return;
      }
    }
  }

  // Until messages come. False: the search has ended.
  bool Rest() {
    if (board_.pending.fetch_sub(1) == 1) {
      board_.done = true;
      threads_.Stop();
      return false;
    }
    board_.pace.BeginRest();
    const bool open = box_.Wait([] { return false; });
    board_.pace.EndRest();
    if (!open) return false;
    board_.pending.fetch_add(1);
    return true;
  }

  bool MayExpand(Cost f) {
    if (threads_.alone()) return true;
    return !SomeoneIsCrowded() && board_.pace.MayExpand(self_, f, parents_.capacity, expanded_.get());
  }
  // Until nodes of this f may be expanded, or messages have come. It stays counted in `pending`: it has work. False: as
  // above.
  bool Wait(Cost f) {
    board_.pace.BeginWait(self_, f);
    const bool open = box_.Wait([this, f] { return !SomeoneIsCrowded() && f <= board_.pace.LeastF(); });
    board_.pace.EndWait(self_);
    return open;
  }
  // A crowded owner never waits before it has emptied its box.
  bool SomeoneIsCrowded() const {
    for (const auto& other : team_) {
      if (other.get() != this && other->box_.crowded()) return true;
    }
    return false;
  }

  // --- messages ---
  void Receive() {
    board_.pace.BeforeReceive(self_);
    box_.TakeAll(arrived_);
    for (const Batch& batch : arrived_) floor_ = std::min(floor_, batch.least_f());
    for (Batch& batch : arrived_) {
      nodes_.Store(batch, incumbent());
      batch.Clear();
    }
    board_.pending.fetch_sub(static_cast<int64_t>(arrived_.size()));
  }

  void Send(uint32_t to) {
    board_.pending.fetch_add(1);
    board_.pace.BeforeSend(to, out_[to].least_f());
    out_[to] = team_[to]->box_.Put(std::move(out_[to]));
    if (!out_[to].valid()) out_[to] = Batch(slot_, task_.memory);
  }
  void SendAll() {
    batches_ = 0;
    for (uint32_t to = 0; to < board_.threads; ++to) {
      if (to != self_ && out_[to].size() > 0) Send(to);
    }
  }
  void StoreOwn() {
    nodes_.Store(out_[self_], incumbent());
    out_[self_].Clear();
  }

  // --- expansion ---
  // False: a limit or a broken contract ends the search.
  bool ExpandBatch() {
    nodes_.Pop(parents_);
    hand_ = parents_.f;
    for (uint32_t i = 0; i < parents_.count; ++i) {
      const std::byte* state = parents_.State(i);
      if (problem_.is_goal(problem_.problem, state) != 0) {
        // The rest of the batch costs at least as much.
        board_.Propose(parents_.g, self_, Share::kLinked ? parents_.node[i] : 0, state);
        break;
      }
      if (!Expand(i)) return false;
    }
    StoreOwn();
    hand_ = kInfinity;
    Publish();
    return true;
  }

  bool Expand(uint32_t i) {
    if (!may_expand_.Has(1)) return board_.Limit(StopReason::kExpansions);
    may_expand_.Use(1);
    expanded_.Add(1);
    const std::byte* state = parents_.State(i);
    const uint32_t n = problem_.expand(problem_.problem, state, parents_.op[i], ops_.data(), costs_.data(),
                                       children_.data(), parents_.stride);
    if (n > info_.max_ops) return board_.Break("a state has more operators than the problem's max_ops");
    if (n == 0) return true;
    if (!may_generate_.Has(n)) {
      generated_.Add(may_generate_.left());
      may_generate_.Use(may_generate_.left());
      return board_.Limit(StopReason::kGenerated);
    }
    may_generate_.Use(n);
    generated_.Add(n);
    Evaluate(state, n);
    const uint32_t parent = Share::kLinked ? NameOf(parents_.node[i]) : 0;
    for (uint32_t k = 0; k < n; ++k) {
      if (!Consider(k, parent)) return false;
    }
    return true;
  }

  void Evaluate(const std::byte* state, uint32_t n) {
    if (heuristic_.eval_ops == nullptr) {
      heuristic_.eval_batch(heuristic_.context, n, children_.data(), parents_.stride, hs_.data());
      return;
    }
    std::byte* parent_aux = nullptr;
    std::byte* child_aux = nullptr;
    if (aux_size_ > 0) {
      parent_aux = aux_.data();
      child_aux = aux_.data() + RoundUp(aux_size_, 8);
      heuristic_.root_aux(heuristic_.context, state, parent_aux);
    }
    heuristic_.eval_ops(heuristic_.context, state, parents_.f - parents_.g, parent_aux, ops_.data(), n, hs_.data(),
                        child_aux);
  }

  // Child k goes to its owner. False: a contract is broken.
  bool Consider(uint32_t k, uint32_t parent) {
    const Cost cost = info_.unit_cost ? info_.cost_scale : costs_[k];
    const ChildValue value = JudgeChild(parents_.g, cost, hs_[k], least_cost_, kInfinity);
    if (value.fate == ChildFate::kBroken) return board_.Break(WhyBroken(cost, hs_[k], least_cost_));
    if (value.fate == ChildFate::kDeadEnd) return true;
    if (TooDear(value)) {
      cost_cut_ = true;
      least_cut_f_ = std::min(least_cut_f_, value.f);
      return true;
    }
    const std::byte* child = children_.data() + k * parents_.stride;
    const uint32_t to = board_.OwnerOf(Share::HashOf(child, slot_));
    if (!out_[to].Takes(value.f, value.g)) {
      if (to == self_) {
        StoreOwn();
      } else {
        Send(to);
      }
    }
    out_[to].Append(child, value.f, value.g, ops_[k], parent);
    return true;
  }

  // Beyond max_cost: by f when h can be trusted, else by g.
  bool TooDear(const ChildValue& value) const {
    return task_.max_cost && (task_.admissible ? value.f : value.g) > *task_.max_cost;
  }

  // A node of this share, for all. Throws std::bad_alloc when there are no numbers left.
  uint32_t NameOf(uint32_t node) const {
    if (node > (NodeArray::kNone - self_ - 1) / board_.threads) throw std::bad_alloc();
    return node * board_.threads + self_;
  }

  void Publish() {
    open_.Set(nodes_.open());
    max_open_.Set(std::max<uint64_t>(max_open_.get(), nodes_.open()));
    stored_.Set(nodes_.stored());
  }

  const Task& task_;
  const SpaceInfo info_;
  const SpaceCalls problem_;
  const EvaluatorCalls heuristic_;
  const size_t aux_size_;
  const Cost least_cost_;
  const size_t slot_;
  const uint32_t self_;
  HdaBoard& board_;
  SearchThreads& threads_;
  const Team& team_;

  Share nodes_;
  MessageBox<Batch> box_;
  std::vector<Batch> out_;      // by owner; its own is not sent
  std::vector<Batch> arrived_;  // being stored, and then empty
  uint32_t batches_ = 0;        // expanded since all was sent

  // Of one batch, and of one expansion.
  ParentBatch parents_;
  Block children_;
  Block aux_;
  std::vector<Op> ops_;
  std::vector<Cost> costs_;
  std::vector<Cost> hs_;
  NodeGrant may_expand_;
  NodeGrant may_generate_;

  // For the lower bound when all threads have ended.
  Cost floor_ = kInfinity;  // least f of what it has, before it began what it does now
  Cost hand_ = kInfinity;   // f of nodes popped and not expanded
  bool ended_ = false;      // it returned; else an exception ended it
  bool cost_cut_ = false;
  Cost least_cut_f_ = kInfinity;

  Published expanded_;
  Published generated_;
  Published open_;
  Published max_open_;
  Published stored_;
};

}  // namespace astrolabe::engine

#endif  // ASTROLABE_DAEMON_ENGINE_ALGORITHMS_HDA_THREAD_H_
