// The state that a job ended with, wherever it is: in the Result, or with the server when it is large.
#ifndef ASTROLABE_CLIENT_CLI_FINAL_STATE_H_
#define ASTROLABE_CLIENT_CLI_FINAL_STATE_H_

#include <functional>
#include <string>
#include <string_view>

#include "absl/status/status.h"
#include "astrolabe/client/client.h"

namespace astrolabe::cli {

// There is one: the end of a found path, or the best state of a local search.
bool HasFinalState(const client::Result& result);

// Calls `take` with its text, piece by piece. Precondition HasFinalState. FAILED_PRECONDITION or NOT_FOUND when the
// server no longer has it.
absl::Status ReadFinalState(client::Client* client, const std::string& job, const client::Result& result,
                            const std::function<void(std::string_view)>& take);

}  // namespace astrolabe::cli

#endif  // ASTROLABE_CLIENT_CLI_FINAL_STATE_H_
