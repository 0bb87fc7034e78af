// Is this object really a plugin of our ABI? Everything a descriptor says is checked before it is used.
#ifndef ASTROLABE_DAEMON_WORKER_PLUGIN_CHECKS_H_
#define ASTROLABE_DAEMON_WORKER_PLUGIN_CHECKS_H_

#include <string>
#include <vector>

#include "astrolabe/abi/plugin.h"
#include "daemon/worker/load_fault.h"
#include "daemon/worker/manifest.h"
#include "daemon/worker/plugin_library.h"

namespace astrolabe::worker {

// Largest struct of the ABI that is believed.
inline constexpr uint32_t kMaxAbiStruct = 4096;

// Magic, sizes, versions, function pointers, and that the manifest lies inside the library.
MaybeFault CheckDescriptor(const astro_plugin_v1& plugin, const PluginLibrary& library);

// Sizes and mandatory function pointers of one vtable; `what` names it in the fault.
MaybeFault CheckProblemVtable(const astro_problem_v1* problem, const std::string& what);
MaybeFault CheckHeuristicVtable(const astro_heuristic_v1* heuristic, const std::string& what);

// A copy of an entry; the vtables are static data of the library, which is never unloaded.
struct ProblemRef {
  std::string id;
  std::string state_layout;
  const astro_problem_v1* vtable = nullptr;
};
struct HeuristicRef {
  std::string id;
  std::string state_layout;
  const astro_heuristic_v1* vtable = nullptr;
};

// Reads and checks all entries and compares them with the manifest. Calls the plugin.
MaybeFault ReadEntries(const astro_plugin_v1& plugin, const Manifest& manifest, std::vector<ProblemRef>* problems,
                       std::vector<HeuristicRef>* heuristics);

}  // namespace astrolabe::worker

#endif  // ASTROLABE_DAEMON_WORKER_PLUGIN_CHECKS_H_
