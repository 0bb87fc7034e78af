// registry::PluginRecord -> astrolabe.v1.Plugin, and a failed load -> Error.
#ifndef ASTROLABE_DAEMON_SERVER_PLUGIN_CONVERT_H_
#define ASTROLABE_DAEMON_SERVER_PLUGIN_CONVERT_H_

#include "astrolabe/v1/plugin.pb.h"
#include "daemon/base/result.h"
#include "daemon/registry/registry.h"

namespace astrolabe::server {

// Who reads: users get bare file names, admins paths.
enum class Audience { kUser, kAdmin };

v1::Plugin ToProto(const registry::PluginRecord& record, Audience audience);

// Precondition record.error. kFailedPrecondition whose message has code, stage, expected, found and hint
// in one sentence each, with the same as metadata. For admins.
Error LoadFailure(const registry::PluginRecord& record);

}  // namespace astrolabe::server

#endif  // ASTROLABE_DAEMON_SERVER_PLUGIN_CONVERT_H_
