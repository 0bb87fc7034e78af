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
        best_(task.memory, stride_),
        candidates_(AccountedAllocator<Candidate>(task.memory)),
        hashes_(AccountedAllocator<uint64_t>(task.memory)) {
    candidates_.reserve(width_ + 1);
    hashes_.reserve(width_);
  }

  ClimbEnd Climb(Walk& walk) override {
    if (!Begin(walk)) return ClimbEnd::kFailed;
    for (Cost best = walk.objective(); !walk.solved();) {
      if (walk.OutOfSteps()) return Stuck(walk);
      for (size_t i = 0; i < now_value_.count; ++i) {
        if (!Consider(walk, i)) return ClimbEnd::kFailed;
      }
      if (!MakeNext(walk)) return ClimbEnd::kFailed;
      if (next_value_.count == 0 || (next_value_.best >= best && !next_value_.HasSmallerMeanThan(now_value_))) {
        return Stuck(walk);
      }
      std::swap(now_, next_);
      if (!walk.Jump(now_.data(), now_value_.best)) return ClimbEnd::kFailed;
      now_value_ = next_value_;
      if (now_value_.best < best) {
        best = now_value_.best;
        std::memcpy(best_.data(), now_.data(), stride_);
      }
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

  // Of the states that are kept.
  struct Value {
    size_t count = 0;
    Cost best = kInfinity;
    __int128 sum = 0;

    void Add(Cost objective) {
      ++count;
      best = std::min(best, objective);
      sum += objective;
    }
    bool HasSmallerMeanThan(const Value& other) const {
      return sum * static_cast<__int128>(other.count) < other.sum * static_cast<__int128>(count);
    }
  };

  std::byte* At(const Block& states, size_t i) const { return states.data() + i * stride_; }

  // The start of the climb, and random states where the problem has them; the best of them comes first and is the
  // present one. False: failed.
  bool Begin(Walk& walk) {
    std::memcpy(now_.data(), walk.neighbourhood().State(), space_.info().state_size);
    std::memcpy(best_.data(), now_.data(), stride_);
    candidates_.clear();
    now_value_ = {};
    now_value_.Add(walk.objective());
    bool other = false;
    while (space_.HasRandomState() && now_value_.count < width_) {
      std::byte* state = At(now_, now_value_.count);
      space_.RandomState(walk.random().Next(), state);
      if (!walk.LookAround() || !walk.Meet(state)) return false;
      const bool done = walk.IsGoodEnough(state);
      const bool better = walk.objective() < now_value_.best;
      now_value_.Add(walk.objective());
      if (!better && !done) continue;
      std::swap_ranges(now_.data(), now_.data() + stride_, state);
      other = true;
      if (done) break;
    }
    if (!other) return walk.neighbourhood().Bind(now_.data());
    std::memcpy(best_.data(), now_.data(), stride_);
    return walk.BeginAt(now_.data());
  }

  // At the best state.
  ClimbEnd Stuck(Walk& walk) { return walk.neighbourhood().Bind(best_.data()) ? ClimbEnd::kStuck : ClimbEnd::kFailed; }

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
    next_value_ = {};
    const Candidate* last = nullptr;
    for (const Candidate& candidate : candidates_) {
      if (last == nullptr || last->parent != candidate.parent) {
        if (!walk.neighbourhood().Bind(At(now_, candidate.parent))) return false;
        if (walk.Moves() == 0) return false;  // by operators the children are made anew, within the limits
        last = &candidate;
      }
      std::byte* state = At(next_, next_value_.count);
      walk.neighbourhood().Neighbour(candidate.move, state);
      const uint64_t hash = HashBytes(state, space_.info().state_size);
      const auto place = std::lower_bound(hashes_.begin(), hashes_.end(), hash);
      if (place != hashes_.end() && *place == hash) continue;
      hashes_.insert(place, hash);
      next_value_.Add(candidate.objective);
    }
    candidates_.clear();
    return true;
  }

  const StateSpace& space_;
  const size_t width_;
  const size_t stride_;
  Block now_;
  Block next_;
  Block best_;  // of this climb
  Value now_value_;
  Value next_value_;
  std::vector<Candidate, AccountedAllocator<Candidate>> candidates_;
  std::vector<uint64_t, AccountedAllocator<uint64_t>> hashes_;  // sorted, of the states in next_
};

}  // namespace

std::unique_ptr<Algorithm> MakeLocalBeam(const Task& task) {
  return std::make_unique<LocalSearch>(task, std::make_unique<LocalBeam>(task));
}

}  // namespace astrolabe::engine
