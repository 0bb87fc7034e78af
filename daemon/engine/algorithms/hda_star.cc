#include "daemon/engine/algorithms/hda_star.h"

#include <algorithm>
#include <cstring>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "daemon/engine/algorithms/astar.h"
#include "daemon/engine/algorithms/best_first_search.h"
#include "daemon/engine/algorithms/hda_board.h"
#include "daemon/engine/algorithms/hda_mail.h"
#include "daemon/engine/algorithms/hda_thread.h"
#include "daemon/engine/algorithms/search_threads.h"
#include "daemon/engine/runner.h"
#include "daemon/engine/structures/layout.h"
#include "daemon/engine/structures/line_share.h"
#include "daemon/engine/structures/node_share.h"
#include "daemon/engine/structures/walk_back.h"

namespace astrolabe::engine {
namespace {

template <class Share>
class HdaStar final : public Algorithm {
  using Mail = typename HdaThread<Share>::Mail;

 public:
  explicit HdaStar(const Task& task)
      : task_(task),
        slot_(SlotSize(task.space.info().state_size)),
        threads_(std::in_place, task.thread_starter, static_cast<int>(task.thread_evaluators.size())) {}

  SearchEnd Search(Runner& runner) override {
    MakeTeam(runner);
    task_.space.InitialState(root_.data());
    const EvaluatorCalls& heuristic = task_.evaluator.calls();
    const Cost h = heuristic.eval(heuristic.context, root_.data());
    if (h < 0) return runner.Break("the heuristic gave a negative h for the initial state");
    runner.SetInitialH(h);
    if (h == kInfinity) return SearchEnd::kExhausted;
    runner.RaiseLowerBound(h);
    if (task_.max_cost && task_.admissible && h > *task_.max_cost) {
      runner.NoteCostCut();
      return SearchEnd::kExhausted;
    }
    team_[board_->OwnerOf(Share::HashOf(root_.data(), slot_))]->AddRoot(root_.data(), h);
    bool started = false;
    try {
      started = threads_->Run([this](int i) { team_[static_cast<size_t>(i)]->Work(); },
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
  bool Extract(Runner& runner, Solution& solution) override {
    solution.cost = board_->incumbent;
    solution.may_be_cheaper = true;  // a cheaper way to a node of it may be known
    if constexpr (Share::kLinked) {
      FollowParents(solution.path);
      return true;
    } else {
      const auto known = [this](const std::byte* state) {
        return team_[board_->OwnerOf(Share::HashOf(state, slot_))]->nodes().Get(state);
      };
      if (WalkBack<Share::kSlot>(task_.space, root_.data(), board_->goal.state.data(), solution.cost, known,
                                 solution.path)) {
        return true;
      }
      runner.Break("the inverse operators of an undirected problem do not lead back to its initial state");
      return false;
    }
  }

  Gauges Observe() const override {
    Gauges gauges;
    for (const auto& thread : team_) {
      gauges.open += static_cast<int64_t>(thread->open());
      gauges.max_open += static_cast<int64_t>(thread->max_open());
      gauges.stored += static_cast<int64_t>(thread->stored());
    }
    return gauges;
  }

 private:
  void MakeTeam(Runner& runner) {
    team_.clear();
    mails_.clear();
    const auto count = static_cast<uint32_t>(threads_->count());
    root_ = Block(task_.memory, StateStride(task_.space.info(), slot_));
    board_.emplace(count, runner.ExpansionsLeft(), runner.GenerationsLeft(), slot_, task_.memory);
    const Ties ties = TiesOf(task_);
    for (uint32_t i = 0; i < count; ++i) {
      mails_.push_back(std::make_unique<Mail>(i, slot_, *board_, mails_, task_.memory));
      team_.push_back(std::make_unique<HdaThread<Share>>(task_, i, ties, *board_, *threads_, *mails_[i]));
    }
  }

  void CloseBoxes() {
    for (const auto& mail : mails_) mail->Close();
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
    for (const auto& thread : team_) {
      expanded += thread->expanded();
      generated += thread->generated();
    }
    runner.Count(expanded - told_expanded_, generated - told_generated_);
    told_expanded_ = expanded;
    told_generated_ = generated;
  }

  void RaiseLowerBound(Runner& runner, bool between_batches) const {
    Cost least = board_->incumbent;
    for (const auto& thread : team_) least = std::min(least, thread->LeastF(between_batches));
    if (least != kInfinity) runner.RaiseLowerBound(least);
  }

  // When all threads have ended.
  SearchEnd Conclude(Runner& runner) {
    Count(runner);
    Cost least_cut_f = kInfinity;
    bool cost_cut = false;
    for (const auto& thread : team_) {
      runner.CountDuplicate(thread->nodes().counts().duplicates);
      runner.CountReopened(thread->nodes().counts().reopened);
      cost_cut = cost_cut || thread->cost_cut();
      least_cut_f = std::min(least_cut_f, thread->least_cut_f());
    }
    if (cost_cut) runner.NoteCostCut();
    if (!board_->broken.empty()) return runner.Break(board_->broken);
    if (board_->done) {
      if (board_->incumbent != kInfinity) return SearchEnd::kSolved;
      if (cost_cut) runner.RaiseLowerBound(least_cut_f);
      return SearchEnd::kExhausted;
    }
    if (const StopReason limit = board_->limit; limit != StopReason::kNone) runner.Stop(limit);
    RaiseLowerBound(runner, false);
    if (board_->incumbent != kInfinity && !runner.LastSolution()) return SearchEnd::kBroken;
    return SearchEnd::kStopped;
  }

  // A parent's name is its number there, times the number of threads, plus its owner's.
  void FollowParents(std::vector<Op>& path) const {
    uint32_t owner = board_->goal.owner;
    NodeArray::Id id = board_->goal.node;
    for (uint32_t above; (above = team_[owner]->nodes().Parent(id)) != NodeArray::kNone;) {
      path.push_back(team_[owner]->nodes().LastOp(id));
      owner = above % board_->threads;
      id = above / board_->threads;
    }
    std::reverse(path.begin(), path.end());
  }

  const Task& task_;
  const size_t slot_;
  Block root_;
  std::optional<SearchThreads> threads_;
  std::optional<HdaBoard> board_;
  typename Mail::All mails_;
  std::vector<std::unique_ptr<HdaThread<Share>>> team_;
  uint64_t told_expanded_ = 0;
  uint64_t told_generated_ = 0;
};

template <template <size_t> class Share>
std::unique_ptr<Algorithm> MakeOfSlot(const Task& task) {
  switch (SlotSize(task.space.info().state_size)) {
    case 8:
      return std::make_unique<HdaStar<Share<8>>>(task);
    case 16:
      return std::make_unique<HdaStar<Share<16>>>(task);
    default:
      return std::make_unique<HdaStar<Share<32>>>(task);
  }
}

}  // namespace

std::unique_ptr<Algorithm> MakeHdaStar(const Task& task) {
  if (task.sink != nullptr) return MakePlainAStar(task);
  if (CanWalkBack(task.space)) return MakeOfSlot<LineShare>(task);
  if (task.space.info().state_size > 32) return std::make_unique<HdaStar<NodeShare<0>>>(task);
  return MakeOfSlot<NodeShare>(task);
}

}  // namespace astrolabe::engine
