// HdaMail: the messages of one thread of HDA*. States that it makes go in batches to their owners, and come in a box
// from the others; here it also rests and waits, as what ends either is a message.
//
// Batch: as in message_batch.h.
#ifndef ASTROLABE_DAEMON_ENGINE_ALGORITHMS_HDA_MAIL_H_
#define ASTROLABE_DAEMON_ENGINE_ALGORITHMS_HDA_MAIL_H_

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

#include "daemon/engine/algorithms/hda_board.h"
#include "daemon/engine/structures/memory_account.h"
#include "daemon/engine/structures/message_box.h"

namespace astrolabe::engine {

// Every call is of the owner's thread, but for those that say otherwise.
template <class Batch>
class HdaMail {
 public:
  using All = std::vector<std::unique_ptr<HdaMail>>;

  // All outlive it. `all`: of the threads by number, complete before the first call. Throws std::bad_alloc.
  HdaMail(uint32_t self, size_t slot, HdaBoard& board, const All& all, MemoryAccount& memory)
      : self_(self), slot_(slot), board_(board), all_(all), memory_(memory) {
    for (uint32_t i = 0; i < board.threads; ++i) out_.emplace_back(slot_, memory);
  }

  // --- out ---
  // What goes to a thread next. That of the own number is not sent: its states are to be stored where they are.
  Batch& To(uint32_t to) { return out_[to]; }
  Batch& own() { return out_[self_]; }
  void Send(uint32_t to) {
    board_.pending.fetch_add(1);
    out_[to] = all_[to]->box_.Put(std::move(out_[to]),
                                  [this, to](const Batch& batch) { board_.pace.Sent(to, batch.least_f()); });
    if (!out_[to].valid()) out_[to] = Batch(slot_, memory_);
  }
  // Full or not.
  void SendAll() {
    for (uint32_t to = 0; to < board_.threads; ++to) {
      if (to != self_ && out_[to].size() > 0) Send(to);
    }
  }
  // An owner does not keep up. One that is crowded itself never waits before it has emptied its box.
  bool SomeoneIsCrowded() const {
    for (const auto& other : all_) {
      if (other.get() != this && other->box_.crowded()) return true;
    }
    return false;
  }

  // --- in ---
  // May be wrong for a moment.
  bool seems_empty() const { return box_.seems_empty(); }
  // Calls take(batches) with all that has come, before store(batch) for each, which is empty afterwards.
  template <class Take, class Store>
  void Receive(Take take, Store store) {
    box_.TakeAll(arrived_, [this] { board_.pace.Received(self_); });
    take(std::as_const(arrived_));
    for (Batch& batch : arrived_) {
      store(batch);
      batch.Clear();
    }
    board_.pending.fetch_sub(static_cast<int64_t>(arrived_.size()));
  }

  // Whoever waits asks again whether it still has to.
  void WakeWaiting() {
    board_.pace.WakeWaiting([this](uint32_t i) { all_[i]->box_.Poke(); });
  }

  // Until messages come: this thread has nothing to do. False: the box was closed, or nobody has anything to do and
  // nothing is on its way, which the last one to find it out says by stop().
  template <class Stop>
  bool Rest(Stop stop) {
    if (board_.pending.fetch_sub(1) == 1) {
      board_.done = true;
      stop();
      return false;
    }
    board_.pace.BeginRest();
    const bool open = box_.Wait([] { return false; });
    board_.pace.EndRest();
    if (!open) return false;
    board_.pending.fetch_add(1);
    return true;
  }
  // Until nodes of this f may be expanded, or messages have come. It stays counted in `pending`: it has work. False:
  // the box was closed.
  bool Wait(Cost f) {
    board_.pace.BeginWait(self_, f);
    const bool open = box_.Wait([this, f] { return !SomeoneIsCrowded() && f <= board_.pace.LeastF(); });
    board_.pace.EndWait(self_);
    return open;
  }

  // Any thread: nobody rests or waits here any more.
  void Close() { box_.Close(); }

  // When no thread is at work: the least f of what is in the box, or was not sent.
  Cost LeastF() const {
    Cost least = box_.least_f();
    for (const Batch& batch : out_) least = std::min(least, batch.least_f());
    return least;
  }

 private:
  const uint32_t self_;
  const size_t slot_;
  HdaBoard& board_;
  const All& all_;
  MemoryAccount& memory_;

  MessageBox<Batch> box_;
  std::vector<Batch> out_;      // by owner
  std::vector<Batch> arrived_;  // being stored, and then empty
};

}  // namespace astrolabe::engine

#endif  // ASTROLABE_DAEMON_ENGINE_ALGORITHMS_HDA_MAIL_H_
