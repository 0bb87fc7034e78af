// astrolabe/v1/catalog.proto <-> astrolabe/client/catalog.h
#ifndef ASTROLABE_CLIENT_SRC_CONVERT_CATALOG_H_
#define ASTROLABE_CLIENT_SRC_CONVERT_CATALOG_H_

#include "astrolabe/client/catalog.h"
#include "astrolabe/v1/catalog.pb.h"

namespace astrolabe::client {

ParamSpec FromProto(const v1::ParamSpec& proto);
void ToProto(const ParamSpec& spec, v1::ParamSpec* proto);

ProblemInfo FromProto(const v1::ProblemInfo& proto);
void ToProto(const ProblemInfo& info, v1::ProblemInfo* proto);

HeuristicInfo FromProto(const v1::HeuristicInfo& proto);
void ToProto(const HeuristicInfo& info, v1::HeuristicInfo* proto);

AlgorithmInfo FromProto(const v1::AlgorithmInfo& proto);
void ToProto(const AlgorithmInfo& info, v1::AlgorithmInfo* proto);

}  // namespace astrolabe::client

#endif  // ASTROLABE_CLIENT_SRC_CONVERT_CATALOG_H_
