#include "client/src/convert_event.h"

#include "client/src/convert_common.h"
#include "client/src/convert_result.h"
#include "client/src/convert_spec.h"
#include "client/src/node_batch.h"

namespace astrolabe::client {
namespace {

JobAccepted FromAccepted(const v1::JobAccepted& proto) {
  return {proto.queue_position(), FromProto(proto.algorithm()),
          FromRepeated<HeuristicUse>(proto.heuristics(), FromProto), FromProto(proto.limits())};
}

Improvement FromImprovement(const v1::Improvement& proto) {
  Improvement improvement{proto.cost(), {}, proto.bound_factor(), proto.length()};
  if (proto.has_lower_bound()) improvement.lower_bound = proto.lower_bound();
  return improvement;
}

EventBody FromBody(const v1::Event& proto) {
  switch (proto.event_case()) {
    case v1::Event::kAccepted:
      return FromAccepted(proto.accepted());
    case v1::Event::kState:
      return StateChanged{static_cast<JobState>(proto.state().state()), proto.state().queue_position()};
    case v1::Event::kPreparing:
      return Preparing{proto.preparing().heuristic(), proto.preparing().what(), proto.preparing().fraction()};
    case v1::Event::kProgress:
      return FromProto(proto.progress());
    case v1::Event::kNodes:
      return FromProto(proto.nodes());
    case v1::Event::kIteration:
      return FromProto(proto.iteration());
    case v1::Event::kImprovement:
      return FromImprovement(proto.improvement());
    case v1::Event::kLog:
      return LogLine{static_cast<LogLevel>(proto.log().level()), proto.log().source(), proto.log().text()};
    case v1::Event::kGap:
      return Gap{proto.gap().first_sequence(), proto.gap().last_sequence(), proto.gap().node_events(),
                 static_cast<GapReason>(proto.gap().reason())};
    case v1::Event::kHeartbeat:
      return Heartbeat{proto.heartbeat().last_sequence()};
    case v1::Event::kResult:
      return FromProto(proto.result());
    case v1::Event::EVENT_NOT_SET:
      break;
  }
  return std::monostate();
}

struct BodyWriter {
  v1::Event* event;

