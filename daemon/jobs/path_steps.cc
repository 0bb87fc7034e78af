#include "daemon/jobs/path_steps.h"

#include <algorithm>
#include <cstdint>
#include <utility>

#include "daemon/base/counted.h"
#include "daemon/jobs/page.h"

namespace astrolabe::jobs {
namespace {

// The path's moves, wherever they are kept.
class Moves {
 public:
  Moves(const v1::Result& result, const internal::v1::JobContent* content) : path_(result.path()) {
    if (content != nullptr && content->path_ops().size() % 4 == 0) kept_ = &content->path_ops();
    // What came with the result is whole; the kept bytes are only needed when it was too large.
    if (!path_.truncated() || path_.ops_size() == path_.length() || kept_ == nullptr) kept_ = nullptr;
  }
  int64_t size() const { return kept_ ? static_cast<int64_t>(kept_->size() / 4) : path_.ops_size(); }
  uint32_t op(int64_t i) const {
    if (kept_ == nullptr) return path_.ops(static_cast<int>(i));
    uint32_t op = 0;
    for (size_t b = 0; b < 4; ++b) {
      op |= static_cast<uint32_t>(static_cast<unsigned char>((*kept_)[static_cast<size_t>(i) * 4 + b])) << (8 * b);
    }
    return op;
  }

 private:
  const v1::Path& path_;
  const std::string* kept_ = nullptr;
};

Error NoPath(const v1::Result& result) {
  return MakeError(ErrorCode::kFailedPrecondition, "NO_PATH",
                   "the job ended " + v1::Outcome_Name(result.outcome()).substr(8) + " without a path");
}

Error NotKept(const std::string& what) {
  return MakeError(ErrorCode::kFailedPrecondition, "NOT_KEPT", what + " of this job was not kept");
}

}  // namespace

Result<v1::ListPathStepsResponse> PathSteps(const v1::ListPathStepsRequest& request, const v1::Result& result,
                                            const internal::v1::JobContent* content) {
  constexpr size_t kMaxBytes = 900 << 10;  // of one response
  if (!result.has_path()) return NoPath(result);
  const Moves moves(result, content);
  const v1::Path& path = result.path();
  const int64_t total = moves.size();
  if (total < path.length()) return NotKept("the path (" + Counted(path.length(), "move") + ")");
  const bool states_kept = path.states_size() == total + 1;
  if (request.with_states() && !states_kept) {
    return MakeError(ErrorCode::kFailedPrecondition, "STATES_NOT_KEPT",
                     "the states along this path are not kept, it is too large (" + Counted(total, "move") +
                         "): ask without with_states and apply the moves to the initial state");
  }
  Result<Page> page = ParsePage(request.page_size(), request.page_token(),
                                {.unset = 1000, .most = request.with_states() ? 1000 : 100000});
  if (!page.ok()) return std::move(page).error();
  if (page->start > total) return BadPageToken();

  v1::ListPathStepsResponse response;
  response.set_total(total);
  const bool names_kept = path.op_names_size() == total;
  size_t bytes = 0;
  int64_t i = page->start;
  for (const int64_t end = std::min(total, page->start + page->size); i < end && bytes < kMaxBytes; ++i) {
    v1::PathStep* step = response.add_steps();
    step->set_index(i);
    step->set_op(moves.op(i));
    if (names_kept) step->set_op_name(path.op_names(static_cast<int>(i)));
    if (request.with_states()) step->set_state(path.states(static_cast<int>(i + 1)));
    // The costs of single moves are known when there is but one.
    if (total == 1) step->set_cost(result.cost());
    bytes += step->ByteSizeLong() + 4;
  }
  if (i < total) response.set_next_page_token(std::to_string(i));
  return response;
}

Result<std::shared_ptr<const std::string>> ContentPart(v1::ContentPart part, const v1::Result& result,
                                                       const std::shared_ptr<const internal::v1::JobContent>& content) {
  const auto shared = [&](const std::string& text) {  // no copy: the content lives as long as the pointer
    return std::shared_ptr<const std::string>(content, &text);
  };
  switch (part) {
    case v1::CONTENT_PART_FINAL_STATE:
      if (content && !content->final_state().empty()) return shared(content->final_state());
      if (!result.final_state().empty()) return std::make_shared<const std::string>(result.final_state());
      return NotKept("the final state");
    case v1::CONTENT_PART_CANONICAL_INSTANCE:
      if (content && !content->canonical_instance().empty()) return shared(content->canonical_instance());
      return NotKept("the canonical instance");
    case v1::CONTENT_PART_PATH: {
      if (!result.has_path()) return NoPath(result);
      if (content && !content->path_ops().empty()) return shared(content->path_ops());
      if (result.path().ops_size() < result.path().length()) return NotKept("the path");
      std::string bytes;
      for (const uint32_t op : result.path().ops()) {
        for (int b = 0; b < 4; ++b) bytes.push_back(static_cast<char>(op >> (8 * b)));
      }
      return std::make_shared<const std::string>(std::move(bytes));
    }
    default:
      return MakeError(ErrorCode::kInvalidArgument, "INVALID_FIELD",
                       "part: expected FINAL_STATE, CANONICAL_INSTANCE or PATH");
  }
}

}  // namespace astrolabe::jobs
