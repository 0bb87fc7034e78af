#ifndef ASTROLABE_CLIENT_CLI_NAMED_FAULTS_H_
#define ASTROLABE_CLIENT_CLI_NAMED_FAULTS_H_

#include "absl/status/status.h"
#include "client/cli/result_text.h"

namespace astrolabe::cli {

// The faults of a request about an instance, as text: one a line, each beginning with FILE:LINE:COLUMN where the server
// told a place ("instance:LINE:COLUMN", or in words). A status without violations is returned as it is.
absl::Status NamedFaults(const absl::Status& status, const SourceNames& names);

}  // namespace astrolabe::cli

#endif  // ASTROLABE_CLIENT_CLI_NAMED_FAULTS_H_
