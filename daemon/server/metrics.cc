#include "daemon/server/metrics.h"

#include <prometheus/exposer.h>

#include <exception>
#include <utility>

#include "astrolabe/v1/result.pb.h"

namespace astrolabe::server {
namespace {

using prometheus::ClientMetric;
using prometheus::MetricFamily;
using prometheus::MetricType;

void AddValue(MetricFamily* family, double value, std::vector<ClientMetric::Label> labels = {}) {
  ClientMetric metric;
  metric.label = std::move(labels);
  if (family->type == MetricType::Counter) {
    metric.counter.value = value;
  } else {
    metric.gauge.value = value;
  }
  family->metric.push_back(std::move(metric));
}

MetricFamily Family(const char* name, MetricType type, const char* help) {
  MetricFamily out;
  out.name = name;
  out.type = type;
  out.help = help;
  return out;
}

MetricFamily Single(const char* name, MetricType type, const char* help, int64_t value) {
  MetricFamily out = Family(name, type, help);
  AddValue(&out, static_cast<double>(value));
  return out;
}

MetricFamily ByLabel(const char* name, MetricType type, const char* help, const char* label,
                     const std::map<std::string, int64_t>& values) {
  MetricFamily out = Family(name, type, help);
  for (const auto& [key, value] : values) AddValue(&out, static_cast<double>(value), {{label, key}});
  return out;
}

class Source final : public prometheus::Collectable {
 public:
  explicit Source(std::function<MetricsSample()> take) : take_(std::move(take)) {}
  std::vector<MetricFamily> Collect() const override { return ToFamilies(take_()); }

 private:
  const std::function<MetricsSample()> take_;
};

}  // namespace

std::string OutcomeIn(std::string_view log_line) {
  static constexpr std::string_view kPrefix = "OUTCOME_";
  const auto in_word = [](char c) { return c == '_' || (c >= 'A' && c <= 'Z'); };
  for (size_t i = 0; i < log_line.size();) {
    size_t end = i;
    while (end < log_line.size() && in_word(log_line[end])) ++end;
    std::string word(log_line.substr(i, end - i));
    if (word.starts_with(kPrefix)) word.erase(0, kPrefix.size());
    v1::Outcome outcome = v1::OUTCOME_UNSPECIFIED;
    if (v1::Outcome_Parse(std::string(kPrefix) + word, &outcome) && outcome != v1::OUTCOME_UNSPECIFIED) return word;
    i = end + 1;
  }
  return "";
}

void OutcomeCounters::Count(std::string_view outcome) {
  const std::lock_guard lock(mutex_);
  ++values_[std::string(outcome)];
}

std::map<std::string, int64_t> OutcomeCounters::values() const {
  const std::lock_guard lock(mutex_);
  return values_;
}

std::vector<MetricFamily> ToFamilies(const MetricsSample& s) {
  constexpr MetricType kGauge = MetricType::Gauge;
  constexpr MetricType kCounter = MetricType::Counter;
  return {
      Single("astrolabe_jobs_running", kGauge, "Jobs that have a worker", s.jobs_running),
      Single("astrolabe_jobs_queued", kGauge, "Jobs that wait for a slot", s.jobs_queued),
      ByLabel("astrolabe_jobs_ended_total", kCounter, "Jobs that ended, by outcome", "outcome", s.jobs_ended),
      ByLabel("astrolabe_workers", kGauge, "Worker processes, by state", "state",
              {{"idle", s.workers_idle}, {"leased", s.workers_leased}}),
      Single("astrolabe_streams_open", kGauge, "Open Solve, WatchJob and ReadContent streams", s.streams_open),
      Single("astrolabe_streams_total", kCounter, "Event streams opened", s.streams_total),
      Single("astrolabe_events_sent_total", kCounter, "Events written to watchers", s.events_sent),
      Single("astrolabe_sent_bytes_total", kCounter, "Bytes of events and contents written to clients", s.bytes_sent),
      ByLabel("astrolabe_plugin_loads_total", kCounter, "Attempts to load a plugin, by result", "result",
              {{"loaded", s.plugin_loads}, {"failed", s.plugin_load_failures}}),
      ByLabel("astrolabe_plugins", kGauge, "Known plugins, by state", "state", s.plugins),
  };
}

MetricsServer::MetricsServer() = default;
MetricsServer::~MetricsServer() = default;

Result<std::unique_ptr<MetricsServer>> MetricsServer::Start(const std::string& address,
                                                            std::function<MetricsSample()> take) {
  std::unique_ptr<MetricsServer> out(new MetricsServer);
  try {
    out->exposer_ = std::make_unique<prometheus::Exposer>(address, 1);
  } catch (const std::exception& error) {
    return MakeError(ErrorCode::kFailedPrecondition, "ADDRESS_UNUSABLE",
                     "cannot serve metrics at " + address + ": " + error.what());
  }
  out->source_ = std::make_shared<Source>(std::move(take));
  out->exposer_->RegisterCollectable(out->source_);
  return out;
}

int MetricsServer::port() const {
  const std::vector<int> ports = exposer_->GetListeningPorts();
  return ports.empty() ? 0 : ports.front();
}

}  // namespace astrolabe::server
