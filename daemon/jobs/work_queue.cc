#include "daemon/jobs/work_queue.h"

namespace astrolabe::jobs {

WorkQueue::WorkQueue(int threads) {
  for (int i = 0; i < threads; ++i) threads_.emplace_back([this] { Loop(); });
}

WorkQueue::~WorkQueue() { Stop(); }

void WorkQueue::Post(std::function<void()> work) {
  {
    std::lock_guard lock(mu_);
    if (stopped_) return;
    work_.push_back(std::move(work));
  }
  wake_.notify_one();
}

void WorkQueue::Stop() {
  {
    std::lock_guard lock(mu_);
    stopped_ = true;
  }
  wake_.notify_all();
  for (std::thread& thread : threads_) {
    if (thread.joinable()) thread.join();
  }
}

void WorkQueue::Loop() {
  for (;;) {
    std::function<void()> work;
    {
      std::unique_lock lock(mu_);
      wake_.wait(lock, [this] { return stopped_ || !work_.empty(); });
      if (work_.empty()) return;
      work = std::move(work_.front());
      work_.pop_front();
    }
    work();
  }
}

}  // namespace astrolabe::jobs
