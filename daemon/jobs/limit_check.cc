#include "daemon/jobs/limit_check.h"

#include <map>
#include <set>

#include "daemon/jobs/convert.h"
#include "daemon/jobs/text.h"

namespace astrolabe::jobs {
namespace {

void CheckDuration(const google::protobuf::Duration& duration, const std::string& field, FaultList* faults) {
  if (!IsValid(duration)) {
    faults->Invalid(field, "is no valid duration (seconds and nanos of one sign, nanos below 1e9)");
  } else if (ToChrono(duration).count() < 0) {
    faults->Invalid(field, "expected a duration of at least 0 (0: the server's default)");
  }
}

void CheckCount(int64_t value, const std::string& field, FaultList* faults) {
  if (value < 0) faults->Invalid(field, "expected a number of at least 0, not " + std::to_string(value));
}

}  // namespace

void CheckLimits(const v1::Limits& limits, const std::string& field, FaultList* faults) {
  CheckDuration(limits.wall_time(), field + ".wall_time", faults);
  CheckCount(limits.max_expansions(), field + ".max_expansions", faults);
  CheckCount(limits.max_generated(), field + ".max_generated", faults);
  CheckCount(limits.max_memory_bytes(), field + ".max_memory_bytes", faults);
  CheckCount(limits.max_cost(), field + ".max_cost", faults);
  CheckDuration(limits.queue_timeout(), field + ".queue_timeout", faults);
}

void FillLimits(const v1::Limits& defaults, v1::Limits* limits) {
  if (ToChrono(limits->wall_time()).count() == 0 && defaults.has_wall_time()) {
    *limits->mutable_wall_time() = defaults.wall_time();
  }
  if (limits->max_expansions() == 0) limits->set_max_expansions(defaults.max_expansions());
  if (limits->max_generated() == 0) limits->set_max_generated(defaults.max_generated());
  if (limits->max_memory_bytes() == 0) limits->set_max_memory_bytes(defaults.max_memory_bytes());
  if (!limits->has_max_cost() && defaults.has_max_cost()) limits->set_max_cost(defaults.max_cost());
  if (ToChrono(limits->queue_timeout()).count() == 0 && defaults.has_queue_timeout()) {
    *limits->mutable_queue_timeout() = defaults.queue_timeout();
  }
}

void CheckPriority(int priority, const std::string& field, FaultList* faults) {
  if (priority < kMinPriority || priority > kMaxPriority) {
    faults->Invalid(field, "expected a number from -100 to 100, not " + std::to_string(priority));
  }
}

void CheckEvents(const std::string& field, v1::EventOptions* events, FaultList* faults) {
  std::set<int> kinds;
  for (int i = 0; i < events->kinds_size(); ++i) {
    const v1::NodeKind kind = events->kinds(i);
    if (kind == v1::NODE_KIND_UNSPECIFIED || !v1::NodeKind_IsValid(kind)) {
      faults->Invalid(field + ".kinds[" + std::to_string(i) + "]", "is no known kind of node event");
    }
    kinds.insert(kind);
  }
  events->clear_kinds();
  for (int kind : kinds) events->add_kinds(static_cast<v1::NodeKind>(kind));
  if (!v1::NodeDetail_IsValid(events->detail())) faults->Invalid(field + ".detail", "is no known level of detail");
  if (!kinds.empty() && events->detail() == v1::NODE_DETAIL_UNSPECIFIED) events->set_detail(v1::NODE_DETAIL_STATE);
  CheckCount(events->sample_every(), field + ".sample_every", faults);
  CheckCount(events->sample_max_per_second(), field + ".sample_max_per_second", faults);
  CheckCount(events->max_total(), field + ".max_total", faults);
}

void CheckLabels(const v1::JobSpec& spec, FaultList* faults) {
  if (spec.labels_size() > kMaxLabels) {
    faults->Invalid("spec.labels", "expected at most " + std::to_string(kMaxLabels) + " labels, not " +
                                       std::to_string(spec.labels_size()));
  }
  for (const auto& [key, value] : std::map<std::string, std::string>(spec.labels().begin(), spec.labels().end())) {
    if (key.empty() || key.size() > kMaxLabelKey) {
      faults->Invalid("spec.labels", "a key needs 1 to " + std::to_string(kMaxLabelKey) + " bytes, '" +
                                         CleanText(key, 40) + "' has " + std::to_string(key.size()));
    }
    if (value.size() > kMaxLabelValue) {
      faults->Invalid(
          "spec.labels." + CleanText(key, kMaxLabelKey),
          "expected at most " + std::to_string(kMaxLabelValue) + " bytes, not " + std::to_string(value.size()));
    }
  }
}

void CheckWatch(const v1::WatchOptions& options, FaultList* faults) {
  if (!v1::Overflow_IsValid(options.overflow())) faults->Invalid("watch.overflow", "is neither BLOCK nor DROP");
  CheckDuration(options.progress_interval(), "watch.progress_interval", faults);
}

}  // namespace astrolabe::jobs
