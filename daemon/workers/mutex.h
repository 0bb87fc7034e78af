// A mutex that clang's thread-safety analysis can check (-Wthread-safety; other compilers ignore it).
#ifndef ASTROLABE_DAEMON_WORKERS_MUTEX_H_
#define ASTROLABE_DAEMON_WORKERS_MUTEX_H_

#include <chrono>
#include <condition_variable>
#include <mutex>

#if defined(__clang__)
#define ASTROLABE_TSA(x) __attribute__((x))
#else
#define ASTROLABE_TSA(x)
#endif
#define ASTROLABE_GUARDED_BY(mutex) ASTROLABE_TSA(guarded_by(mutex))
#define ASTROLABE_REQUIRES(mutex) ASTROLABE_TSA(requires_capability(mutex))
#define ASTROLABE_EXCLUDES(mutex) ASTROLABE_TSA(locks_excluded(mutex))

namespace astrolabe {

class ASTROLABE_TSA(capability("mutex")) Mutex {
 public:
  void Lock() ASTROLABE_TSA(acquire_capability()) { mutex_.lock(); }
  void Unlock() ASTROLABE_TSA(release_capability()) { mutex_.unlock(); }

 private:
  friend class CondVar;
  std::mutex mutex_;
};

class ASTROLABE_TSA(scoped_lockable) MutexLock {
 public:
  explicit MutexLock(Mutex* mutex) ASTROLABE_TSA(acquire_capability(mutex)) : mutex_(mutex) { mutex_->Lock(); }
  ~MutexLock() ASTROLABE_TSA(release_capability()) { mutex_->Unlock(); }
  MutexLock(const MutexLock&) = delete;
  MutexLock& operator=(const MutexLock&) = delete;

 private:
  Mutex* mutex_;
};

// Spurious wake-ups happen: wait in a loop over the condition.
class CondVar {
 public:
  void Wait(Mutex* mutex) ASTROLABE_REQUIRES(mutex) {
    std::unique_lock<std::mutex> lock(mutex->mutex_, std::adopt_lock);
    condition_.wait(lock);
    lock.release();
  }
  // False when the deadline has passed.
  bool WaitUntil(Mutex* mutex, std::chrono::steady_clock::time_point deadline) ASTROLABE_REQUIRES(mutex) {
    std::unique_lock<std::mutex> lock(mutex->mutex_, std::adopt_lock);
    const bool in_time = condition_.wait_until(lock, deadline) == std::cv_status::no_timeout;
    lock.release();
    return in_time;
  }
  void NotifyAll() { condition_.notify_all(); }

 private:
  std::condition_variable condition_;
};

}  // namespace astrolabe

#endif  // ASTROLABE_DAEMON_WORKERS_MUTEX_H_
