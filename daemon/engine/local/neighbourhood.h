// Neighbourhood: the state where a local search is, and what its neighbours are worth.
//
// Moves lead to neighbours; they are numbered 0 .. Moves() - 1 and are looked at in chunks, so that nothing has the
// size of all of them: a million variables of a million values have 10^12. There are three kinds, and a search uses
// one:
//   factored, with a trail      the objective follows the state step by step: a neighbour costs O(1) or so
//   factored, by states         the state of each neighbour is made and judged: any heuristic will do
//   by operators                the children of a state, in any problem; the objective is h, costs do not matter
#ifndef ASTROLABE_DAEMON_ENGINE_LOCAL_NEIGHBOURHOOD_H_
#define ASTROLABE_DAEMON_ENGINE_LOCAL_NEIGHBOURHOOD_H_

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>

#include "daemon/engine/algorithms/algorithm.h"
#include "daemon/engine/runner.h"
#include "daemon/engine/structures/random.h"

namespace astrolabe::engine {

// As a change of the objective: not a step at all, because the variable has that value, or a dead end lies there.
// Larger than every change.
inline constexpr Cost kNoStep = kInfinity;

// A move and what it does to the objective.
struct Step {
  uint64_t move = 0;
  Cost change = 0;
};

// One thread. Calls that return false or nothing because of a failure leave it in end(): kStopped or kBroken. The
// search is over then.
class Neighbourhood {
 public:
  virtual ~Neighbourhood() = default;
  Neighbourhood(const Neighbourhood&) = delete;
  Neighbourhood& operator=(const Neighbourhood&) = delete;

  // `state` is the present state from now on.
  [[nodiscard]] virtual bool Bind(const std::byte* state) = 0;
  // Of the present state; kInfinity: a dead end.
  Cost objective() const { return objective_; }
  // The present state; valid until the next call that is not const.
  virtual const std::byte* State() = 0;
  // State() costs nothing to speak of beside the neighbours.
  virtual bool state_is_at_hand() const = 0;

  // 0 after a failure too.
  virtual uint64_t Moves() = 0;
  // The changes of the moves from `first` on, as many as are valued at once, at least one; counted as generated.
  // `first` is 0 or follows the last one of an earlier answer for this state. Valid until the next call. Empty: a
  // failure.
  virtual std::span<const Cost> Changes(uint64_t first) = 0;
  // Of one move.
  [[nodiscard]] virtual bool Change(uint64_t move, Cost& change) = 0;
  // A move to any neighbour, each as likely as the others. Precondition: HasNeighbours().
  virtual uint64_t AnyMove(Random& random) = 0;
  virtual bool HasNeighbours() = 0;
  // Goes there. Precondition: Leads(step.change), which is what was told for this move.
  [[nodiscard]] virtual bool Take(const Step& step) = 0;

  // A dead end does not lie there. From a dead end only changes for the better lead anywhere.
  bool Leads(Cost change) const { return change < kInfinity - objective_; }
  // The move leads to the present state: it is none.
  virtual bool IsPresent(uint64_t) { return false; }
  // The state that a move leads to.
  virtual void Neighbour(uint64_t move, std::byte* out) = 0;
  // The operator of a move; kNoOp: it has no number.
  virtual Op OpOf(uint64_t move) const = 0;
  // What it changes, where states are values of variables.
  virtual std::optional<FactoredStep> StepOf(uint64_t) const { return std::nullopt; }

  // Names for what a step takes away: MarkOf(move) is that of the state, or of the variable with the value, which the
  // move leads to; MarkHere(move) of the one it leaves.
  virtual uint64_t MarkOf(uint64_t move) = 0;
  virtual uint64_t MarkHere(uint64_t move) = 0;

  // Keeps the present state as the best one. Costs as much as was changed since it was the best.
  virtual void SaveBest() = 0;
  // Precondition: SaveBest was called.
  virtual void CopyBest(std::byte* out) const = 0;

  SearchEnd end() const { return end_; }

 protected:
  explicit Neighbourhood(Runner& runner) : runner_(runner) {}

  // Counts n neighbours that are about to be valued.
  bool Count(uint64_t n) {
    if (n <= runner_.GenerationsLeft()) {
      runner_.CountGenerated(n);
      return true;
    }
    runner_.Stop(StopReason::kGenerated);
    return Fail(SearchEnd::kStopped);
  }
  bool Fail(SearchEnd end) {
    end_ = end;
    return false;
  }
  bool Break(std::string what) { return Fail(runner_.Break(std::move(what))); }

  Runner& runner_;
  Cost objective_ = kInfinity;

 private:
  SearchEnd end_ = SearchEnd::kExhausted;
};

// The kind that space and evaluator of the task allow. Throws std::bad_alloc. Task and runner outlive it.
std::unique_ptr<Neighbourhood> MakeNeighbourhood(const Task& task, Runner& runner);
// The one by operators.
std::unique_ptr<Neighbourhood> MakeOperatorNeighbourhood(const Task& task, Runner& runner);

}  // namespace astrolabe::engine

#endif  // ASTROLABE_DAEMON_ENGINE_LOCAL_NEIGHBOURHOOD_H_
