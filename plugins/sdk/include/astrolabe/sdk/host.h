// The host's services for plugin code.
#ifndef ASTROLABE_SDK_HOST_H_
#define ASTROLABE_SDK_HOST_H_

#include <cstdint>
#include <string_view>

#include "astrolabe/abi/host.h"
#include "astrolabe/sdk/error.h"
#include "astrolabe/sdk/text.h"

namespace astro {

// Passed to constructors and Build that ask for it. Copyable; lives as long as the object it was
// given to. Thread tags as in astro_host_v1.
class Host {
 public:
  explicit Host(const astro_host_v1* host) : host_(host) {}

  void Log(uint32_t level, std::string_view text) const { host_->log(host_->ctx, level, ToText(text)); }
  void Info(std::string_view text) const { Log(ASTRO_LOG_INFO, text); }
  void Warning(std::string_view text) const { Log(ASTRO_LOG_WARNING, text); }

  bool cancelled() const { return host_->is_cancelled(host_->ctx) != 0; }
  // For long work, every few thousand steps: throws Cancelled when the job should stop.
  void CheckCancelled() const {
    if (cancelled()) throw Cancelled();
  }
  // fraction 0..1; negative: unknown.
  void Progress(std::string_view what, double fraction) const { host_->progress(host_->ctx, ToText(what), fraction); }
  uint64_t seed() const { return host_->seed(host_->ctx); }

  // Runs task(i) for i in [0, count) on the job's threads; only inside Build. Tasks must not throw.
  template <class Task>
  void ParallelFor(uint64_t count, const Task& task) const {
    host_->parallel_for(
        host_->ctx, count, [](void* arg, uint64_t i) noexcept { (*static_cast<const Task*>(arg))(i); },
        const_cast<Task*>(&task));
  }

  const astro_host_v1* raw() const { return host_; }

 private:
  const astro_host_v1* host_;
};

}  // namespace astro

#endif  // ASTROLABE_SDK_HOST_H_
