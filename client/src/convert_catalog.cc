#include "client/src/convert_catalog.h"

#include "client/src/convert_common.h"
#include "client/src/convert_spec.h"

namespace astrolabe::client {

ParamSpec FromProto(const v1::ParamSpec& proto) {
  ParamSpec spec;
  spec.name = proto.name();
  spec.type = static_cast<ParamType>(proto.type());
  if (proto.has_default_value()) spec.default_value = FromProto(proto.default_value());
  if (proto.has_min()) spec.min = FromProto(proto.min());
  if (proto.has_max()) spec.max = FromProto(proto.max());
  spec.doc = proto.doc();
  spec.choices = Strings(proto.choices());
  if (proto.has_counting_default()) spec.counting_default = FromProto(proto.counting_default());
  return spec;
}

void ToProto(const ParamSpec& spec, v1::ParamSpec* proto) {
  proto->set_name(spec.name);
  proto->set_type(static_cast<v1::ParamType>(spec.type));
  if (spec.default_value) ToProto(*spec.default_value, proto->mutable_default_value());
  if (spec.min) ToProto(*spec.min, proto->mutable_min());
  if (spec.max) ToProto(*spec.max, proto->mutable_max());
  proto->set_doc(spec.doc);
  SetStrings(spec.choices, proto->mutable_choices());
  if (spec.counting_default) ToProto(*spec.counting_default, proto->mutable_counting_default());
}

ProblemInfo FromProto(const v1::ProblemInfo& proto) {
  ProblemInfo info;
  info.id = proto.id();
  info.summary = proto.summary();
  info.plugin = proto.plugin();
  info.version = proto.version();
  info.instance_syntax = proto.instance_syntax();
  for (const v1::Example& example : proto.examples()) info.examples.push_back({example.title(), example.text()});
  info.default_algorithm = proto.default_algorithm();
  info.default_heuristic = proto.default_heuristic();
  info.params = FromRepeated<ParamSpec>(proto.params(), FromProto);
  info.state_layout = proto.state_layout();
  info.doc = proto.doc();
  return info;
}

void ToProto(const ProblemInfo& info, v1::ProblemInfo* proto) {
  proto->set_id(info.id);
  proto->set_summary(info.summary);
  proto->set_plugin(info.plugin);
  proto->set_version(info.version);
  proto->set_instance_syntax(info.instance_syntax);
  for (const Example& example : info.examples) {
    v1::Example* to = proto->add_examples();
    to->set_title(example.title);
    to->set_text(example.text);
  }
  proto->set_default_algorithm(info.default_algorithm);
  proto->set_default_heuristic(info.default_heuristic);
  ToRepeated(info.params, proto->mutable_params());
  proto->set_state_layout(info.state_layout);
  proto->set_doc(info.doc);
}

HeuristicInfo FromProto(const v1::HeuristicInfo& proto) {
  HeuristicInfo info;
  info.id = proto.id();
  info.summary = proto.summary();
  info.plugin = proto.plugin();
  info.version = proto.version();
  info.problem = proto.problem();
  info.admissible = proto.admissible();
  info.consistent = proto.consistent();
  info.params = FromRepeated<ParamSpec>(proto.params(), FromProto);
  info.doc = proto.doc();
  info.objective_name = proto.objective_name();
  return info;
}

void ToProto(const HeuristicInfo& info, v1::HeuristicInfo* proto) {
  proto->set_id(info.id);
  proto->set_summary(info.summary);
  proto->set_plugin(info.plugin);
  proto->set_version(info.version);
  proto->set_problem(info.problem);
  proto->set_admissible(info.admissible);
  proto->set_consistent(info.consistent);
  ToRepeated(info.params, proto->mutable_params());
  proto->set_doc(info.doc);
  proto->set_objective_name(info.objective_name);
}

AlgorithmInfo FromProto(const v1::AlgorithmInfo& proto) {
  AlgorithmInfo info;
  info.id = proto.id();
  info.summary = proto.summary();
  info.optimal = proto.optimal();
  info.needs_heuristic = proto.needs_heuristic();
  info.params = FromRepeated<ParamSpec>(proto.params(), FromProto);
  info.doc = proto.doc();
  info.needs_reversed = proto.needs_reversed();
  info.uses_threads = proto.uses_threads();
  info.needs_construct = proto.needs_construct();
  info.local_search = proto.local_search();
  info.counts_solutions = proto.counts_solutions();
  return info;
}

void ToProto(const AlgorithmInfo& info, v1::AlgorithmInfo* proto) {
  proto->set_id(info.id);
  proto->set_summary(info.summary);
  proto->set_optimal(info.optimal);
  proto->set_needs_heuristic(info.needs_heuristic);
  ToRepeated(info.params, proto->mutable_params());
  proto->set_doc(info.doc);
  proto->set_needs_reversed(info.needs_reversed);
  proto->set_uses_threads(info.uses_threads);
  proto->set_needs_construct(info.needs_construct);
  proto->set_local_search(info.local_search);
  proto->set_counts_solutions(info.counts_solutions);
}

}  // namespace astrolabe::client
