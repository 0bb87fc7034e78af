#include "client/src/convert_evaluate.h"

#include "client/src/convert_common.h"
#include "client/src/convert_server.h"
#include "client/src/convert_spec.h"

namespace astrolabe::client {
namespace {

HeuristicValue ValueOf(const v1::HeuristicValue& proto) {
  HeuristicValue value{proto.heuristic(), std::nullopt, proto.explanation()};
  if (proto.has_h()) value.h = proto.h();
  return value;
}

Neighbour NeighbourOf(const v1::Neighbour& proto) {
  return {proto.op(),    proto.op_name(), proto.cost(),
          proto.state(), proto.is_goal(), FromRepeated<HeuristicValue>(proto.values(), ValueOf)};
}

StateEvaluation StateOf(const v1::StateEvaluation& proto) {
  return {proto.state(), proto.is_goal(), FromRepeated<HeuristicValue>(proto.values(), ValueOf),
          FromRepeated<Neighbour>(proto.neighbours(), NeighbourOf), FromRepeated<Fact>(proto.facts(), FromProto)};
}

void SetValues(const std::vector<HeuristicValue>& values, google::protobuf::RepeatedPtrField<v1::HeuristicValue>* to) {
  for (const HeuristicValue& value : values) {
    v1::HeuristicValue* proto = to->Add();
    proto->set_heuristic(value.heuristic);
    if (value.h) proto->set_h(*value.h);
    proto->set_explanation(value.explanation);
  }
}

}  // namespace

void ToProto(const EvaluateRequest& request, v1::EvaluateStatesRequest* proto) {
  ToProto(request.instance, proto->mutable_instance());
  ToRepeated(request.heuristics, proto->mutable_heuristics());
  SetStrings(request.states, proto->mutable_states());
  proto->set_with_neighbours(request.with_neighbours);
}

Evaluations FromProto(const v1::EvaluateStatesResponse& proto) {
  return {FromRepeated<StateEvaluation>(proto.evaluations(), StateOf), proto.cost_scale(), Strings(proto.notes())};
}

void ToProto(const Evaluations& evaluations, v1::EvaluateStatesResponse* proto) {
  for (const StateEvaluation& evaluation : evaluations.evaluations) {
    v1::StateEvaluation* state = proto->add_evaluations();
    state->set_state(evaluation.state);
    state->set_is_goal(evaluation.is_goal);
    SetValues(evaluation.values, state->mutable_values());
    ToRepeated(evaluation.facts, state->mutable_facts());
    for (const Neighbour& neighbour : evaluation.neighbours) {
      v1::Neighbour* child = state->add_neighbours();
      child->set_op(neighbour.op);
      child->set_op_name(neighbour.op_name);
      child->set_cost(neighbour.cost);
      child->set_state(neighbour.state);
      child->set_is_goal(neighbour.is_goal);
      SetValues(neighbour.values, child->mutable_values());
    }
  }
  proto->set_cost_scale(evaluations.cost_scale);
  SetStrings(evaluations.notes, proto->mutable_notes());
}

}  // namespace astrolabe::client
