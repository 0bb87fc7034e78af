// astrolabe/v1/plugin.proto, server.proto and the instance messages of solver.proto <-> astrolabe/client/server.h
#ifndef ASTROLABE_CLIENT_SRC_CONVERT_SERVER_H_
#define ASTROLABE_CLIENT_SRC_CONVERT_SERVER_H_

#include "astrolabe/client/server.h"
#include "astrolabe/v1/plugin.pb.h"
#include "astrolabe/v1/server.pb.h"
#include "astrolabe/v1/solver.pb.h"

namespace astrolabe::client {

Plugin FromProto(const v1::Plugin& proto);
void ToProto(const Plugin& plugin, v1::Plugin* proto);

ServerInfo FromProto(const v1::GetServerInfoResponse& proto);
void ToProto(const ServerInfo& info, v1::GetServerInfoResponse* proto);

Fact FromProto(const v1::Fact& proto);
void ToProto(const Fact& fact, v1::Fact* proto);

CheckedInstance FromProto(const v1::ValidateInstanceResponse& proto);
void ToProto(const CheckedInstance& instance, v1::ValidateInstanceResponse* proto);

PathSteps FromProto(const v1::ListPathStepsResponse& proto);

}  // namespace astrolabe::client

#endif  // ASTROLABE_CLIENT_SRC_CONVERT_SERVER_H_
