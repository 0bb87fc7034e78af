// What Prometheus scrapes: made at the moment of the scrape from counters and loads that exist anyway.
#ifndef ASTROLABE_DAEMON_SERVER_METRICS_H_
#define ASTROLABE_DAEMON_SERVER_METRICS_H_

#include <prometheus/collectable.h>
#include <prometheus/metric_family.h>

#include <atomic>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>
#include <vector>

#include "daemon/base/result.h"

namespace prometheus {
class Exposer;
}

namespace astrolabe::server {

// The outcome named in a job's last line of log ("SOLVED", also written OUTCOME_SOLVED); empty: it names none.
std::string OutcomeIn(std::string_view log_line);

// Jobs that ended, by outcome ("SOLVED"). Thread-safe.
class OutcomeCounters {
 public:
  void Count(std::string_view outcome);
  std::map<std::string, int64_t> values() const;

 private:
  mutable std::mutex mutex_;
  std::map<std::string, int64_t> values_;
};

struct MetricsSample {
  int64_t jobs_running = 0;
  int64_t jobs_queued = 0;
  std::map<std::string, int64_t> jobs_ended;  // by outcome
  int64_t workers_idle = 0;
  int64_t workers_leased = 0;
  int64_t streams_open = 0;
  int64_t streams_total = 0;
  int64_t events_sent = 0;
  int64_t bytes_sent = 0;
  int64_t plugin_loads = 0;
  int64_t plugin_load_failures = 0;
  std::map<std::string, int64_t> plugins;  // by state
};

std::vector<prometheus::MetricFamily> ToFamilies(const MetricsSample& sample);

// Serves /metrics by HTTP until destroyed. `take` is called on its threads and outlives it.
class MetricsServer {
 public:
  // "127.0.0.1:0" lets the system choose the port. kFailedPrecondition when the address cannot be had.
  static Result<std::unique_ptr<MetricsServer>> Start(const std::string& address, std::function<MetricsSample()> take);
  ~MetricsServer();
  int port() const;

 private:
  MetricsServer();
  std::shared_ptr<prometheus::Collectable> source_;
  std::unique_ptr<prometheus::Exposer> exposer_;
};

}  // namespace astrolabe::server

#endif  // ASTROLABE_DAEMON_SERVER_METRICS_H_
