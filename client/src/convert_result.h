// astrolabe/v1/result.proto <-> astrolabe/client/result.h
#ifndef ASTROLABE_CLIENT_SRC_CONVERT_RESULT_H_
#define ASTROLABE_CLIENT_SRC_CONVERT_RESULT_H_

#include "astrolabe/client/result.h"
#include "astrolabe/v1/result.pb.h"

namespace astrolabe::client {

Iteration FromProto(const v1::Iteration& proto);
void ToProto(const Iteration& iteration, v1::Iteration* proto);

Result FromProto(const v1::Result& proto);
void ToProto(const Result& result, v1::Result* proto);

}  // namespace astrolabe::client

#endif  // ASTROLABE_CLIENT_SRC_CONVERT_RESULT_H_
