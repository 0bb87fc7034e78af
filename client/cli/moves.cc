#include "client/cli/moves.h"

#include <charconv>
#include <span>

namespace astrolabe::cli {
namespace {

// An operator without a word.
class Number {
 public:
  explicit Number(uint32_t op) : end_(std::to_chars(text_, text_ + sizeof text_, op).ptr) {}
  std::string_view view() const { return {text_, static_cast<size_t>(end_ - text_)}; }

 private:
  char text_[10];
  const char* end_;
};

}  // namespace

absl::Status ForEachMove(client::Client* client, const std::string& job, const client::Path& path,
                         const std::function<void(std::string_view)>& take) {
  if (path.op_names.size() == static_cast<size_t>(path.length)) {
    for (const std::string& name : path.op_names) take(name);
    return absl::OkStatus();
  }
  int64_t taken = 0;
  const auto take_ops = [&](std::span<const uint32_t> ops) {
    for (const uint32_t op : ops) take(Number(op).view());
    taken += static_cast<int64_t>(ops.size());
    return true;
  };
  if (path.ops.size() == static_cast<size_t>(path.length)) {
    take_ops(path.ops);
    return absl::OkStatus();
  }
  const absl::Status read = client->ReadPath(job, take_ops);
  if (read.ok() && taken == path.length) return absl::OkStatus();
  const std::string why = read.ok() ? "" : ": " + std::string(read.message());
  return absl::NotFoundError("the server no longer has the moves of " + job + why);
}

std::vector<std::string> ShownMoves(client::Client* client, const std::string& job, const client::Path& path) {
  if (path.length > kMaxShownMoves) return {};
  std::vector<std::string> moves;
  if (!ForEachMove(client, job, path, [&](std::string_view move) { moves.emplace_back(move); }).ok()) moves.clear();
  return moves;
}

}  // namespace astrolabe::cli
