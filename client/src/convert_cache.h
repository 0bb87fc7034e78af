// astrolabe/v1/cache.proto <-> astrolabe/client/cache.h
#ifndef ASTROLABE_CLIENT_SRC_CONVERT_CACHE_H_
#define ASTROLABE_CLIENT_SRC_CONVERT_CACHE_H_

#include "astrolabe/client/cache.h"
#include "astrolabe/v1/cache.pb.h"

namespace astrolabe::client {

CacheFile FromProto(const v1::CacheFile& proto);
void ToProto(const CacheFile& file, v1::CacheFile* proto);

}  // namespace astrolabe::client

#endif  // ASTROLABE_CLIENT_SRC_CONVERT_CACHE_H_
