#include "daemon/worker/job_control.h"

namespace astrolabe::worker {

void CreditGate::Add(int64_t bytes) {
  std::lock_guard<std::mutex> lock(mutex_);
  if (__builtin_add_overflow(credit_, bytes, &credit_)) credit_ = INT64_MAX;
  changed_.notify_all();
}

void CreditGate::Open() {
  std::lock_guard<std::mutex> lock(mutex_);
  open_ = true;
  changed_.notify_all();
}

bool CreditGate::Take(int64_t bytes, const Deadline& deadline) {
  std::unique_lock<std::mutex> lock(mutex_);
  if (deadline) {
    if (!changed_.wait_until(lock, *deadline, [this] { return HasCredit(); })) return false;
  } else {
    changed_.wait(lock, [this] { return HasCredit(); });
  }
  credit_ -= bytes;
  return true;
}

bool CreditGate::TryTake(int64_t bytes) {
  std::lock_guard<std::mutex> lock(mutex_);
  if (!HasCredit()) return false;
  credit_ -= bytes;
  return true;
}

void CreditGate::Overdraw(int64_t bytes) {
  std::lock_guard<std::mutex> lock(mutex_);
  credit_ -= bytes;
}

}  // namespace astrolabe::worker
