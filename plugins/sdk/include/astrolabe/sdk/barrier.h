// The one place where exceptions become what the ABI knows. Every function that the host calls runs
// inside one of these two.
#ifndef ASTROLABE_SDK_BARRIER_H_
#define ASTROLABE_SDK_BARRIER_H_

#include <exception>
#include <new>
#include <string_view>
#include <utility>

#include "astrolabe/abi/host.h"
#include "astrolabe/sdk/diagnostics.h"
#include "astrolabe/sdk/error.h"
#include "astrolabe/sdk/text.h"

namespace astro::internal {

// Tells the host that an exception reached the boundary. Call it in a catch block. A host ends the job
// here; the fake host of the tests returns.
inline void FailWithCurrentException(const astro_host_v1* host, std::string_view function) noexcept {
  if (host == nullptr || host->fail == nullptr) return;
  try {
    throw;
  } catch (const std::exception& error) {
    host->fail(host->ctx, ToText(function), ToText(error.what()));
  } catch (...) {
    host->fail(host->ctx, ToText(function), ToText("an exception that is not a std::exception"));
  }
}

// For calls that cannot report an error. `fallback` is returned only by hosts whose fail returns.
template <class Body, class Fallback>
[[gnu::always_inline]] inline auto Guard(const astro_host_v1* host, std::string_view function, Fallback fallback,
                                         Body&& body) noexcept -> decltype(body()) {
  try {
    return std::forward<Body>(body)();
  } catch (...) {
    FailWithCurrentException(host, function);
    return static_cast<decltype(body())>(fallback);
  }
}

template <class Body>
[[gnu::always_inline]] inline void GuardVoid(const astro_host_v1* host, std::string_view function,
                                             Body&& body) noexcept {
  try {
    std::forward<Body>(body)();
  } catch (...) {
    FailWithCurrentException(host, function);
  }
}

// For calls that return a status. `field` is what a refusal is about. body: (Diagnostics&) -> status.
template <class Body>
astro_status GuardStatus(const astro_host_v1* host, std::string_view function, std::string_view field,
                         const astro_diagnostics* sink, Body&& body) noexcept {
  try {
    Diagnostics diagnostics(sink);
    try {
      return std::forward<Body>(body)(diagnostics);
    } catch (const Refused& refused) {
      diagnostics.Error(std::string(field)).Message(refused.what()).Hint(refused.hint());
      return ASTRO_REFUSED;
    }
  } catch (const Cancelled&) {
    return ASTRO_CANCELLED;
  } catch (const std::bad_alloc&) {
    return ASTRO_NO_MEMORY;
  } catch (...) {
    FailWithCurrentException(host, function);
    return ASTRO_INTERNAL;
  }
}

}  // namespace astro::internal

#endif  // ASTROLABE_SDK_BARRIER_H_
