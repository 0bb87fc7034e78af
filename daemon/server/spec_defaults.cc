#include "daemon/server/spec_defaults.h"

namespace astrolabe::server {
namespace {

bool IsUnset(const google::protobuf::Duration& duration) { return duration.seconds() == 0 && duration.nanos() == 0; }

}  // namespace

void FillLimits(const v1::Limits& defaults, v1::JobSpec* spec) {
  v1::Limits* limits = spec->mutable_limits();
  if (IsUnset(limits->wall_time()) && defaults.has_wall_time()) *limits->mutable_wall_time() = defaults.wall_time();
  if (IsUnset(limits->queue_timeout()) && defaults.has_queue_timeout()) {
    *limits->mutable_queue_timeout() = defaults.queue_timeout();
  }
  if (limits->max_expansions() == 0) limits->set_max_expansions(defaults.max_expansions());
  if (limits->max_generated() == 0) limits->set_max_generated(defaults.max_generated());
  if (limits->max_memory_bytes() == 0) limits->set_max_memory_bytes(defaults.max_memory_bytes());
  if (!limits->has_max_cost() && defaults.has_max_cost()) limits->set_max_cost(defaults.max_cost());
}

}  // namespace astrolabe::server
