// A path, replayed move by move from the initial state, up to its first move that is not possible.
#ifndef ASTROLABE_DAEMON_WORKER_PATH_REPLAY_H_
#define ASTROLABE_DAEMON_WORKER_PATH_REPLAY_H_

#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "daemon/worker/abi_problem.h"
#include "daemon/worker/state_buffer.h"

namespace astrolabe::worker {

// Memory: two states, and the words of at most kMaxKnownWords operators. One thread.
class PathReplay {
 public:
  static constexpr size_t kMaxKnownWords = 1 << 17;

  // Stands at the initial state. `problem` outlives it.
  explicit PathReplay(const AbiProblem& problem);

  // One move, as the number of an operator or as the word that render_op gives one of the operators of this state.
  // False: it is not possible here, or the costs would add up to more than a Cost holds; state, length and cost are
  // those before it, and violation() tells which of the two it was.
  bool Move(engine::Op op);
  bool Move(std::string_view word);

  // Why the last move was not made.
  const std::string& violation() const { return violation_; }
  int64_t length() const { return length_; }
  engine::Cost cost() const { return cost_; }
  const void* state() const { return state_.data(); }
  bool AtGoal() const { return problem_.IsGoal(state_.data()); }

 private:
  bool Make(engine::Op op, std::string_view word);
  bool Impossible(std::string_view move);
  // Fills ops_ with the operators of the state. False: violation() tells why they are not known.
  bool FindOps();
  const std::string& WordOf(engine::Op op);
  // "UP, LEFT or DOWN".
  std::string PossibleWords();

  const AbiProblem& problem_;
  StateBuffer state_;
  StateBuffer before_;  // the state before a move whose cost may not fit
  int64_t length_ = 0;
  engine::Cost cost_ = 0;
  std::string violation_;
  std::vector<engine::Op> ops_;
  std::unordered_map<engine::Op, std::string> words_;
};

}  // namespace astrolabe::worker

#endif  // ASTROLABE_DAEMON_WORKER_PATH_REPLAY_H_
