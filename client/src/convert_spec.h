// astrolabe/v1/spec.proto <-> astrolabe/client/job.h
#ifndef ASTROLABE_CLIENT_SRC_CONVERT_SPEC_H_
#define ASTROLABE_CLIENT_SRC_CONVERT_SPEC_H_

#include "astrolabe/client/job.h"
#include "astrolabe/client/server.h"
#include "astrolabe/v1/solver.pb.h"
#include "astrolabe/v1/spec.pb.h"

namespace astrolabe::client {

ParamValue FromProto(const v1::ParamValue& proto);
void ToProto(const ParamValue& value, v1::ParamValue* proto);

HeuristicUse FromProto(const v1::HeuristicUse& proto);
void ToProto(const HeuristicUse& use, v1::HeuristicUse* proto);

AlgorithmUse FromProto(const v1::AlgorithmUse& proto);
void ToProto(const AlgorithmUse& use, v1::AlgorithmUse* proto);

Limits FromProto(const v1::Limits& proto);
void ToProto(const Limits& limits, v1::Limits* proto);

EventOptions FromProto(const v1::EventOptions& proto);
void ToProto(const EventOptions& options, v1::EventOptions* proto);

JobSpec FromProto(const v1::JobSpec& proto);
void ToProto(const JobSpec& spec, v1::JobSpec* proto);

void ToProto(const WatchOptions& options, v1::WatchOptions* proto);
void ToProto(const InstanceRef& instance, v1::InstanceRef* proto);

}  // namespace astrolabe::client

#endif  // ASTROLABE_CLIENT_SRC_CONVERT_SPEC_H_
