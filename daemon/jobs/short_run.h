// One short run in one worker. Same rules as JobRun: whoever takes the end first answers; ShortRuns keeps the run alive
// until the pool is done with it.
#ifndef ASTROLABE_DAEMON_JOBS_SHORT_RUN_H_
#define ASTROLABE_DAEMON_JOBS_SHORT_RUN_H_

#include <memory>
#include <mutex>
#include <string>

#include "daemon/jobs/short_runs.h"

namespace astrolabe::jobs {

class ShortRun : public workers::WorkerEvents, public std::enable_shared_from_this<ShortRun> {
 public:
  ShortRun(ShortRuns* owner, std::shared_ptr<ShortRequest> request, PluginPins pins);

  // Sets its time limit. Before Start.
  void Arm();
  // On the work queue; may block.
  void Start();
  // Ends it from outside; `error` is the answer.
  void Abort(Error error);
  // Ends it because it has stalled and others wait.
  void EndStalled();
  // A frame between the first and the answer; dropped when there is no worker or it has answered.
  void Send(const internal::v1::ToWorker& frame);
  bool ended() const;

  void OnMessage(internal::v1::ToDaemon message) override;
  void OnNodeBatch(int64_t, int64_t, std::string) override {}
  void OnGone(const workers::WorkerExit& exit) override;

 private:
  // True for the one who may answer.
  bool TakeEnd();
  void TimeOut();
  std::shared_ptr<workers::Lease> lease() const;

  ShortRuns* const owner_;
  const std::shared_ptr<ShortRequest> request_;  // answered by whoever took the end
  const PluginPins pins_;

  mutable std::mutex mu_;
  // All below guarded by mu_.
  std::shared_ptr<workers::Lease> lease_;
  bool ended_ = false;
  bool gone_ = false;
  TimerQueue::Id timer_;
  std::string plugin_;
  std::string stage_;
};

}  // namespace astrolabe::jobs

#endif  // ASTROLABE_DAEMON_JOBS_SHORT_RUN_H_
