#include "client/src/convert_result.h"

#include "client/src/convert_common.h"

namespace astrolabe::client {
namespace {

Violation FromProto(const v1::Violation& proto) {
  return {proto.field(), proto.line(), proto.column(), proto.message(), proto.expected(), proto.hint()};
}

void ToProto(const Violation& violation, v1::Violation* proto) {
  proto->set_field(violation.field);
  proto->set_line(violation.line);
  proto->set_column(violation.column);
  proto->set_message(violation.message);
  proto->set_expected(violation.expected);
  proto->set_hint(violation.hint);
}

PluginFailure FromProto(const v1::PluginFailure& proto) {
  return {proto.plugin(), proto.stage(),    proto.signal(), proto.signal_name(),
          proto.code(),   proto.function(), proto.message()};
}

void ToProto(const PluginFailure& failure, v1::PluginFailure* proto) {
  proto->set_plugin(failure.plugin);
  proto->set_stage(failure.stage);
  proto->set_signal(failure.signal);
  proto->set_signal_name(failure.signal_name);
  proto->set_code(failure.code);
  proto->set_function(failure.function);
  proto->set_message(failure.message);
}

ClaimRefuted FromProto(const v1::ClaimRefuted& proto) {
  return {proto.heuristic(), proto.claim(), proto.state(), proto.h(), proto.remaining_cost()};
}

void ToProto(const ClaimRefuted& refuted, v1::ClaimRefuted* proto) {
  proto->set_heuristic(refuted.heuristic);
  proto->set_claim(refuted.claim);
  proto->set_state(refuted.state);
  proto->set_h(refuted.h);
  proto->set_remaining_cost(refuted.remaining_cost);
}

Path FromProto(const v1::Path& proto) {
  return {{proto.ops().begin(), proto.ops().end()},
          Strings(proto.op_names()),
          Strings(proto.states()),
          proto.length(),
          proto.truncated()};
}

void ToProto(const Path& path, v1::Path* proto) {
  proto->mutable_ops()->Add(path.ops.begin(), path.ops.end());
  SetStrings(path.op_names, proto->mutable_op_names());
  SetStrings(path.states, proto->mutable_states());
  proto->set_length(path.length);
  proto->set_truncated(path.truncated);
}

PluginUsed FromProto(const v1::PluginUsed& proto) {
  return {proto.id(), proto.version(), proto.sha256(), proto.generation()};
}

void ToProto(const PluginUsed& plugin, v1::PluginUsed* proto) {
  proto->set_id(plugin.id);
  proto->set_version(plugin.version);
  proto->set_sha256(plugin.sha256);
  proto->set_generation(plugin.generation);
}

CacheFileUsed FromProto(const v1::CacheFileUsed& proto) {
  return {proto.id(),   proto.description(), proto.size_bytes(),
          proto.made(), proto.in_memory(),   client::FromProto(proto.make_time())};
}

void ToProto(const CacheFileUsed& file, v1::CacheFileUsed* proto) {
  proto->set_id(file.id);
  proto->set_description(file.description);
  proto->set_size_bytes(file.size_bytes);
  proto->set_made(file.made);
  proto->set_in_memory(file.in_memory);
  if (file.make_time.count() != 0) client::ToProto(file.make_time, proto->mutable_make_time());
}

LocalStatistics FromProto(const v1::LocalStatistics& proto) {
  LocalStatistics local;
  local.climbs = proto.climbs();
  local.solved = proto.solved();
  local.stuck = proto.stuck();
  local.steps = proto.steps();
  local.steps_solved = proto.steps_solved();
  local.steps_stuck = proto.steps_stuck();
  local.sideways_steps = proto.sideways_steps();
  local.worsening_steps = proto.worsening_steps();
  return local;
}

void ToProto(const LocalStatistics& local, v1::LocalStatistics* proto) {
  proto->set_climbs(local.climbs);
  proto->set_solved(local.solved);
  proto->set_stuck(local.stuck);
  proto->set_steps(local.steps);
  proto->set_steps_solved(local.steps_solved);
  proto->set_steps_stuck(local.steps_stuck);
  proto->set_sideways_steps(local.sideways_steps);
  proto->set_worsening_steps(local.worsening_steps);
}

Statistics FromProto(const v1::Statistics& proto) {
  Statistics stats;
  stats.expanded = proto.expanded();
  stats.generated = proto.generated();
  stats.reopened = proto.reopened();
  stats.duplicates = proto.duplicates();
  stats.max_open = proto.max_open();
  stats.stored = proto.stored();
  stats.peak_memory_bytes = proto.peak_memory_bytes();
  stats.bytes_per_node = proto.bytes_per_node();
  stats.prepare_time = client::FromProto(proto.prepare_time());
  stats.search_time = client::FromProto(proto.search_time());
  stats.extract_time = client::FromProto(proto.extract_time());
  stats.iterations = FromRepeated<Iteration>(proto.iterations(), client::FromProto);
  stats.queue_time = client::FromProto(proto.queue_time());
  stats.initial_h = proto.initial_h();
  if (proto.has_local()) stats.local = FromProto(proto.local());
  return stats;
}

void SetDuration(Duration duration, google::protobuf::Duration* (v1::Statistics::*field)(), v1::Statistics* proto) {
  if (duration.count() != 0) client::ToProto(duration, (proto->*field)());
}

void ToProto(const Statistics& stats, v1::Statistics* proto) {
  proto->set_expanded(stats.expanded);
  proto->set_generated(stats.generated);
  proto->set_reopened(stats.reopened);
  proto->set_duplicates(stats.duplicates);
  proto->set_max_open(stats.max_open);
  proto->set_stored(stats.stored);
  proto->set_peak_memory_bytes(stats.peak_memory_bytes);
  proto->set_bytes_per_node(stats.bytes_per_node);
  SetDuration(stats.prepare_time, &v1::Statistics::mutable_prepare_time, proto);
  SetDuration(stats.search_time, &v1::Statistics::mutable_search_time, proto);
  SetDuration(stats.extract_time, &v1::Statistics::mutable_extract_time, proto);
  ToRepeated(stats.iterations, proto->mutable_iterations());
  SetDuration(stats.queue_time, &v1::Statistics::mutable_queue_time, proto);
  proto->set_initial_h(stats.initial_h);
  if (stats.local) ToProto(*stats.local, proto->mutable_local());
}

Provenance FromProto(const v1::Provenance& proto) {
  Provenance provenance;
  provenance.plugins = FromRepeated<PluginUsed>(proto.plugins(), FromProto);
  provenance.seed = proto.seed();
  provenance.threads = proto.threads();
  provenance.tier = static_cast<EngineTier>(proto.tier());
  provenance.server_version = proto.server_version();
  provenance.algorithm = proto.algorithm();
  provenance.heuristics = Strings(proto.heuristics());
  provenance.instance_fingerprint = proto.instance_fingerprint();
  provenance.cache_files = FromRepeated<CacheFileUsed>(proto.cache_files(), FromProto);
  return provenance;
}

void ToProto(const Provenance& provenance, v1::Provenance* proto) {
  for (const PluginUsed& plugin : provenance.plugins) ToProto(plugin, proto->add_plugins());
  proto->set_seed(provenance.seed);
  proto->set_threads(provenance.threads);
  proto->set_tier(static_cast<v1::EngineTier>(provenance.tier));
  proto->set_server_version(provenance.server_version);
  proto->set_algorithm(provenance.algorithm);
  SetStrings(provenance.heuristics, proto->mutable_heuristics());
  proto->set_instance_fingerprint(provenance.instance_fingerprint);
  for (const CacheFileUsed& file : provenance.cache_files) ToProto(file, proto->add_cache_files());
}

}  // namespace

Iteration FromProto(const v1::Iteration& proto) {
  return {proto.bound(), proto.expanded(), proto.generated(), client::FromProto(proto.time())};
}

void ToProto(const Iteration& iteration, v1::Iteration* proto) {
  proto->set_bound(iteration.bound);
  proto->set_expanded(iteration.expanded);
  proto->set_generated(iteration.generated);
  if (iteration.time.count() != 0) client::ToProto(iteration.time, proto->mutable_time());
}

Result FromProto(const v1::Result& proto) {
  Result result;
  result.outcome = static_cast<Outcome>(proto.outcome());
  result.limit = static_cast<LimitKind>(proto.limit());
  result.proof = static_cast<Proof>(proto.proof());
  result.bound_factor = proto.bound_factor();
  if (proto.has_cost()) result.cost = proto.cost();
  if (proto.has_lower_bound()) result.lower_bound = proto.lower_bound();
  result.cost_scale = proto.cost_scale() > 0 ? proto.cost_scale() : 1;
  result.solution_count = proto.solution_count();
  result.path = FromProto(proto.path());
  result.initial_state = proto.initial_state();
  result.final_state = proto.final_state();
  result.verified = proto.verified();
  result.violations = FromRepeated<Violation>(proto.violations(), FromProto);
  if (proto.has_plugin_failure()) result.plugin_failure = FromProto(proto.plugin_failure());
  result.refuted_claims = FromRepeated<ClaimRefuted>(proto.refuted_claims(), FromProto);
  result.statistics = FromProto(proto.statistics());
  result.provenance = FromProto(proto.provenance());
  result.events = {proto.events().recorded(), proto.events().sampled_out(), proto.events().dropped()};
  result.explanation = proto.explanation();
  result.notes = Strings(proto.notes());
  if (proto.has_moves()) result.moves = proto.moves();
  if (proto.has_objective()) result.objective = proto.objective();
  result.objective_name = proto.objective_name();
  return result;
}

void ToProto(const Result& result, v1::Result* proto) {
  proto->set_outcome(static_cast<v1::Outcome>(result.outcome));
  proto->set_limit(static_cast<v1::LimitKind>(result.limit));
  proto->set_proof(static_cast<v1::Proof>(result.proof));
  proto->set_bound_factor(result.bound_factor);
  if (result.cost) proto->set_cost(*result.cost);
  if (result.lower_bound) proto->set_lower_bound(*result.lower_bound);
  proto->set_cost_scale(result.cost_scale);
  proto->set_solution_count(result.solution_count);
  if (result.path != Path()) ToProto(result.path, proto->mutable_path());
  proto->set_initial_state(result.initial_state);
  proto->set_final_state(result.final_state);
  proto->set_verified(result.verified);
  for (const Violation& violation : result.violations) ToProto(violation, proto->add_violations());
  if (result.plugin_failure) ToProto(*result.plugin_failure, proto->mutable_plugin_failure());
  for (const ClaimRefuted& refuted : result.refuted_claims) ToProto(refuted, proto->add_refuted_claims());
  if (result.statistics != Statistics()) ToProto(result.statistics, proto->mutable_statistics());
  if (result.provenance != Provenance()) ToProto(result.provenance, proto->mutable_provenance());
  if (result.events != EventCounts()) {
    proto->mutable_events()->set_recorded(result.events.recorded);
    proto->mutable_events()->set_sampled_out(result.events.sampled_out);
    proto->mutable_events()->set_dropped(result.events.dropped);
  }
  proto->set_explanation(result.explanation);
  SetStrings(result.notes, proto->mutable_notes());
  if (result.moves) proto->set_moves(*result.moves);
  if (result.objective) proto->set_objective(*result.objective);
  proto->set_objective_name(result.objective_name);
}

}  // namespace astrolabe::client
