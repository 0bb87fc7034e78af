// HdaThread: one search thread of HDA*, with the share of the states that it owns.
//
// Share: LineShare or NodeShare.
#ifndef ASTROLABE_DAEMON_ENGINE_ALGORITHMS_HDA_THREAD_H_
#define ASTROLABE_DAEMON_ENGINE_ALGORITHMS_HDA_THREAD_H_

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <new>
#include <vector>

#include "daemon/engine/algorithms/algorithm.h"
#include "daemon/engine/algorithms/child_heuristic.h"
#include "daemon/engine/algorithms/child_value.h"
#include "daemon/engine/algorithms/hda_board.h"
#include "daemon/engine/algorithms/hda_mail.h"
#include "daemon/engine/algorithms/node_grant.h"
#include "daemon/engine/algorithms/published.h"
#include "daemon/engine/algorithms/search_threads.h"
#include "daemon/engine/structures/best_first.h"
#include "daemon/engine/structures/block.h"
#include "daemon/engine/structures/layout.h"
#include "daemon/engine/structures/node_array.h"

namespace astrolabe::engine {

template <class Share>
class HdaThread {
 public:
  using Batch = typename Share::Batch;
  using Mail = HdaMail<Batch>;

  // All outlive it. `mail`: its own.
  HdaThread(const Task& task, uint32_t self, Ties ties, HdaBoard& board, SearchThreads& threads, Mail& mail)
      : task_(task),
        info_(task.space.info()),
        problem_(task.space.calls()),
        heuristic_(task.thread_evaluators[self]->calls(), task.evaluator.info().aux_size, info_.max_ops + kSpareOps,
                   task.memory),
        least_cost_(info_.zero_costs ? 0 : 1),
        slot_(SlotSize(info_.state_size)),
        self_(self),
        board_(board),
        threads_(threads),
        mail_(mail),
        nodes_(slot_, ties, task.memory, board.threads),
        parents_(MakeParentBatch(info_, task.memory)),
        children_(task.memory, (info_.max_ops + kSpareOps) * parents_.stride),
        ops_(info_.max_ops + kSpareOps),
        costs_(info_.max_ops + kSpareOps),
        hs_(info_.max_ops + kSpareOps),
        may_expand_(board.expansions),
        may_generate_(board.generations) {}

  // Before Work, to the owner of the initial state, which is padded.
  void AddRoot(const std::byte* state, Cost h) {
    mail_.own().Append(state, h, 0, kNoOp, NodeArray::kNone);
    StoreOwn();
  }

  // The search, until there is nothing left to do anywhere or it is to stop.
  void Work() {
    Search();
    Publish();
    ended_ = true;
  }

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
    return std::min({least, least_cut_f_, mail_.LeastF()});
  }

 private:
  // Batches of nodes expanded between two times that all is sent, full or not.
  static constexpr uint32_t kSendEvery = 16;

  Cost incumbent() const { return board_.incumbent.load(std::memory_order_relaxed); }

  void Search() {
    while (threads_.GoOn()) {
      floor_ = nodes_.best_f();
      const bool received = !mail_.seems_empty();
      if (received) Receive();
      const Cost f = nodes_.best_f();
      const bool has_work = f < incumbent();
      if (board_.pace.Tell(self_, has_work ? f : kInfinity) || received) {
        mail_.WakeWaiting();
      }
      if (!has_work) {
        SendAll();
        if (!mail_.Rest([this] { threads_.Stop(); })) return;
      } else if (MayExpand(f)) {
        if (!ExpandBatch()) return threads_.Stop();
        if (++batches_ >= kSendEvery || board_.pace.anyone_rests()) SendAll();
      } else {
        SendAll();
        if (!mail_.Wait(f)) return;
      }
    }
  }

  bool MayExpand(Cost f) {
    if (threads_.alone()) return true;
    return !mail_.SomeoneIsCrowded() && board_.pace.MayExpand(self_, f, parents_.capacity, expanded_.get());
  }

  void Receive() {
    const auto take = [this](const std::vector<Batch>& batches) {
      for (const Batch& batch : batches) floor_ = std::min(floor_, batch.least_f());
    };
    mail_.Receive(take, [this](const Batch& batch) { nodes_.Store(batch, incumbent()); });
  }
  void SendAll() {
    batches_ = 0;
    mail_.SendAll();
  }
  void StoreOwn() {
    nodes_.Store(mail_.own(), incumbent());
    mail_.own().Clear();
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
    heuristic_.Evaluate(state, parents_.f - parents_.g, ops_.data(), n, children_.data(), parents_.stride, hs_.data());
    const uint32_t parent = Share::kLinked ? NameOf(parents_.node[i]) : 0;
    for (uint32_t k = 0; k < n; ++k) {
      if (!Consider(k, parent)) return false;
    }
    return true;
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
    if (!mail_.To(to).Takes(value.f, value.g)) {
      if (to == self_) {
        StoreOwn();
      } else {
        mail_.Send(to);
      }
    }
    mail_.To(to).Append(child, value.f, value.g, ops_[k], parent);
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
  ChildHeuristic<> heuristic_;
  const Cost least_cost_;
  const size_t slot_;
  const uint32_t self_;
  HdaBoard& board_;
  SearchThreads& threads_;
  Mail& mail_;

  Share nodes_;
  uint32_t batches_ = 0;  // expanded since all was sent

  // Of one batch, and of one expansion.
  ParentBatch parents_;
  Block children_;
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
