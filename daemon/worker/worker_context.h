// What every piece of work in this process shares.
#ifndef ASTROLABE_DAEMON_WORKER_WORKER_CONTEXT_H_
#define ASTROLABE_DAEMON_WORKER_WORKER_CONTEXT_H_

#include "daemon/worker/frame_writer.h"
#include "daemon/worker/log_stream.h"
#include "daemon/worker/plugin_cache.h"
#include "daemon/worker/plugin_host.h"
#include "daemon/worker/stage.h"

namespace astrolabe::worker {

struct WorkerContext {
  FrameWriter* frames = nullptr;
  StageTracker* stage = nullptr;
  LogStream* log = nullptr;
  PluginCache* cache = nullptr;
  PluginHost* plugins = nullptr;
};

// Loads `file` unless it is loaded, and tells the daemon of it when it was loaded now.
std::variant<const LoadedPlugin*, LoadFault> LoadAndTell(const WorkerContext& worker,
                                                         const internal::v1::PluginFile& file);

// A load fault as the failure of a job.
v1::PluginFailure ToFailure(const LoadFault& fault, const std::string& plugin);

}  // namespace astrolabe::worker

#endif  // ASTROLABE_DAEMON_WORKER_WORKER_CONTEXT_H_
