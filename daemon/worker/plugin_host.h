// PluginHost: the plugins this process has loaded, at most one generation of each id. Used by the work
// thread alone.
#ifndef ASTROLABE_DAEMON_WORKER_PLUGIN_HOST_H_
#define ASTROLABE_DAEMON_WORKER_PLUGIN_HOST_H_

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "astrolabe/internal/v1/frames.pb.h"
#include "daemon/worker/crash_reporter.h"
#include "daemon/worker/host_services.h"
#include "daemon/worker/plugin_checks.h"

namespace astrolabe::worker {

// One plugin, loaded and initialised. All texts are copies. Lives until the process ends.
struct LoadedPlugin {
  std::string path;
  Manifest manifest;
  std::vector<ProblemRef> problems;
  std::vector<HeuristicRef> heuristics;
  std::vector<std::string> warnings;
};

class PluginHost {
 public:
  // `process_services` serve outside jobs and live as long as the process.
  PluginHost(StageTracker* stage, CodeMap* code, const JobServices& process_services)
      : stage_(stage), code_(code), process_services_(process_services) {}
  PluginHost(const PluginHost&) = delete;
  PluginHost& operator=(const PluginHost&) = delete;

  // Loads and initialises `file` unless it is loaded already. `section_manifest`, when given, must equal
  // the manifest in memory. On a fault nothing is kept; the library's code stays mapped.
  std::variant<const LoadedPlugin*, LoadFault> Load(const internal::v1::PluginFile& file,
                                                    const std::string* section_manifest = nullptr);

  // Null: not loaded.
  const LoadedPlugin* Find(std::string_view id) const;

 private:
  MaybeFault LoadInto(LoadedPlugin& plugin, const internal::v1::PluginFile& file, const std::string* section_manifest);
  MaybeFault Init(const astro_plugin_v1& descriptor, LoadedPlugin& plugin);

  StageTracker* const stage_;
  CodeMap* const code_;
  const JobServices process_services_;
  std::vector<std::unique_ptr<LoadedPlugin>> plugins_;
  // What each init got, also of those that failed: a plugin may hold on to it, in a thread perhaps.
  std::vector<std::unique_ptr<HostServices>> hosts_;
};

}  // namespace astrolabe::worker

#endif  // ASTROLABE_DAEMON_WORKER_PLUGIN_HOST_H_
