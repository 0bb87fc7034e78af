// NodeStream: takes the engine's node events, samples, encodes and batches them, and sends the batches
// when the daemon has given credit.
//
// A batch leaves when it holds 512 events or 64 KiB, or is 20 ms old; the last is seen to by a thread of
// the stream's own, so that a slow search is watched live. Two locks: `filling_` (a spin lock, held for
// one event) guards the buffer being filled; `sending_` orders the batches on the socket.
#ifndef ASTROLABE_DAEMON_WORKER_NODE_STREAM_H_
#define ASTROLABE_DAEMON_WORKER_NODE_STREAM_H_

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <functional>
#include <mutex>
#include <string>
#include <thread>

#include "astrolabe/v1/spec.pb.h"
#include "daemon/engine/search.h"
#include "daemon/worker/frame_writer.h"
#include "daemon/worker/job_control.h"
#include "daemon/worker/node_encoder.h"

namespace astrolabe::worker {

// The words of NODE_DETAIL_TEXT.
struct NodeWords {
  std::function<std::string(const void* state)> state;
  std::function<std::string(engine::Op op)> op;
  std::function<std::string(const engine::FactoredStep& step)> step;
};

class NodeStream : public engine::NodeSink {
 public:
  static constexpr int64_t kMaxBatchEvents = 512;
  static constexpr size_t kMaxBatchBytes = 64 << 10;
  static constexpr std::chrono::milliseconds kMaxBatchAge{20};

  // `options.kinds` is not empty. Pointers outlive the stream.
  NodeStream(const v1::EventOptions& options, size_t state_size, NodeWords words, FrameWriter* frames,
             JobControl* control);
  ~NodeStream() override;
  NodeStream(const NodeStream&) = delete;
  NodeStream& operator=(const NodeStream&) = delete;

  // Waits for credit when there is none. False once the job is to stop.
  bool Record(const engine::NodeRecord& record) override;

  // Sends what is there, as soon as there is credit. Before every frame that must come after the events.
  void Flush();
  // Sends the rest without waiting for credit and stops the stream's thread.
  void Close();

  int64_t recorded() const { return recorded_; }
  int64_t sampled_out() const { return seen_ - recorded_; }
  // True when states of this size are left out although they were asked for.
  bool leaves_out_states() const { return leaves_out_states_; }

 private:
  enum class Patience { kWait, kTry, kForce };

  bool Sampled();
  bool WithinRate();
  bool Send(Patience patience);
  void AgeLoop();

  const NodeDetail detail_;
  const size_t state_size_;
  const bool leaves_out_states_;
  const int64_t every_;
  const int64_t per_second_;
  const int64_t max_total_;
  const NodeWords words_;
  FrameWriter* const frames_;
  JobControl* const control_;

  std::atomic_flag filling_ = ATOMIC_FLAG_INIT;
  NodeBuffer buffer_;
  int64_t first_ordinal_ = 0;  // of the first event in buffer_
  int64_t seen_ = 0;
  int64_t recorded_ = 0;

  std::mutex sending_;
  NodeBuffer outgoing_;

  // Only the search thread's.
  std::chrono::steady_clock::time_point second_start_{};
  int64_t in_this_second_ = 0;

  std::mutex age_mutex_;
  std::condition_variable age_changed_;
  bool closed_ = false;
  std::thread age_thread_;
};

}  // namespace astrolabe::worker

#endif  // ASTROLABE_DAEMON_WORKER_NODE_STREAM_H_
