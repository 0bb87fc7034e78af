#include "daemon/jobs/kept_content.h"

#include <algorithm>
#include <utility>

namespace astrolabe::jobs {

void KeptContent::Add(internal::v1::JobContent piece) {
  if (content_ == nullptr) {
    content_ = std::make_shared<internal::v1::JobContent>();
    const size_t promised = piece.path_bytes() > 0 ? static_cast<size_t>(piece.path_bytes()) : 0;
    content_->mutable_path_ops()->reserve(std::min(promised, max_path_bytes_));
  }
  std::string& path = *content_->mutable_path_ops();
  path_dropped_ = path_dropped_ || piece.path_ops().size() > max_path_bytes_ - path.size();
  if (path_dropped_) {
    std::string().swap(path);
  } else {
    path += piece.path_ops();
  }
  content_->set_canonical_instance(std::move(*piece.mutable_canonical_instance()));
  content_->set_final_state(std::move(*piece.mutable_final_state()));
}

std::shared_ptr<const internal::v1::JobContent> KeptContent::Take() {
  path_dropped_ = false;
  return std::exchange(content_, nullptr);
}

}  // namespace astrolabe::jobs
