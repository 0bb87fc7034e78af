#include "client/src/convert_spec.h"

#include "client/src/convert_common.h"
#include "client/src/utf8.h"

namespace astrolabe::client {
namespace {

template <typename Map>
Params FromParams(const Map& map) {
  Params params;
  for (const auto& [name, value] : map) params.emplace(name, FromProto(value));
  return params;
}

template <typename Map>
void ToParams(const Params& params, Map* map) {
  for (const auto& [name, value] : params) ToProto(value, &(*map)[name]);
}

// A protobuf string must be UTF-8; anything else travels as bytes and is the problem's to refuse.
template <typename Proto>
void SetInstance(const std::string& instance, Proto* proto) {
  if (IsUtf8(instance)) {
    proto->set_text(instance);
  } else {
    proto->set_data(instance);
  }
}

}  // namespace

ParamValue FromProto(const v1::ParamValue& proto) {
  switch (proto.value_case()) {
    case v1::ParamValue::kBoolValue:
      return proto.bool_value();
    case v1::ParamValue::kIntValue:
      return static_cast<int64_t>(proto.int_value());
    case v1::ParamValue::kDoubleValue:
      return proto.double_value();
    case v1::ParamValue::kStringValue:
      return proto.string_value();
    case v1::ParamValue::VALUE_NOT_SET:
      break;
  }
  return std::string();
}

void ToProto(const ParamValue& value, v1::ParamValue* proto) {
  if (const auto* flag = std::get_if<bool>(&value)) proto->set_bool_value(*flag);
  if (const auto* integer = std::get_if<int64_t>(&value)) proto->set_int_value(*integer);
  if (const auto* real = std::get_if<double>(&value)) proto->set_double_value(*real);
  if (const auto* text = std::get_if<std::string>(&value)) proto->set_string_value(*text);
}

HeuristicUse FromProto(const v1::HeuristicUse& proto) {
  HeuristicUse use{proto.id(), FromParams(proto.params()), {}};
  if (proto.has_weight()) {
    const int64_t denominator = proto.weight().denominator();
    use.weight = Rational{proto.weight().numerator(), denominator == 0 ? 1 : denominator};
  }
  return use;
}

void ToProto(const HeuristicUse& use, v1::HeuristicUse* proto) {
  proto->set_id(use.id);
  ToParams(use.params, proto->mutable_params());
  if (use.weight) {
    proto->mutable_weight()->set_numerator(use.weight->numerator);
    proto->mutable_weight()->set_denominator(use.weight->denominator);
  }
}

AlgorithmUse FromProto(const v1::AlgorithmUse& proto) { return {proto.id(), FromParams(proto.params())}; }

void ToProto(const AlgorithmUse& use, v1::AlgorithmUse* proto) {
  proto->set_id(use.id);
  ToParams(use.params, proto->mutable_params());
}

Limits FromProto(const v1::Limits& proto) {
  Limits limits;
  limits.wall_time = FromProto(proto.wall_time());
  limits.max_expansions = proto.max_expansions();
  limits.max_generated = proto.max_generated();
  limits.max_memory_bytes = proto.max_memory_bytes();
  if (proto.has_max_cost()) limits.max_cost = proto.max_cost();
  limits.queue_timeout = FromProto(proto.queue_timeout());
  return limits;
}

void ToProto(const Limits& limits, v1::Limits* proto) {
  if (limits.wall_time.count() != 0) ToProto(limits.wall_time, proto->mutable_wall_time());
  proto->set_max_expansions(limits.max_expansions);
  proto->set_max_generated(limits.max_generated);
  proto->set_max_memory_bytes(limits.max_memory_bytes);
  if (limits.max_cost) proto->set_max_cost(*limits.max_cost);
  if (limits.queue_timeout.count() != 0) ToProto(limits.queue_timeout, proto->mutable_queue_timeout());
}

EventOptions FromProto(const v1::EventOptions& proto) {
  EventOptions options;
  for (const int kind : proto.kinds()) options.kinds.push_back(static_cast<NodeKind>(kind));
  options.detail = static_cast<NodeDetail>(proto.detail());
  options.sample_every = proto.sample_every();
  options.sample_max_per_second = proto.sample_max_per_second();
  options.max_total = proto.max_total();
  return options;
}

void ToProto(const EventOptions& options, v1::EventOptions* proto) {
  for (const NodeKind kind : options.kinds) proto->add_kinds(static_cast<v1::NodeKind>(kind));
  proto->set_detail(static_cast<v1::NodeDetail>(options.detail));
  proto->set_sample_every(options.sample_every);
  proto->set_sample_max_per_second(options.sample_max_per_second);
  proto->set_max_total(options.max_total);
}

JobSpec FromProto(const v1::JobSpec& proto) {
  JobSpec spec;
  spec.problem = proto.problem();
  spec.instance = proto.has_data() ? proto.data() : proto.text();
  spec.params = FromParams(proto.params());
  spec.heuristics = FromRepeated<HeuristicUse>(proto.heuristics(), FromProto);
  spec.combine = static_cast<Combine>(proto.combine());
  spec.algorithm = FromProto(proto.algorithm());
  spec.limits = FromProto(proto.limits());
  spec.seed = proto.seed();
  spec.threads = proto.threads();
  spec.events = FromProto(proto.events());
  spec.labels = {proto.labels().begin(), proto.labels().end()};
  spec.priority = proto.priority();
  spec.tier = static_cast<EngineTier>(proto.tier());
  return spec;
}

void ToProto(const JobSpec& spec, v1::JobSpec* proto) {
  proto->set_problem(spec.problem);
  SetInstance(spec.instance, proto);
  ToParams(spec.params, proto->mutable_params());
  ToRepeated(spec.heuristics, proto->mutable_heuristics());
  proto->set_combine(static_cast<v1::Combine>(spec.combine));
  if (spec.algorithm != AlgorithmUse()) ToProto(spec.algorithm, proto->mutable_algorithm());
  if (spec.limits != Limits()) ToProto(spec.limits, proto->mutable_limits());
  proto->set_seed(spec.seed);
  proto->set_threads(spec.threads);
  if (spec.events != EventOptions()) ToProto(spec.events, proto->mutable_events());
  proto->mutable_labels()->insert(spec.labels.begin(), spec.labels.end());
  proto->set_priority(spec.priority);
  proto->set_tier(static_cast<v1::EngineTier>(spec.tier));
}

void ToProto(const WatchOptions& options, v1::WatchOptions* proto) {
  proto->set_without_nodes(!options.nodes);
  proto->set_overflow(static_cast<v1::Overflow>(options.overflow));
  if (options.progress_interval.count() != 0) ToProto(options.progress_interval, proto->mutable_progress_interval());
}

void ToProto(const InstanceRef& instance, v1::InstanceRef* proto) {
  proto->set_problem(instance.problem);
  SetInstance(instance.instance, proto);
  ToParams(instance.params, proto->mutable_params());
}

}  // namespace astrolabe::client
