// Bytes of the requests that are being looked at: from the moment when all of one is there until its handler is done
// with it. Whoever comes when they are used up is told to try again; nobody else notices.
#ifndef ASTROLABE_DAEMON_SERVER_REQUEST_BUDGET_H_
#define ASTROLABE_DAEMON_SERVER_REQUEST_BUDGET_H_

#include <atomic>
#include <cstdint>
#include <limits>
#include <string>
#include <utility>

#include "daemon/base/result.h"

namespace astrolabe::server {

// Thread-safe.
class RequestBudget {
 public:
  // A request is parsed, and its spec is checked in a copy with the defaults filled in; with the bytes that came.
  static constexpr int64_t kCopies = 3;

  // Given back when it dies.
  class Share {
   public:
    Share() = default;
    Share(RequestBudget* budget, int64_t bytes) : budget_(budget), bytes_(bytes) {}
    Share(Share&& other) noexcept : budget_(std::exchange(other.budget_, nullptr)), bytes_(other.bytes_) {}
    Share& operator=(Share&& other) noexcept {
      std::swap(budget_, other.budget_);
      std::swap(bytes_, other.bytes_);
      return *this;
    }
    ~Share() {
      if (budget_ != nullptr) budget_->used_.fetch_sub(bytes_, std::memory_order_relaxed);
    }

   private:
    RequestBudget* budget_ = nullptr;
    int64_t bytes_ = 0;
  };

  // Before the first request.
  void SetLimit(int64_t bytes) { limit_ = bytes; }

  // kResourceExhausted with a time after which to try again.
  Result<Share> Take(int64_t request_bytes) {
    const int64_t bytes = kCopies * request_bytes;
    const int64_t used = used_.fetch_add(bytes, std::memory_order_relaxed);
    Share share(this, bytes);
    if (used + bytes <= limit_) return share;
    return Exhausted(request_bytes);
  }

  static Error Exhausted(int64_t request_bytes) {
    Error error = MakeError(ErrorCode::kResourceExhausted, "SERVER_MEMORY",
                            "the server has no memory for a request of " + std::to_string(request_bytes) +
                                " bytes beside those that it is reading: try again, or send fewer at once");
    error.metadata = {{"request_bytes", std::to_string(request_bytes)}};
    error.retry_after = std::chrono::seconds(1);
    return error;
  }

 private:
  int64_t limit_ = std::numeric_limits<int64_t>::max();
  std::atomic<int64_t> used_{0};
};

}  // namespace astrolabe::server

#endif  // ASTROLABE_DAEMON_SERVER_REQUEST_BUDGET_H_
