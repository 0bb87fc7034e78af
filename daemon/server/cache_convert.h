// A file of the plugin cache as the API tells it.
#ifndef ASTROLABE_DAEMON_SERVER_CACHE_CONVERT_H_
#define ASTROLABE_DAEMON_SERVER_CACHE_CONVERT_H_

#include "astrolabe/v1/cache.pb.h"
#include "daemon/server/cache_store.h"

namespace astrolabe::server {

v1::CacheFile ToProto(const CacheEntry& entry);

}  // namespace astrolabe::server

#endif  // ASTROLABE_DAEMON_SERVER_CACHE_CONVERT_H_
