// What a worker leaves of a job, put together from its pieces.
#ifndef ASTROLABE_DAEMON_JOBS_KEPT_CONTENT_H_
#define ASTROLABE_DAEMON_JOBS_KEPT_CONTENT_H_

#include <cstddef>
#include <memory>

#include "astrolabe/internal/v1/frames.pb.h"

namespace astrolabe::jobs {

// Not thread-safe.
class KeptContent {
 public:
  // 32 million moves; a worker keeps to it (daemon/worker/result_builder.h).
  static constexpr size_t kMaxPathBytes = size_t{128} << 20;

  explicit KeptContent(size_t max_path_bytes = kMaxPathBytes) : max_path_bytes_(max_path_bytes) {}

  // Joins the moves; texts are those of the last piece. A path above the limit is not kept.
  void Add(internal::v1::JobContent piece);

  // Null when there was no piece. Empty afterwards.
  std::shared_ptr<const internal::v1::JobContent> Take();

 private:
  const size_t max_path_bytes_;
  std::shared_ptr<internal::v1::JobContent> content_;
  bool path_dropped_ = false;
};

}  // namespace astrolabe::jobs

#endif  // ASTROLABE_DAEMON_JOBS_KEPT_CONTENT_H_
