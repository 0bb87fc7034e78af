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

}  // namespace astrolabe::server

#endif  // ASTROLABE_DAEMON_SERVER_TSAN_ANNOTATE_H_
