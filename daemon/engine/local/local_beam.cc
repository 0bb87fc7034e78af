// Local beam search: Russell and Norvig, Artificial Intelligence, 4.1.
#include "daemon/engine/local/local_beam.h"

#include <algorithm>
#include <cstring>
#include <utility>
#include <vector>

#include "daemon/engine/local/local_search.h"
#include "daemon/engine/structures/layout.h"
#include "daemon/engine/structures/memory_account.h"
#include "daemon/engine/structures/state_hash.h"

namespace astrolabe::engine {
namespace {

class LocalBeam final : public Climber {
 public:
  explicit LocalBeam(const Task& task)
      : space_(task.space),
        width_(static_cast<size_t>(task.params.Get<int64_t>("width"))),
        stride_(StateStride(task.space.info())),
        now_(task.memory, width_ * stride_),
        next_(task.memory, width_ * stride_),
        candidates_(AccountedAllocator<Candidate>(task.memory)),
        hashes_(AccountedAllocator<uint64_t>(task.memory)) {
    candidates_.reserve(width_ + 1);
    hashes_.reserve(width_);
  }

  ClimbEnd Climb(Walk& walk) override {
    Begin(walk);
    for (Cost best = walk.objective(); !walk.solved();) {
      if (walk.OutOfSteps()) return ClimbEnd::kStuck;
      for (size_t i = 0; i < count_; ++i) {
        if (!Consider(walk, i)) return ClimbEnd::kFailed;
      }
      if (!MakeNext(walk)) return ClimbEnd::kFailed;
      const bool better = count_ > 0 && best_of_next_ < best;
      // Back to the best state, or on to a better one.
      if (!better) return walk.neighbourhood().Bind(now_.data()) ? ClimbEnd::kStuck : ClimbEnd::kFailed;
      std::swap(now_, next_);
      if (!walk.Jump(now_.data(), best)) return ClimbEnd::kFailed;
      best = best_of_next_;
    }
    return ClimbEnd::kSolved;
  }

 private:
  struct Candidate {
    Cost objective;
    uint64_t lot;  // decides among equals
    size_t parent;
    uint64_t move;
    bool operator<(const Candidate& other) const {
      return objective != other.objective ? objective < other.objective : lot < other.lot;
    }
  };

  std::byte* At(const Block& states, size_t i) const { return states.data() + i * stride_; }

  // The start of the climb, and random states where the problem has them.
  void Begin(Walk& walk) {
    std::memcpy(now_.data(), walk.neighbourhood().State(), space_.info().state_size);
    candidates_.clear();
    for (count_ = 1; space_.HasRandomState() && count_ < width_; ++count_) {
      space_.RandomState(walk.random().Next(), At(now_, count_));
    }
  }

  // Its neighbours are candidates.
  bool Consider(Walk& walk, size_t member) {
    if (!walk.neighbourhood().Bind(At(now_, member)) || !walk.Look()) return false;
    const uint64_t moves = walk.Moves();
    for (uint64_t first = 0; first < moves;) {
      const std::span<const Cost> changes = walk.Changes(first);
      if (changes.empty()) return false;
      for (size_t i = 0; i < changes.size(); ++i) {
        if (walk.neighbourhood().Leads(changes[i])) Add(walk, member, {first + i, changes[i]});
      }
      first += changes.size();
    }
    return !walk.failed();
  }

  // candidates_ is a heap, the worst one on top.
  void Add(Walk& walk, size_t member, const Step& step) {
    const Cost objective = walk.objective() + step.change;
    const bool full = candidates_.size() == width_;
    if (full && objective > candidates_.front().objective) return;
    candidates_.push_back({objective, walk.random().Next(), member, step.move});
    std::push_heap(candidates_.begin(), candidates_.end());
    if (!full) return;
    std::pop_heap(candidates_.begin(), candidates_.end());
    candidates_.pop_back();
  }

  // The states of the candidates, the best one first, each state once. False: failed.
  bool MakeNext(Walk& walk) {
    std::sort_heap(candidates_.begin(), candidates_.end());
    hashes_.clear();
    count_ = 0;
    best_of_next_ = candidates_.empty() ? kInfinity : candidates_.front().objective;
    const Candidate* last = nullptr;
    for (const Candidate& candidate : candidates_) {
      if (last == nullptr || last->parent != candidate.parent) {
        if (!walk.neighbourhood().Bind(At(now_, candidate.parent))) return false;
        if (walk.Moves() == 0) return false;  // by operators the children are made anew, within the limits
        last = &candidate;
      }
      std::byte* state = At(next_, count_);
      walk.neighbourhood().Neighbour(candidate.move, state);
      const uint64_t hash = HashBytes(state, space_.info().state_size);
      const auto place = std::lower_bound(hashes_.begin(), hashes_.end(), hash);
      if (place != hashes_.end() && *place == hash) continue;
      hashes_.insert(place, hash);
      ++count_;
    }
    candidates_.clear();
    return true;
  }

  const StateSpace& space_;
  const size_t width_;
  const size_t stride_;
  Block now_;
  Block next_;
  size_t count_ = 0;  // states in now_, or, after MakeNext, in next_
  std::vector<Candidate, AccountedAllocator<Candidate>> candidates_;
  std::vector<uint64_t, AccountedAllocator<uint64_t>> hashes_;  // sorted, of the states in next_
  Cost best_of_next_ = kInfinity;
};

}  // namespace

std::unique_ptr<Algorithm> MakeLocalBeam(const Task& task) {
  return std::make_unique<LocalSearch>(task, std::make_unique<LocalBeam>(task));
}

}  // namespace astrolabe::engine
