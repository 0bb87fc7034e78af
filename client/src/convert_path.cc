#include "client/src/convert_path.h"

#include <utility>

#include "client/src/convert_common.h"

namespace astrolabe::client {

void ToProto(PathPiece piece, v1::ValidatePathRequest* proto) {
  proto->mutable_ops()->Add(piece.ops.begin(), piece.ops.end());
  for (std::string& word : piece.op_names) *proto->add_op_names() = std::move(word);
}

CheckedPath FromProto(const v1::ValidatePathResponse& proto) {
  CheckedPath path;
  path.valid = proto.valid();
  path.reaches_goal = proto.reaches_goal();
  path.cost = proto.cost();
  path.cost_scale = proto.cost_scale();
  path.first_violation = proto.first_violation();
  path.violation = proto.violation();
  path.final_state = proto.final_state();
  path.length = proto.length();
  path.notes = Strings(proto.notes());
  return path;
}

void ToProto(const CheckedPath& path, v1::ValidatePathResponse* proto) {
  proto->set_valid(path.valid);
  proto->set_reaches_goal(path.reaches_goal);
  proto->set_cost(path.cost);
  proto->set_cost_scale(path.cost_scale);
  proto->set_first_violation(path.first_violation);
  proto->set_violation(path.violation);
  proto->set_final_state(path.final_state);
  proto->set_length(path.length);
  SetStrings(path.notes, proto->mutable_notes());
}

}  // namespace astrolabe::client
