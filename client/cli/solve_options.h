// The options of `solve` as they are typed, and the request they make.
#ifndef ASTROLABE_CLIENT_CLI_SOLVE_OPTIONS_H_
#define ASTROLABE_CLIENT_CLI_SOLVE_OPTIONS_H_

#include <cstdint>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "astrolabe/client/client.h"
#include "client/cli/input.h"
#include "client/cli/limit_flags.h"
#include "client/cli/params.h"
#include "client/cli/result_text.h"

namespace astrolabe::cli {

// The algorithm of --all.
inline constexpr char kAllSolutions[] = "all_solutions";

// Which problem and instance: what `solve` and `validate` share.
struct InstanceOptions {
  std::string file;
  std::string problem;
  std::string goal;
  std::vector<std::string> params;
  std::vector<ParamFlag> flags;
};

enum class EventsWanted { kDefault, kNone, kProgress, kNodes };

struct SolveOptions {
  InstanceOptions instance;
  std::vector<std::string> heuristics;
  std::string combine;
  std::string algorithm;
  uint64_t seed = 0;
  int threads = 0;
  LimitOptions limits;
  std::string tier;
  EventsWanted events = EventsWanted::kDefault;
  std::string node_kinds;  // empty: what is telling of the algorithm
  std::string node_detail;
  std::string trace;
  bool detach = false;
};

// The instance before anything is known of the server.
struct LoadedInstance {
  client::InstanceRef ref;  // without params
  RawParams params;
  std::vector<ParamFlag> flags;
  SourceNames names;
};

// Reads the files. The problem is --problem, else the file's first line "#problem: ID", else sliding_tile.
absl::StatusOr<LoadedInstance> LoadInstance(const InstanceOptions& options);
// The same for text that was read already; options.file is not looked at.
absl::StatusOr<LoadedInstance> LoadInstance(const InstanceOptions& options, Input input);

// Types the parameters by the catalogue; asks the server only when there are any.
absl::StatusOr<client::Params> ProblemParams(const LoadedInstance& instance, client::Client* client);

// Heuristics as typed, ID[@W][:K=V,..] each; asks the server for the types of parameters when there are any.
absl::StatusOr<std::vector<client::HeuristicUse>> ParseHeuristics(const std::vector<std::string>& texts,
                                                                  client::Client* client);

// The request without problem, instance and the problem's parameters. Faults of values are INVALID_ARGUMENT and say
// what was expected.
absl::StatusOr<client::SolveRequest> BuildSearch(const SolveOptions& options, client::Client* client);

// The whole request. Faults of values are INVALID_ARGUMENT and say what was expected.
absl::StatusOr<client::SolveRequest> BuildRequest(const SolveOptions& options, const LoadedInstance& instance,
                                                  client::Client* client);

}  // namespace astrolabe::cli

#endif  // ASTROLABE_CLIENT_CLI_SOLVE_OPTIONS_H_
