#include "daemon/server/task_thread.h"

#include <utility>

namespace astrolabe::server {

TaskThread::TaskThread() : thread_([this] { Loop(); }) {}

TaskThread::~TaskThread() { Stop(); }

void TaskThread::Run(std::function<void(bool)> task) {
  {
    const std::lock_guard lock(mutex_);
    if (!stopped_) {
      waiting_.push_back(std::move(task));
      changed_.notify_one();
      return;
    }
  }
  task(false);
}

void TaskThread::Stop() {
  std::deque<std::function<void(bool)>> left;
  {
    const std::lock_guard lock(mutex_);
    stopped_ = true;
    left.swap(waiting_);
    changed_.notify_one();
  }
  for (const auto& task : left) task(false);
  if (thread_.joinable()) thread_.join();
}

void TaskThread::Loop() {
  std::unique_lock lock(mutex_);
  for (;;) {
    changed_.wait(lock, [&] { return stopped_ || !waiting_.empty(); });
    if (stopped_) return;
    const std::function<void(bool)> task = std::move(waiting_.front());
    waiting_.pop_front();
    lock.unlock();
    task(true);
    lock.lock();
  }
}

}  // namespace astrolabe::server
