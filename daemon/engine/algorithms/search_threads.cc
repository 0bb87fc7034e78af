#include "daemon/engine/algorithms/search_threads.h"

#include <thread>
#include <utility>

namespace astrolabe::engine {
namespace {

constexpr std::chrono::milliseconds kPollInterval{5};

}  // namespace

bool SearchThreads::Run(const std::function<void(int)>& body, const std::function<bool()>& poll,
                        const std::function<void()>& wake) {
  stop_ = false;
  error_ = nullptr;
  wake_ = wake;
  bool started = true;
  if (alone()) {
    poll_inline_ = &poll;
    polled_at_ = Clock::now();
    Guarded([&] { body(0); });
    poll_inline_ = nullptr;
  } else {
    running_ = count_;
    std::atomic<int> next{0};
    const std::thread::id caller = std::this_thread::get_id();
    started = starter_->Run(count_ + 1, [&](int) {
      if (std::this_thread::get_id() == caller) return Guarded([&] { Wait(poll); });
      const int index = next.fetch_add(1);
      Guarded([&] { body(index); });
      const std::lock_guard<std::mutex> lock(mutex_);
      --running_;
      changed_.notify_all();
    });
  }
  if (error_ != nullptr) std::rethrow_exception(std::exchange(error_, nullptr));
  return started;
}

void SearchThreads::Stop() {
  stop_.store(true, std::memory_order_relaxed);
  if (wake_) wake_();
}

bool SearchThreads::GoOnInline() {
  if (stop_.load(std::memory_order_relaxed)) return false;
  const Clock::time_point now = Clock::now();
  if (now - polled_at_ < kPollInterval) return true;
  polled_at_ = now;
  if (!(*poll_inline_)()) Stop();
  return !stop_.load(std::memory_order_relaxed);
}

void SearchThreads::Guarded(const std::function<void()>& call) {
  try {
    call();
  } catch (...) {
    {
      const std::lock_guard<std::mutex> lock(mutex_);
      if (error_ == nullptr) error_ = std::current_exception();
    }
    Stop();
  }
}

void SearchThreads::Wait(const std::function<bool()>& poll) {
  std::unique_lock<std::mutex> lock(mutex_);
  while (!changed_.wait_for(lock, kPollInterval, [this] { return running_ == 0; })) {
    lock.unlock();
    if (!poll()) Stop();
    lock.lock();
  }
}

}  // namespace astrolabe::engine
