// What the worker needs of a plugin's manifest: ids, layouts, defaults of parameters, an example.
#ifndef ASTROLABE_DAEMON_WORKER_MANIFEST_H_
#define ASTROLABE_DAEMON_WORKER_MANIFEST_H_

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "daemon/engine/search.h"

namespace astrolabe::worker {

using ParamMap = std::map<std::string, engine::ParamValue>;

struct ManifestProblem {
  std::string id;
  std::string state_layout;
  ParamMap defaults;
  std::optional<std::string> first_example;
};

struct ManifestHeuristic {
  std::string id;
  std::string problem;
  std::string state_layout;
  ParamMap defaults;
  std::string objective_name;  // empty: none was given
};

struct Manifest {
  std::string id;
  std::string version;
  uint32_t abi_major = 0;
  uint32_t abi_minor = 0;
  uint32_t min_host_minor = 0;
  std::vector<ManifestProblem> problems;
  std::vector<ManifestHeuristic> heuristics;
};

// nullopt: not JSON of the expected shape; `why` says where.
std::optional<Manifest> ParseManifest(std::string_view json, std::string* why);

}  // namespace astrolabe::worker

#endif  // ASTROLABE_DAEMON_WORKER_MANIFEST_H_
