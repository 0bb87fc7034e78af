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
void AnnotateIgnoreReadsBegin(const char* file, int line);
void AnnotateIgnoreReadsEnd(const char* file, int line);
void AnnotateIgnoreWritesBegin(const char* file, int line);
void AnnotateIgnoreWritesEnd(const char* file, int line);
}
#endif

namespace astrolabe::server {

// Call before handing `address` to gRPC (a slice); for a reactor's calls see TsanHandOver.
inline void TsanRelease([[maybe_unused]] const void* address) {
#ifdef ASTROLABE_TSAN
  __tsan_release(const_cast<void*>(address));
#endif
}

// Call first in the callback that gets it back (OnDone, a slice's destroy); for a reactor's others see TsanCallback.
inline void TsanAcquire([[maybe_unused]] const void* address) {
#ifdef ASTROLABE_TSAN
  __tsan_acquire(const_cast<void*>(address));
#endif
}

// Held around a reactor's call into gRPC (StartWrite, Finish, ...), and around nothing else. What this thread did
// before happens before the callback. The inline half of that call keeps its backlog under a mutex that TSan does not
// know: a call made before the method has returned its reactor would be reported against the thread that returns it,
// and what it still reads of the reactor against OnDone. These accesses, all of them gRPC's, are not recorded.
class TsanHandOver {
 public:
  explicit TsanHandOver(const void* reactor) {
    TsanRelease(reactor);
#ifdef ASTROLABE_TSAN
    AnnotateIgnoreReadsBegin(__FILE__, __LINE__);
    AnnotateIgnoreWritesBegin(__FILE__, __LINE__);
#endif
  }
  TsanHandOver(const TsanHandOver&) = delete;
  TsanHandOver& operator=(const TsanHandOver&) = delete;
  ~TsanHandOver() {
#ifdef ASTROLABE_TSAN
    AnnotateIgnoreWritesEnd(__FILE__, __LINE__);
    AnnotateIgnoreReadsEnd(__FILE__, __LINE__);
#endif
  }
};

// First in a reactor's callbacks other than OnDone, and held to their end: gRPC counts those that run, and calls OnDone
// when none does, but counts where TSan does not see it.
class TsanCallback {
 public:
  explicit TsanCallback(const void* reactor) : reactor_(reactor) { TsanAcquire(reactor); }
  TsanCallback(const TsanCallback&) = delete;
  TsanCallback& operator=(const TsanCallback&) = delete;
  ~TsanCallback() { TsanRelease(reactor_); }

 private:
  const void* const reactor_;
};

}  // namespace astrolabe::server

#endif  // ASTROLABE_DAEMON_SERVER_TSAN_ANNOTATE_H_
