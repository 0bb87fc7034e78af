// The engine's algorithms as rows of the API's catalogue.
#ifndef ASTROLABE_DAEMON_WORKER_ALGORITHM_CATALOG_H_
#define ASTROLABE_DAEMON_WORKER_ALGORITHM_CATALOG_H_

#include <string_view>

#include "astrolabe/v1/catalog.pb.h"
#include "daemon/engine/search.h"

namespace astrolabe::worker {

// Null: the engine has no such algorithm.
const engine::AlgorithmDescription* FindAlgorithm(std::string_view id);

void FillAlgorithm(const engine::AlgorithmDescription& from, v1::AlgorithmInfo& out);

}  // namespace astrolabe::worker

#endif  // ASTROLABE_DAEMON_WORKER_ALGORITHM_CATALOG_H_
