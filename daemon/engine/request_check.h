// What is wrong with a request, before anything is searched.
#ifndef ASTROLABE_DAEMON_ENGINE_REQUEST_CHECK_H_
#define ASTROLABE_DAEMON_ENGINE_REQUEST_CHECK_H_

#include <vector>

#include "daemon/engine/params.h"
#include "daemon/engine/search.h"

namespace astrolabe::engine {

// Appends every fault to `violations`. algorithm: its row in the catalogue; negative: it is not known. The result is
// the algorithm's parameters, usable when there was no fault.
Params CheckRequest(const SearchRequest& request, int algorithm, std::vector<Violation>& violations);

}  // namespace astrolabe::engine

#endif  // ASTROLABE_DAEMON_ENGINE_REQUEST_CHECK_H_
