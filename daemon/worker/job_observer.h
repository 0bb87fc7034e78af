// Turns what the engine tells of a running search into frames.
#ifndef ASTROLABE_DAEMON_WORKER_JOB_OBSERVER_H_
#define ASTROLABE_DAEMON_WORKER_JOB_OBSERVER_H_

#include <mutex>
#include <string>

#include "astrolabe/v1/event.pb.h"
#include "daemon/engine/search.h"
#include "daemon/worker/frame_writer.h"
#include "daemon/worker/node_stream.h"
#include "daemon/worker/stage.h"

namespace astrolabe::worker {

void SendJobState(FrameWriter& frames, v1::JobState state);
// It is sent with the next frame.
void HoldJobState(FrameWriter& frames, v1::JobState state);

class JobObserver : public engine::SearchObserver {
 public:
  // `plugin_memory` is added to the engine's own. `nodes` may be null. Pointers outlive the observer.
  JobObserver(FrameWriter* frames, StageTracker* stage, NodeStream* nodes, std::string plugin, int64_t plugin_memory);

  void OnProgress(const engine::Progress& progress) override;
  void OnIteration(const engine::IterationStats& iteration) override;
  void OnImprovement(const engine::Improvement& improvement) override;
  void OnFinishing() override;

 private:
  // Frames that tell of events come after the events.
  void SendInOrder(const internal::v1::ToDaemon& message);

  FrameWriter* const frames_;
  StageTracker* const stage_;
  NodeStream* const nodes_;
  const std::string plugin_;
  const int64_t plugin_memory_;
};

}  // namespace astrolabe::worker

#endif  // ASTROLABE_DAEMON_WORKER_JOB_OBSERVER_H_
