#include "client/cli/final_state.h"

namespace astrolabe::cli {

bool HasFinalState(const client::Result& result) {
  return !result.final_state.empty() || result.objective || result.path != client::Path();
}

absl::Status ReadFinalState(client::Client* client, const std::string& job, const client::Result& result,
                            const std::function<void(std::string_view)>& take) {
  if (!result.final_state.empty()) {
    take(result.final_state);
    return absl::OkStatus();
  }
  return client->ReadContent(job, client::ContentPart::kFinalState, [&](std::string_view chunk) {
    take(chunk);
    return true;
  });
}

}  // namespace astrolabe::cli
