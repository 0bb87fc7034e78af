#include "client/cli/moves.h"

namespace astrolabe::cli {
namespace {

constexpr int32_t kMovesOfPage = 20'000;

}  // namespace

absl::Status ForEachMove(client::Client* client, const std::string& job, const client::Path& path,
                         const std::function<void(const std::string&)>& take) {
  if (path.op_names.size() == static_cast<size_t>(path.length)) {
    for (const std::string& name : path.op_names) take(name);
    return absl::OkStatus();
  }
  int64_t taken = 0;
  std::string page;
  do {
    const auto steps = client->ListPathSteps(job, page, kMovesOfPage);
    if (!steps.ok()) break;
    for (const client::PathStep& step : steps->steps) {
      take(step.op_name.empty() ? std::to_string(step.op) : step.op_name);
      ++taken;
    }
    page = steps->next_page_token;
  } while (!page.empty());
  if (taken == path.length) return absl::OkStatus();
  return absl::NotFoundError("the server no longer has the moves of " + job);
}

std::vector<std::string> ShownMoves(client::Client* client, const std::string& job, const client::Path& path) {
  if (path.length > kMaxShownMoves) return {};
  std::vector<std::string> moves;
  if (!ForEachMove(client, job, path, [&](const std::string& move) { moves.push_back(move); }).ok()) moves.clear();
  return moves;
}

}  // namespace astrolabe::cli
