// Parameters against their declarations.
#ifndef ASTROLABE_DAEMON_JOBS_PARAM_CHECK_H_
#define ASTROLABE_DAEMON_JOBS_PARAM_CHECK_H_

#include <string>
#include <vector>

#include "astrolabe/v1/catalog.pb.h"
#include "daemon/jobs/fault_list.h"
#include "daemon/registry/registry.h"
#include "google/protobuf/map.h"

namespace astrolabe::jobs {

using ParamMap = google::protobuf::Map<std::string, v1::ParamValue>;

// Checks names, types (an int is taken for a double, and what is on or off may be a bool or one of the
// strings on, off, true and false; nothing else is converted), bounds and choices, and adds the
// defaults of what is missing. `field` is the path of the map, `owner` whom the parameters belong to, for people.
void CheckParams(const std::vector<v1::ParamSpec>& declared, const std::string& field, const std::string& owner,
                 ParamMap* params, FaultList* faults);

// The same for a manifest's declarations.
std::vector<v1::ParamSpec> Declarations(const std::vector<registry::ParamSpec>& params);

}  // namespace astrolabe::jobs

#endif  // ASTROLABE_DAEMON_JOBS_PARAM_CHECK_H_
