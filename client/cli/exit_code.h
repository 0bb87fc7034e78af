// Exit codes of the command, in one place. Scripts depend on them: they never change.
#ifndef ASTROLABE_CLIENT_CLI_EXIT_CODE_H_
#define ASTROLABE_CLIENT_CLI_EXIT_CODE_H_

#include <string>

#include "absl/status/status.h"
#include "astrolabe/client/result.h"

namespace astrolabe::cli {

enum ExitCode : int {
  kExitSolved = 0,
  kExitInternal = 1,
  kExitUsage = 2,
  kExitCannotConnect = 3,
  kExitNotAuthorised = 4,
  kExitNotFound = 5,
  kExitBadInput = 6,  // a bad instance or parameter
  kExitUnavailable = 7,
  kExitUnsolvable = 10,
  kExitLimitBestFound = 11,
  kExitLimitNothingFound = 12,
  kExitCancelled = 13,
  kExitPluginFailed = 14,
  kExitLocalOptimum = 15,
  kExitInterrupted = 16,
  kExitWrongPath = 17,  // not possible, or not to the goal
  kExitDamaged = 18,    // data of the server, such as a table, is damaged
};

// A fault of the command line that only the server's catalogue could tell: kExitUsage.
absl::Status UsageFault(const std::string& message);

ExitCode ExitCodeOf(const client::Result& result);
ExitCode ExitCodeOf(const absl::Status& status);

}  // namespace astrolabe::cli

#endif  // ASTROLABE_CLIENT_CLI_EXIT_CODE_H_
