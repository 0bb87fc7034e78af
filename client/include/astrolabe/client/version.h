#ifndef ASTROLABE_CLIENT_VERSION_H_
#define ASTROLABE_CLIENT_VERSION_H_

#include "astrolabe/client/export.h"

namespace astrolabe::client {

// Of this library, for example "0.1.0".
ASTROLABE_CLIENT_EXPORT const char* Version();

}  // namespace astrolabe::client

#endif  // ASTROLABE_CLIENT_VERSION_H_
