// Everything that crosses a layer, converted in one place: enums, durations, parameters, plugin files.
#ifndef ASTROLABE_DAEMON_JOBS_CONVERT_H_
#define ASTROLABE_DAEMON_JOBS_CONVERT_H_

#include <chrono>
#include <optional>

#include "astrolabe/internal/v1/frames.pb.h"
#include "astrolabe/v1/catalog.pb.h"
#include "astrolabe/v1/event.pb.h"
#include "astrolabe/v1/spec.pb.h"
#include "daemon/jobs/job_state.h"
#include "daemon/registry/registry.h"
#include "daemon/workers/worker_pool.h"
#include "google/protobuf/duration.pb.h"
#include "google/protobuf/timestamp.pb.h"

namespace astrolabe::jobs {

v1::JobState ToProto(JobState state);
// Empty for UNSPECIFIED and numbers we do not know.
std::optional<JobState> FromProto(v1::JobState state);

// The range of a proto Duration is larger than nanoseconds can hold: cut to +-290 years.
std::chrono::nanoseconds ToChrono(const google::protobuf::Duration& duration);
google::protobuf::Duration ToProto(std::chrono::nanoseconds duration);
google::protobuf::Timestamp ToProto(std::chrono::system_clock::time_point time);
std::chrono::system_clock::time_point ToChrono(const google::protobuf::Timestamp& time);
// Seconds and nanos in range and of one sign.
bool IsValid(const google::protobuf::Duration& duration);

v1::ParamSpec ToProto(const registry::ParamSpec& spec);
v1::ParamValue ToProto(const registry::ParamValue& value);

internal::v1::PluginFile ToProto(const workers::PluginFile& file);
v1::PluginUsed ToUsed(const workers::PluginFile& file);

}  // namespace astrolabe::jobs

#endif  // ASTROLABE_DAEMON_JOBS_CONVERT_H_
