#include "astrolabe/client/version.h"

namespace astrolabe::client {

const char* Version() { return ASTROLABE_VERSION; }

}  // namespace astrolabe::client
