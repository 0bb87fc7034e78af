// `pdb build`: a job that solves the goal itself with pattern_database does nothing but build its tables.
#ifndef ASTROLABE_CLIENT_CLI_PDB_BUILD_H_
#define ASTROLABE_CLIENT_CLI_PDB_BUILD_H_

#include <string>

#include "absl/status/statusor.h"
#include "astrolabe/client/result.h"
#include "client/cli/session.h"
#include "client/cli/solve_options.h"

namespace astrolabe::cli {

// As typed; empty: the default that the help tells.
struct PdbBuildOptions {
  std::string preset;
  std::string partition;
  std::string mirror;
  std::string goal;
  std::string size;
  int threads = 0;
  std::string memory_limit;
  std::string time_limit;
};

// The goal as an instance: start and goal are the same board. INVALID_ARGUMENT says what was expected.
absl::StatusOr<LoadedInstance> GoalInstance(const PdbBuildOptions& options);

// The tables that a build used, one a line, and what was done.
std::string BuildText(const client::Result& result);

// Builds what is not there yet. Returns the exit code.
int PdbBuild(const Session& session, const PdbBuildOptions& options);

}  // namespace astrolabe::cli

#endif  // ASTROLABE_CLIENT_CLI_PDB_BUILD_H_
