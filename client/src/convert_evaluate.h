// EvaluateStates of astrolabe/v1/solver.proto <-> astrolabe/client/evaluate.h
#ifndef ASTROLABE_CLIENT_SRC_CONVERT_EVALUATE_H_
#define ASTROLABE_CLIENT_SRC_CONVERT_EVALUATE_H_

#include "astrolabe/client/evaluate.h"
#include "astrolabe/v1/solver.pb.h"

namespace astrolabe::client {

void ToProto(const EvaluateRequest& request, v1::EvaluateStatesRequest* proto);

Evaluations FromProto(const v1::EvaluateStatesResponse& proto);
void ToProto(const Evaluations& evaluations, v1::EvaluateStatesResponse* proto);

}  // namespace astrolabe::client

#endif  // ASTROLABE_CLIENT_SRC_CONVERT_EVALUATE_H_
