// The services of astrolabe/abi/host.h, one object for each plugin and job (and one for each plugin for
// the life of the process, given to init).
#ifndef ASTROLABE_DAEMON_WORKER_HOST_SERVICES_H_
#define ASTROLABE_DAEMON_WORKER_HOST_SERVICES_H_

#include <chrono>
#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <new>
#include <string>
#include <utility>

#include "astrolabe/abi/host.h"
#include "daemon/worker/frame_writer.h"
#include "daemon/worker/job_control.h"
#include "daemon/worker/leftovers.h"
#include "daemon/worker/log_stream.h"
#include "daemon/worker/memory_budget.h"
#include "daemon/worker/plugin_cache.h"

namespace astrolabe::worker {

// What all plugins of one job share. All pointers outlive the services.
struct JobServices {
  FrameWriter* frames = nullptr;
  LogStream* log = nullptr;
  PluginCache* cache = nullptr;
  MemoryBudget* budget = nullptr;
  JobControl* control = nullptr;  // null: outside jobs, nothing is cancelled
  uint64_t seed = 0;
  int threads = 1;
  std::chrono::milliseconds progress_interval{1000};
  Leftovers* leftovers = nullptr;  // null: what is given back is given back at once
};

class HostServices {
 public:
  // `subject`: what Preparing frames name; the heuristic's id, empty for a problem.
  HostServices(const JobServices& shared, std::string plugin, std::string subject);
  HostServices(const HostServices&) = delete;
  HostServices& operator=(const HostServices&) = delete;

  const astro_host_v1* abi() const { return &abi_; }

 private:
  static HostServices& Of(void* ctx) { return *static_cast<HostServices*>(ctx); }

  bool Stopping() const;
  // Destroys it now, or with the leftovers when the job is to stop.
  template <class T, class Deleter>
  void GiveBack(std::unique_ptr<T, Deleter> thing) const noexcept {
    if (thing == nullptr || shared_.leftovers == nullptr || !Stopping()) return;
    try {
      shared_.leftovers->Keep(std::shared_ptr<const void>(std::move(thing)));
    } catch (const std::bad_alloc&) {  // then now
    }
  }
  void Log(uint32_t level, astro_text text);
  void Progress(astro_text what, double fraction);
  astro_status CacheOpen(const uint8_t* key, astro_mapping_v1* out);
  astro_status CacheCreate(const uint8_t* key, uint64_t size, astro_cache_writer_v1* out);
  astro_status CacheCommit(astro_cache_writer_v1* writer, astro_mapping_v1* out);
  std::unique_ptr<PluginCache::Writer> TakeWriter(const astro_cache_writer_v1* writer);
  void Warn(const std::string& text);

  const JobServices shared_;
  const std::string plugin_;
  const std::string subject_;
  astro_host_v1 abi_{};
  std::mutex mutex_;
  std::map<void*, std::unique_ptr<PluginCache::Writer>> writers_;
  std::chrono::steady_clock::time_point last_progress_{};
  std::string last_what_;
};

}  // namespace astrolabe::worker

#endif  // ASTROLABE_DAEMON_WORKER_HOST_SERVICES_H_
