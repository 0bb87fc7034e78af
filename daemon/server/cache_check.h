// The check of the plugin cache that runs once, in the background, when the daemon has started.
#ifndef ASTROLABE_DAEMON_SERVER_CACHE_CHECK_H_
#define ASTROLABE_DAEMON_SERVER_CACHE_CHECK_H_

#include <atomic>
#include <functional>
#include <string_view>
#include <thread>

#include "daemon/server/cache_store.h"

namespace astrolabe::server {

// Removes what killed workers left, then reads every file in full, which removes the damaged ones (cache_store.h):
// workers, which have no time for that, read large files in samples. At the lowest priority.
class CacheCheck {
 public:
  // `store` outlives it. `log`: called on the thread of the check.
  CacheCheck(CacheStore* store, std::function<void(std::string_view level, std::string_view text)> log);
  // Ends the check within the time that one block takes.
  ~CacheCheck();
  CacheCheck(const CacheCheck&) = delete;
  CacheCheck& operator=(const CacheCheck&) = delete;

 private:
  void Run();

  CacheStore* const store_;
  const std::function<void(std::string_view level, std::string_view text)> log_;
  std::atomic<bool> stop_{false};
  std::thread thread_;
};

}  // namespace astrolabe::server

#endif  // ASTROLABE_DAEMON_SERVER_CACHE_CHECK_H_
