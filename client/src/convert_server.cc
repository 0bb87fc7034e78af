#include "client/src/convert_server.h"

#include <string_view>

#include "client/src/convert_common.h"
#include "client/src/convert_spec.h"
#include "client/src/enum_names.h"

namespace astrolabe::client {

Plugin FromProto(const v1::Plugin& proto) {
  Plugin plugin;
  plugin.id = proto.id();
  plugin.version = proto.version();
  plugin.state = static_cast<PluginState>(proto.state());
  if (proto.has_error()) {
    const v1::LoadError& error = proto.error();
    plugin.error = LoadError{LoadCodeName(error.code()), error.stage(), error.message(),
                             error.expected(),           error.found(), error.hint()};
  }
  plugin.sha256 = proto.sha256();
  plugin.abi_major = proto.abi_major();
  plugin.abi_minor = proto.abi_minor();
  plugin.generation = proto.generation();
  plugin.active_jobs = proto.active_jobs();
  plugin.problems = Strings(proto.problems());
  plugin.heuristics = Strings(proto.heuristics());
  plugin.licence = proto.licence();
  plugin.file = proto.file();
  plugin.warnings = Strings(proto.warnings());
  return plugin;
}

void ToProto(const Plugin& plugin, v1::Plugin* proto) {
  proto->set_id(plugin.id);
  proto->set_version(plugin.version);
  proto->set_state(static_cast<v1::PluginState>(plugin.state));
  if (plugin.error) {
    v1::LoadError* error = proto->mutable_error();
    error->set_code(static_cast<v1::LoadCode>(LoadCodeNumber(plugin.error->code)));
    error->set_stage(plugin.error->stage);
    error->set_message(plugin.error->message);
    error->set_expected(plugin.error->expected);
    error->set_found(plugin.error->found);
    error->set_hint(plugin.error->hint);
  }
  proto->set_sha256(plugin.sha256);
  proto->set_abi_major(plugin.abi_major);
  proto->set_abi_minor(plugin.abi_minor);
  proto->set_generation(plugin.generation);
  proto->set_active_jobs(plugin.active_jobs);
  SetStrings(plugin.problems, proto->mutable_problems());
  SetStrings(plugin.heuristics, proto->mutable_heuristics());
  proto->set_licence(plugin.licence);
  proto->set_file(plugin.file);
  SetStrings(plugin.warnings, proto->mutable_warnings());
}

ServerInfo FromProto(const v1::GetServerInfoResponse& proto) {
  ServerInfo info;
  info.instance_id = proto.instance_id();
  info.version = proto.version();
  info.abi_major = proto.abi_major();
  info.abi_minor = proto.abi_minor();
  info.max_request_bytes = proto.max_request_bytes();
  info.max_response_bytes = proto.max_response_bytes();
  info.default_limits = FromProto(proto.default_limits());
  const v1::ServerLoad& load = proto.load();
  info.load = {load.running(), load.queued(), load.slots(), load.queue_limit(), load.workers()};
  if (proto.has_start_time()) info.start_time = FromProto(proto.start_time());
  info.draining = proto.draining();
  info.pid = proto.pid();
  info.features = Strings(proto.features());
  return info;
}

void ToProto(const ServerInfo& info, v1::GetServerInfoResponse* proto) {
  proto->set_instance_id(info.instance_id);
  proto->set_version(info.version);
  proto->set_abi_major(info.abi_major);
  proto->set_abi_minor(info.abi_minor);
  proto->set_max_request_bytes(info.max_request_bytes);
  proto->set_max_response_bytes(info.max_response_bytes);
  ToProto(info.default_limits, proto->mutable_default_limits());
  v1::ServerLoad* load = proto->mutable_load();
  load->set_running(info.load.running);
  load->set_queued(info.load.queued);
  load->set_slots(info.load.slots);
  load->set_queue_limit(info.load.queue_limit);
  load->set_workers(info.load.workers);
  if (info.start_time) ToProto(*info.start_time, proto->mutable_start_time());
  proto->set_draining(info.draining);
  proto->set_pid(info.pid);
  SetStrings(info.features, proto->mutable_features());
}

Fact FromProto(const v1::Fact& proto) { return {proto.name(), proto.value()}; }

void ToProto(const Fact& fact, v1::Fact* proto) {
  proto->set_name(fact.name);
  proto->set_value(fact.value);
}

CheckedInstance FromProto(const v1::ValidateInstanceResponse& proto) {
  CheckedInstance instance;
  instance.canonical_text = proto.canonical_text();
  instance.size = proto.size();
  instance.solvable = static_cast<Solvable>(proto.solvable());
  instance.reason = proto.reason();
  instance.initial_state = proto.initial_state();
  instance.goal_state = proto.goal_state();
  instance.state_bytes = proto.state_bytes();
  instance.fingerprint = proto.fingerprint();
  instance.notes = Strings(proto.notes());
  instance.initial_is_goal = proto.initial_is_goal();
  instance.facts = FromRepeated<Fact>(proto.facts(), FromProto);
  return instance;
}

void ToProto(const CheckedInstance& instance, v1::ValidateInstanceResponse* proto) {
  proto->set_canonical_text(instance.canonical_text);
  proto->set_size(instance.size);
  proto->set_solvable(static_cast<v1::Solvable>(instance.solvable));
  proto->set_reason(instance.reason);
  proto->set_initial_state(instance.initial_state);
  proto->set_goal_state(instance.goal_state);
  proto->set_state_bytes(instance.state_bytes);
  proto->set_fingerprint(instance.fingerprint);
  SetStrings(instance.notes, proto->mutable_notes());
  proto->set_initial_is_goal(instance.initial_is_goal);
  ToRepeated(instance.facts, proto->mutable_facts());
}

PathSteps FromProto(const v1::ListPathStepsResponse& proto) {
  PathSteps steps;
  for (const v1::PathStep& step : proto.steps()) {
    steps.steps.push_back({step.index(), step.op(), step.op_name(), step.cost(), step.state()});
  }
  steps.next_page_token = proto.next_page_token();
  steps.total = proto.total();
  return steps;
}

}  // namespace astrolabe::client
