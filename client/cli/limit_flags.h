// The limits of a job as they are typed: what `solve`, `bench` and `jobs update` share.
#ifndef ASTROLABE_CLIENT_CLI_LIMIT_FLAGS_H_
#define ASTROLABE_CLIENT_CLI_LIMIT_FLAGS_H_

#include <CLI/CLI.hpp>
#include <string>

#include "absl/status/status.h"
#include "astrolabe/client/job.h"

namespace astrolabe::cli {

// Empty: not given.
struct LimitOptions {
  std::string time;
  std::string memory;
  std::string expansions;
  std::string generated;
  std::string cost;
  std::string queue_time;
};

// `zero` tells in the help what a limit of 0 is.
void AddLimitFlags(CLI::App* command, const std::string& zero, LimitOptions* options);

// What was given goes to *limits. INVALID_ARGUMENT names the option and what was expected.
absl::Status SetLimits(const LimitOptions& options, client::Limits* limits);

}  // namespace astrolabe::cli

#endif  // ASTROLABE_CLIENT_CLI_LIMIT_FLAGS_H_
