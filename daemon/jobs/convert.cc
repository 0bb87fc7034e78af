#include "daemon/jobs/convert.h"

#include <algorithm>

namespace astrolabe::jobs {
namespace {

constexpr int64_t kNanos = 1'000'000'000;
constexpr int64_t kMaxSeconds = 290ll * 365 * 24 * 3600;

v1::ParamType ToProto(registry::ParamType type) {
  switch (type) {
    case registry::ParamType::kBool:
      return v1::PARAM_TYPE_BOOL;
    case registry::ParamType::kInt:
      return v1::PARAM_TYPE_INT;
    case registry::ParamType::kDouble:
      return v1::PARAM_TYPE_DOUBLE;
    case registry::ParamType::kString:
      return v1::PARAM_TYPE_STRING;
  }
  return v1::PARAM_TYPE_UNSPECIFIED;
}

}  // namespace

v1::JobState ToProto(JobState state) { return static_cast<v1::JobState>(state); }

std::optional<JobState> FromProto(v1::JobState state) {
  if (state < v1::JOB_STATE_QUEUED || state > v1::JOB_STATE_DONE) return std::nullopt;
  return static_cast<JobState>(state);
}

std::chrono::nanoseconds ToChrono(const google::protobuf::Duration& duration) {
  const int64_t seconds = std::clamp(duration.seconds(), -kMaxSeconds, kMaxSeconds);
  return std::chrono::nanoseconds(seconds * kNanos + duration.nanos());
}

google::protobuf::Duration ToProto(std::chrono::nanoseconds duration) {
  google::protobuf::Duration out;
  out.set_seconds(duration.count() / kNanos);
  out.set_nanos(static_cast<int32_t>(duration.count() % kNanos));
  return out;
}

google::protobuf::Timestamp ToProto(std::chrono::system_clock::time_point time) {
  const int64_t nanos = std::chrono::duration_cast<std::chrono::nanoseconds>(time.time_since_epoch()).count();
  google::protobuf::Timestamp out;
  out.set_seconds(nanos / kNanos);
  out.set_nanos(static_cast<int32_t>(nanos % kNanos));
  return out;
}

std::chrono::system_clock::time_point ToChrono(const google::protobuf::Timestamp& time) {
  using std::chrono::system_clock;
  return system_clock::time_point(std::chrono::duration_cast<system_clock::duration>(
      std::chrono::seconds(time.seconds()) + std::chrono::nanoseconds(time.nanos())));
}

bool IsValid(const google::protobuf::Duration& duration) {
  constexpr int64_t kProtoMaxSeconds = 315'576'000'000;
  const int64_t seconds = duration.seconds();
  const int32_t nanos = duration.nanos();
  if (seconds < -kProtoMaxSeconds || seconds > kProtoMaxSeconds) return false;
  if (nanos <= -kNanos || nanos >= kNanos) return false;
  return !(seconds > 0 && nanos < 0) && !(seconds < 0 && nanos > 0);
}

v1::ParamValue ToProto(const registry::ParamValue& value) {
  v1::ParamValue out;
  if (const bool* b = std::get_if<bool>(&value)) out.set_bool_value(*b);
  if (const int64_t* i = std::get_if<int64_t>(&value)) out.set_int_value(*i);
  if (const double* d = std::get_if<double>(&value)) out.set_double_value(*d);
  if (const std::string* s = std::get_if<std::string>(&value)) out.set_string_value(*s);
  return out;
}

v1::ParamSpec ToProto(const registry::ParamSpec& spec) {
  v1::ParamSpec out;
  out.set_name(spec.name);
  out.set_type(ToProto(spec.type));
  if (spec.default_value) *out.mutable_default_value() = ToProto(*spec.default_value);
  if (spec.min) *out.mutable_min() = ToProto(*spec.min);
  if (spec.max) *out.mutable_max() = ToProto(*spec.max);
  if (spec.counting_default) *out.mutable_counting_default() = ToProto(*spec.counting_default);
  out.set_doc(spec.doc);
  for (const std::string& choice : spec.choices) out.add_choices(choice);
  return out;
}

internal::v1::PluginFile ToProto(const workers::PluginFile& file) {
  internal::v1::PluginFile out;
  out.set_id(file.id);
  out.set_path(file.path);
  out.set_version(file.version);
  out.set_sha256(file.sha256);
  out.set_generation(file.generation);
  return out;
}

v1::PluginUsed ToUsed(const workers::PluginFile& file) {
  v1::PluginUsed out;
  out.set_id(file.id);
  out.set_version(file.version);
  out.set_sha256(file.sha256);
  out.set_generation(file.generation);
  return out;
}

}  // namespace astrolabe::jobs
