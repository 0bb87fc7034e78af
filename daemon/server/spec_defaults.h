// What a spec's unset limits become. Kept in the server, not in the job table, because SIGHUP changes it.
#ifndef ASTROLABE_DAEMON_SERVER_SPEC_DEFAULTS_H_
#define ASTROLABE_DAEMON_SERVER_SPEC_DEFAULTS_H_

#include "astrolabe/v1/spec.pb.h"

namespace astrolabe::server {

// Every limit of `spec` that is 0 or unset takes the value of `defaults`.
void FillLimits(const v1::Limits& defaults, v1::JobSpec* spec);

}  // namespace astrolabe::server

#endif  // ASTROLABE_DAEMON_SERVER_SPEC_DEFAULTS_H_
