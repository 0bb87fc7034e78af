// What manifests declare -> astrolabe.v1 catalogue messages.
#ifndef ASTROLABE_DAEMON_SERVER_CATALOG_CONVERT_H_
#define ASTROLABE_DAEMON_SERVER_CATALOG_CONVERT_H_

#include "astrolabe/v1/catalog.pb.h"
#include "daemon/registry/registry.h"

namespace astrolabe::server {

v1::ProblemInfo ToProto(const registry::Catalog::Problem& problem);
v1::HeuristicInfo ToProto(const registry::Catalog::Heuristic& heuristic);
v1::ParamSpec ToProto(const registry::ParamSpec& spec);

}  // namespace astrolabe::server

#endif  // ASTROLABE_DAEMON_SERVER_CATALOG_CONVERT_H_
