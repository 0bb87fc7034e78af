// Prefetch: asks for cache lines before they are read.
#ifndef ASTROLABE_DAEMON_ENGINE_STRUCTURES_PREFETCH_H_
#define ASTROLABE_DAEMON_ENGINE_STRUCTURES_PREFETCH_H_

#include <cstddef>

namespace astrolabe::engine {

// Must be inlined into what uses it, and so must all between: gcc 12 takes a function that only
// prefetches for one without effect and drops its calls.
#define ASTROLABE_ENGINE_INLINE [[gnu::always_inline]] inline

template <size_t kBytes>
ASTROLABE_ENGINE_INLINE void Prefetch(const void* p) {
  for (size_t at = 0; at < kBytes; at += 64) __builtin_prefetch(static_cast<const std::byte*>(p) + at);
}

}  // namespace astrolabe::engine

#endif  // ASTROLABE_DAEMON_ENGINE_STRUCTURES_PREFETCH_H_