  void operator()(const std::monostate&) const {}
  void operator()(const JobAccepted& accepted) const {
    auto* proto = event->mutable_accepted();
    proto->set_queue_position(accepted.queue_position);
    ToProto(accepted.algorithm, proto->mutable_algorithm());
    ToRepeated(accepted.heuristics, proto->mutable_heuristics());
    ToProto(accepted.limits, proto->mutable_limits());
  }
  void operator()(const StateChanged& changed) const {
    event->mutable_state()->set_state(static_cast<v1::JobState>(changed.state));
    event->mutable_state()->set_queue_position(changed.queue_position);
  }
  void operator()(const Preparing& preparing) const {
    event->mutable_preparing()->set_heuristic(preparing.heuristic);
    event->mutable_preparing()->set_what(preparing.what);
    event->mutable_preparing()->set_fraction(preparing.fraction);
  }
  void operator()(const Progress& progress) const { ToProto(progress, event->mutable_progress()); }
  void operator()(const NodeBatch& batch) const { ToProto(batch, event->mutable_nodes()); }
  void operator()(const Iteration& iteration) const { ToProto(iteration, event->mutable_iteration()); }
  void operator()(const Improvement& improvement) const {
    auto* proto = event->mutable_improvement();
    proto->set_cost(improvement.cost);
    if (improvement.lower_bound) proto->set_lower_bound(*improvement.lower_bound);
    proto->set_bound_factor(improvement.bound_factor);
    proto->set_length(improvement.length);
  }
  void operator()(const LogLine& line) const {
    event->mutable_log()->set_level(static_cast<v1::LogLevel>(line.level));
    event->mutable_log()->set_source(line.source);
    event->mutable_log()->set_text(line.text);
  }
  void operator()(const Gap& gap) const {
    event->mutable_gap()->set_first_sequence(gap.first_sequence);
    event->mutable_gap()->set_last_sequence(gap.last_sequence);
    event->mutable_gap()->set_node_events(gap.node_events);
    event->mutable_gap()->set_reason(static_cast<v1::GapReason>(gap.reason));
  }
  void operator()(const Heartbeat& heartbeat) const {
    event->mutable_heartbeat()->set_last_sequence(heartbeat.last_sequence);
  }
  void operator()(const Result& result) const { ToProto(result, event->mutable_result()); }
};

}  // namespace

Progress FromProto(const v1::Progress& proto) {
  Progress progress;
  progress.expanded = proto.expanded();
  progress.generated = proto.generated();
  progress.expanded_per_second = proto.expanded_per_second();
  progress.generated_per_second = proto.generated_per_second();
  progress.open = proto.open();
  progress.stored = proto.stored();
  progress.f_bound = proto.f_bound();
  progress.best_h = proto.best_h();
  if (proto.has_incumbent()) progress.incumbent = proto.incumbent();
  progress.memory_bytes = proto.memory_bytes();
  progress.state = static_cast<JobState>(proto.state());
  return progress;
}

void ToProto(const Progress& progress, v1::Progress* proto) {
  proto->set_expanded(progress.expanded);
  proto->set_generated(progress.generated);
  proto->set_expanded_per_second(progress.expanded_per_second);
  proto->set_generated_per_second(progress.generated_per_second);
  proto->set_open(progress.open);
  proto->set_stored(progress.stored);
  proto->set_f_bound(progress.f_bound);
  proto->set_best_h(progress.best_h);
  if (progress.incumbent) proto->set_incumbent(*progress.incumbent);
  proto->set_memory_bytes(progress.memory_bytes);
  proto->set_state(static_cast<v1::JobState>(progress.state));
}

NodeBatch FromProto(const v1::NodeBatch& proto) {
  NodeBatch batch;
  // Cannot fail: the bytes come from protobuf itself.
  DecodeNodeBatch(std::make_shared<const std::string>(proto.SerializeAsString()), 0, &batch);
  return batch;
}

void ToProto(const NodeBatch& batch, v1::NodeBatch* proto) {
  proto->set_first_ordinal(batch.first_ordinal);
  proto->set_count(batch.count);
  proto->set_seen(batch.seen);
  for (const NodeEvent& node : batch.nodes) {
    v1::NodeEvent* to = proto->add_nodes();
    to->set_kind(static_cast<v1::NodeKind>(node.kind));
    to->set_node(node.node);
    to->set_parent(node.parent);
    to->set_op(node.op);
    to->set_g(node.g);
    to->set_h(node.h);
    to->set_depth(node.depth);
    to->set_state(std::string(node.state));
    to->set_text(std::string(node.text));
    to->set_op_name(std::string(node.op_name));
  }
}

Event FromProto(const v1::Event& proto) {
  return {proto.job(), proto.sequence(), FromProto(proto.elapsed()), FromBody(proto)};
}

void ToProto(const Event& event, v1::Event* proto) {
  proto->set_job(event.job);
  proto->set_sequence(event.sequence);
  ToProto(event.elapsed, proto->mutable_elapsed());
  std::visit(BodyWriter{proto}, event.body);
}

Job FromProto(const v1::Job& proto) {
  Job job;
  job.name = proto.name();
  job.state = static_cast<JobState>(proto.state());
  job.spec = FromProto(proto.spec());
  if (proto.has_create_time()) job.create_time = FromProto(proto.create_time());
  if (proto.has_start_time()) job.start_time = FromProto(proto.start_time());
  if (proto.has_end_time()) job.end_time = FromProto(proto.end_time());
  if (proto.has_result()) job.result = FromProto(proto.result());
  if (proto.has_progress()) job.progress = FromProto(proto.progress());
  job.queue_position = proto.queue_position();
  job.first_sequence = proto.first_sequence();
  job.last_sequence = proto.last_sequence();
  job.cancel_requested = proto.cancel_requested();
  job.request_id = proto.request_id();
  return job;
}

void ToProto(const Job& job, v1::Job* proto) {
  proto->set_name(job.name);
  proto->set_state(static_cast<v1::JobState>(job.state));
  ToProto(job.spec, proto->mutable_spec());
  if (job.create_time) ToProto(*job.create_time, proto->mutable_create_time());
  if (job.start_time) ToProto(*job.start_time, proto->mutable_start_time());
  if (job.end_time) ToProto(*job.end_time, proto->mutable_end_time());
  if (job.result) ToProto(*job.result, proto->mutable_result());
  if (job.progress) ToProto(*job.progress, proto->mutable_progress());
  proto->set_queue_position(job.queue_position);
  proto->set_first_sequence(job.first_sequence);
  proto->set_last_sequence(job.last_sequence);
  proto->set_cancel_requested(job.cancel_requested);
  proto->set_request_id(job.request_id);
}

}  // namespace astrolabe::client
