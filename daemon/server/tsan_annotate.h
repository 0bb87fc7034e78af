// Happens-before edges through gRPC, which is not built with ThreadSanitizer: what one callback did
// before it handed something to gRPC is seen by the callback that gets it back. Nothing when not under TSan.
#ifndef ASTROLABE_DAEMON_SERVER_TSAN_ANNOTATE_H_
#define ASTROLABE_DAEMON_SERVER_TSAN_ANNOTATE_H_

#if defined(__SANITIZE_THREAD__)
#define ASTROLABE_TSAN 1
#elif defined(__has_feature)
#if __has_feature(thread_sanitizer)
#define ASTROLABE_TSAN 1
#endif
#endif

#ifdef ASTROLABE_TSAN
#include <mutex>

extern "C" {
void __tsan_acquire(void* address);
void __tsan_release(void* address);
}
#endif

namespace astrolabe::server {

// Call before handing `address` to gRPC (StartWrite, Finish, a slice).
inline void TsanRelease([[maybe_unused]] const void* address) {
#ifdef ASTROLABE_TSAN
  __tsan_release(const_cast<void*>(address));
#endif
}

// Call first in the callback that gets it back (OnWriteDone, OnCancel, OnDone, a slice's destroy).
inline void TsanAcquire([[maybe_unused]] const void* address) {
#ifdef ASTROLABE_TSAN
  __tsan_acquire(const_cast<void*>(address));
#endif
}

// Held around a call into gRPC whose inline half writes what the callback's side reads, such as the text of a status,
// and for a moment at the beginning of that callback.
class TsanHandOver {
 public:
  TsanHandOver() = default;
  TsanHandOver(const TsanHandOver&) = delete;
  TsanHandOver& operator=(const TsanHandOver&) = delete;
  ~TsanHandOver() {}

#ifdef ASTROLABE_TSAN
 private:
  static std::recursive_mutex& Mutex() {
    static std::recursive_mutex mutex;
    return mutex;
  }
  const std::lock_guard<std::recursive_mutex> lock_{Mutex()};
#endif
};

}  // namespace astrolabe::server

#endif  // ASTROLABE_DAEMON_SERVER_TSAN_ANNOTATE_H_
