// Bytes that jobs hold in this process: specs, logs, paths. One Budget per service; a Charge is somebody's share.
#ifndef ASTROLABE_DAEMON_JOBS_BUDGET_H_
#define ASTROLABE_DAEMON_JOBS_BUDGET_H_

#include <atomic>
#include <cstdint>
#include <memory>
#include <utility>

namespace astrolabe::jobs {

class Budget {
 public:
  explicit Budget(int64_t limit_bytes) : limit_(limit_bytes) {}
  int64_t used() const { return used_.load(std::memory_order_relaxed); }
  bool over() const { return used() > limit_; }
  void Add(int64_t bytes) { used_.fetch_add(bytes, std::memory_order_relaxed); }

 private:
  const int64_t limit_;
  std::atomic<int64_t> used_{0};
};

// Gives back what it took when it dies. Not thread-safe.
class Charge {
 public:
  explicit Charge(std::shared_ptr<Budget> budget) : budget_(std::move(budget)) {}
  ~Charge() { Set(0); }
  Charge(const Charge&) = delete;
  Charge& operator=(const Charge&) = delete;

  int64_t bytes() const { return bytes_; }
  void Set(int64_t bytes) { budget_->Add(bytes - std::exchange(bytes_, bytes)); }

 private:
  std::shared_ptr<Budget> budget_;
  int64_t bytes_ = 0;
};

}  // namespace astrolabe::jobs

#endif  // ASTROLABE_DAEMON_JOBS_BUDGET_H_
