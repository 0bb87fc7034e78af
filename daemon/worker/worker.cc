#include "daemon/worker/worker.h"

#include <unistd.h>

#include <cstdio>

#include "astrolabe/abi/types.h"
#include "daemon/worker/algorithm_catalog.h"
#include "daemon/worker/check_path.h"
#include "daemon/worker/code_map.h"
#include "daemon/worker/control_loop.h"
#include "daemon/worker/crash_reporter.h"
#include "daemon/worker/evaluate.h"
#include "daemon/worker/job_run.h"
#include "daemon/worker/probe.h"
#include "daemon/worker/process_setup.h"
#include "daemon/worker/process_snapshot.h"
#include "daemon/worker/validate.h"
#include "daemon/worker/whereabouts.h"

namespace astrolabe::worker {
namespace {

// Everything with the life of the process; never destroyed, because plugins' threads may still run.
struct Process {
  Process(int fd, const std::string& cache_dir)
      : frames(fd), stage(&frames), log(&frames), cache(cache_dir), budget(0), control(fd, &queue, [this] {
          BlameThePluginThatRuns();
        }) {
    services.frames = &frames;
    services.log = &log;
    services.cache = &cache;
    services.budget = &budget;
    plugins = std::make_unique<PluginHost>(&stage, &code, services);
    context = {&frames, &stage, &log, &cache, plugins.get()};
  }

  // The stage stays as it is; only the daemon's idea of whose fault a kill is changes.
  void BlameThePluginThatRuns() {
    const StageRecord* now = stage.current();
    const char* plugin = PluginThatRuns(*work_thread);
    if (now == nullptr || now->stage.empty() || plugin == nullptr) return;
    if (stage.current() != now) return;  // it went on: not after the Result of a job that ended meanwhile
    internal::v1::ToDaemon message;
    message.mutable_stage()->set_plugin(plugin);
    message.mutable_stage()->set_stage(now->stage);
    frames.Send(message);
  }

  FrameWriter frames;
  StageTracker stage;
  LogStream log;
  PluginCache cache;
  MemoryBudget budget;  // of init, outside jobs
  CodeMap code;
  WorkQueue queue;
  ControlLoop control;
  JobServices services;
  std::unique_ptr<PluginHost> plugins;
  WorkerContext context;
  std::optional<pthread_t> work_thread;
  uint32_t floating_point = FloatingPointControl();
};

void SendHello(FrameWriter& frames) {
  internal::v1::ToDaemon message;
  internal::v1::Hello& hello = *message.mutable_hello();
  hello.set_pid(::getpid());
  hello.set_abi_major(ASTRO_ABI_MAJOR);
  hello.set_abi_minor(ASTRO_ABI_MINOR);
  for (const engine::AlgorithmDescription& algorithm : engine::Algorithms()) {
    FillAlgorithm(algorithm, *hello.add_algorithms());
  }
  frames.Send(message);
}

void RunPreload(const WorkerContext& worker, const internal::v1::Preload& request) {
  internal::v1::ToDaemon message;
  internal::v1::PreloadDone& done = *message.mutable_preloaded();
  for (const internal::v1::PluginFile& file : request.plugins()) {
    auto loaded = LoadAndTell(worker, file);
    if (const auto* fault = std::get_if<LoadFault>(&loaded)) {
      *done.mutable_failure() = ToFailure(*fault, file.id());
      message.set_recycle("the plugin " + file.id() + " could not be loaded");
      break;
    }
  }
  worker.stage->Leave();
  worker.frames->Send(message);
}

// The daemon sends nothing else between a CheckPath and its end.
internal::v1::PathPiece NextPiece(WorkQueue& queue) {
  WorkItem item = queue.Pop();
  if (item.message.has_path_piece()) return std::move(*item.message.mutable_path_piece());
  std::fprintf(stderr, "astrolabe-worker: expected a piece of a path, not message %d\n",
               static_cast<int>(item.message.message_case()));
  std::fflush(stderr);
  ::_exit(kProtocolExit);
}

void ServeWork(void* arg) {
  Process& process = *static_cast<Process*>(arg);
  for (;;) {
    WorkItem item = process.queue.Pop();
    SetFloatingPointControl(process.floating_point);
    if (item.message.has_run()) {
      JobRun(process.context, item.message.run(), item.control.get()).Run();
    } else if (item.message.has_validate()) {
      RunValidate(process.context, item.message.validate());
    } else if (item.message.has_evaluate()) {
      RunEvaluate(process.context, item.message.evaluate());
    } else if (item.message.has_check_path()) {
      RunCheckPath(process.context, item.message.check_path(), [&process] { return NextPiece(process.queue); });
    } else if (item.message.has_preload()) {
      RunPreload(process.context, item.message.preload());
    }
  }
}

}  // namespace

void RunWorker(int fd, const std::string& cache_dir) {
  SetUpProcess();
  auto* process = new Process(fd, cache_dir);
  InstallCrashReporter(&process->frames, &process->stage, &process->code);
  InstallWhereabouts();
  SendHello(process->frames);
  internal::v1::ToWorker first = process->control.ReadMessage();
  if (first.has_probe()) {
    const ThreadCrashScope crash_scope;
    RunProbe(process->context, first.probe());
    ::_exit(0);
  }
  process->work_thread = StartWorkThread(&ServeWork, process);
  if (!process->work_thread) {
    std::fprintf(stderr, "astrolabe-worker: the work thread cannot be started\n");
    ::_exit(1);
  }
  process->control.Run(std::move(first));
}

}  // namespace astrolabe::worker
