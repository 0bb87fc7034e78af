// Fuzzes what a worker makes of the bytes of its daemon. The first byte is even: the rest is frames. Odd: it is one
// message, which gets its header here. Whatever it is, the worker refuses it with a reason, or does the work with the
// plugin "counter" - instead of the files that the message names - and all that it answers can be read.
#include <sys/mman.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <thread>

#include "daemon/base/fd.h"
#include "daemon/base/frame_io.h"
#include "daemon/worker/check_path.h"
#include "daemon/worker/code_map.h"
#include "daemon/worker/control_loop.h"
#include "daemon/worker/evaluate.h"
#include "daemon/worker/job_run.h"
#include "daemon/worker/validate.h"
#include "tests/fuzz/demand.h"

namespace {

using astrolabe::Fd;
using astrolabe::Frame;
using astrolabe::FrameType;
using astrolabe::Result;
using astrolabe::Status;
using fuzz::Demand;
using namespace astrolabe::worker;
namespace v1 = astrolabe::v1;
namespace internal = astrolabe::internal::v1;

constexpr int64_t kMostExpansions = 2000;
constexpr int64_t kMostMemory = 64 << 20;
constexpr int kMostThreads = 2;
constexpr int32_t kMostNanos = 200'000'000;
constexpr int64_t kLeastCredit = 1 << 20;

// The rest of a worker, as worker.cc has it; what it sends is read by a thread.
class Worker {
 public:
  Worker() {
    int pair[2];
    Demand(::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, pair) == 0);
    ours_.Reset(pair[0]);
    theirs_.Reset(pair[1]);
    frames_ = new FrameWriter(ours_.get());
    stage_ = new StageTracker(frames_);
    log_ = new LogStream(frames_);
    services_.frames = frames_;
    services_.log = log_;
    services_.cache = &cache_;
    services_.budget = &budget_;
    plugins_ = new PluginHost(stage_, &code_, services_);
    std::thread([this] { ReadAll(); }).detach();
  }

  void Serve(const WorkItem& item) {
    const WorkerContext context{frames_, stage_, log_, &cache_, plugins_};
    const internal::ToWorker& message = item.message;
    if (message.has_run()) {
      JobRun(context, message.run(), item.control.get()).Run();
    } else if (message.has_validate()) {
      RunValidate(context, message.validate());
    } else if (message.has_evaluate()) {
      RunEvaluate(context, message.evaluate());
    } else if (message.has_check_path()) {
      RunCheckPath(context, message.check_path(), [] {
        internal::PathPiece piece;
        piece.add_ops(1);
        piece.add_ops(3);
        piece.set_last(true);
        return piece;
      });
    }
  }

 private:
  void ReadAll() const {
    for (;;) {
      const Result<Frame> frame = astrolabe::ReadFrame(theirs_.get());
      Demand(frame.ok());
      if (frame->type == FrameType::kNodeBatch) {
        v1::NodeBatch batch;
        Demand(frame->payload.size() > 16 && batch.ParseFromString(frame->payload.substr(16)));
        continue;
      }
      internal::ToDaemon message;
      Demand(frame->type == FrameType::kToDaemon && message.ParseFromString(frame->payload));
      Demand(message.message_case() != internal::ToDaemon::MESSAGE_NOT_SET);
      if (message.has_result()) Demand(message.result().outcome() != v1::OUTCOME_UNSPECIFIED);
    }
  }

  Fd ours_;
  Fd theirs_;
  FrameWriter* frames_;
  StageTracker* stage_;
  LogStream* log_;
  PluginCache cache_{""};
  MemoryBudget budget_{0};
  CodeMap code_;
  JobServices services_;
  PluginHost* plugins_;
};

void UseCounter(google::protobuf::RepeatedPtrField<internal::PluginFile>* files) {
  if (files->empty()) return;
  files->Clear();
  internal::PluginFile* file = files->Add();
  file->set_id("org.astrolabe.fixture.counter");
  file->set_path(ASTROLABE_FIXTURE_DIR "/counter.so");
}

void TakeSleep(google::protobuf::RepeatedPtrField<v1::HeuristicUse>* heuristics) {
  for (v1::HeuristicUse& use : *heuristics) {
    for (const char* name : {"eval_us", "build_ms"}) use.mutable_params()->erase(name);
  }
}

// Another file is not to be run, and no search is to take for ever.
void Tame(internal::ToWorker* message) {
  if (message->has_validate()) UseCounter(message->mutable_validate()->mutable_plugins());
  if (message->has_check_path()) UseCounter(message->mutable_check_path()->mutable_plugins());
  if (message->has_evaluate()) {
    UseCounter(message->mutable_evaluate()->mutable_plugins());
    TakeSleep(message->mutable_evaluate()->mutable_evaluate()->mutable_heuristics());
  }
  if (!message->has_run()) return;
  internal::RunJob& run = *message->mutable_run();
  UseCounter(run.mutable_plugins());
  if (run.initial_credit_bytes() > 0) {
    run.set_initial_credit_bytes(std::max(run.initial_credit_bytes(), kLeastCredit));
  }
  v1::JobSpec& spec = *run.mutable_spec();
  TakeSleep(spec.mutable_heuristics());
  spec.set_threads(std::min(spec.threads(), kMostThreads));
  v1::Limits& limits = *spec.mutable_limits();
  if (limits.max_expansions() <= 0 || limits.max_expansions() > kMostExpansions) {
    limits.set_max_expansions(kMostExpansions);
  }
  if (limits.max_memory_bytes() <= 0 || limits.max_memory_bytes() > kMostMemory) {
    limits.set_max_memory_bytes(kMostMemory);
  }
  limits.mutable_wall_time()->set_seconds(0);
  limits.mutable_wall_time()->set_nanos(std::clamp(limits.wall_time().nanos(), 1, kMostNanos));
}

// A file with the bytes that the daemon sent and then hung up.
Fd FileOf(std::string_view bytes, bool one_message) {
  Fd file(::memfd_create("frames", MFD_CLOEXEC));
  Demand(file.valid());
  std::string header;
  if (one_message) {
    const auto length = static_cast<uint32_t>(bytes.size() + 1);
    for (int i = 0; i < 4; ++i) header.push_back(static_cast<char>(length >> (8 * i)));
    header.push_back(static_cast<char>(FrameType::kToWorker));
  }
  for (const std::string_view part : {std::string_view(header), bytes}) {
    Demand(::write(file.get(), part.data(), part.size()) == static_cast<ssize_t>(part.size()));
  }
  Demand(::lseek(file.get(), 0, SEEK_SET) == 0);
  return file;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  static auto* worker = new Worker();
  if (size == 0) return 0;
  const Fd file = FileOf(std::string_view(reinterpret_cast<const char*>(data) + 1, size - 1), data[0] % 2 == 1);
  WorkQueue queue;
  ControlLoop control(file.get(), &queue, [] {});
  for (;;) {
    Result<internal::ToWorker> message = ReadToWorker(file.get());
    if (!message.ok()) {
      Demand(!message.error().message.empty());
      return 0;
    }
    Tame(&*message);
    const bool is_work = !message->has_stop() && !message->has_credit();
    if (const Status taken = control.Take(*std::move(message)); !taken.ok()) {
      Demand(!taken.error().message.empty());
      return 0;
    }
    if (is_work) worker->Serve(queue.Pop());
  }
}
