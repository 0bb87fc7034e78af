// The life of a job, drawn once:
//
//   QUEUED -> PREPARING -> SEARCHING -> FINISHING -> DONE
//      |          |  \____________________^  ^        ^
//      |          |________________________________ _|   (nothing to search: unsolvable, rejected)
//      |______________________________________________|   (cancelled, timed out, interrupted)
//
// States only move forward. PREPARING is entered when a slot is taken, SEARCHING and FINISHING when the worker
// says so, DONE with the Result. DONE can be reached from everywhere, SEARCHING only from PREPARING.
#ifndef ASTROLABE_DAEMON_JOBS_JOB_STATE_H_
#define ASTROLABE_DAEMON_JOBS_JOB_STATE_H_

#include <cassert>
#include <string_view>

namespace astrolabe::jobs {

enum class JobState {  // values equal astrolabe.v1.JobState, compared by a test
  kQueued = 1,
  kPreparing = 2,
  kSearching = 3,
  kFinishing = 4,
  kDone = 5,
};

constexpr bool CanMove(JobState from, JobState to) {
  if (to <= from) return false;
  if (from == JobState::kQueued) return to == JobState::kPreparing || to == JobState::kDone;
  return true;
}

constexpr std::string_view StateName(JobState state) {
  switch (state) {
    case JobState::kQueued:
      return "QUEUED";
    case JobState::kPreparing:
      return "PREPARING";
    case JobState::kSearching:
      return "SEARCHING";
    case JobState::kFinishing:
      return "FINISHING";
    case JobState::kDone:
      return "DONE";
  }
  return "UNKNOWN";
}

// Holds one job's state and lets nothing but the arrows above happen. Guarded by whoever owns it.
class StateMachine {
 public:
  JobState state() const { return state_; }
  bool done() const { return state_ == JobState::kDone; }
  // False, and nothing changed, when there is no such arrow: what a worker asks for is not trusted.
  [[nodiscard]] bool TryMove(JobState to) {
    if (!CanMove(state_, to)) return false;
    state_ = to;
    return true;
  }
  // For our own moves, which are always right.
  void Move(JobState to) {
    [[maybe_unused]] const bool moved = TryMove(to);
    assert(moved);
  }

 private:
  JobState state_ = JobState::kQueued;
};

}  // namespace astrolabe::jobs

#endif  // ASTROLABE_DAEMON_JOBS_JOB_STATE_H_
