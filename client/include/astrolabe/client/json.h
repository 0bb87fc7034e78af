// Proto JSON of the messages behind these structs: lowerCamelCase names, enums by name, 64-bit integers as strings,
// durations as "1.5s", bytes in base64, defaults left out (https://protobuf.dev/programming-guides/json). One line.
// Thread-safe.
#ifndef ASTROLABE_CLIENT_JSON_H_
#define ASTROLABE_CLIENT_JSON_H_

#include <string>

#include "astrolabe/client/cache.h"
#include "astrolabe/client/catalog.h"
#include "astrolabe/client/evaluate.h"
#include "astrolabe/client/event.h"
#include "astrolabe/client/export.h"
#include "astrolabe/client/path.h"
#include "astrolabe/client/server.h"

namespace astrolabe::client {

ASTROLABE_CLIENT_EXPORT std::string ToJson(const Event& event);
ASTROLABE_CLIENT_EXPORT std::string ToJson(const Result& result);
ASTROLABE_CLIENT_EXPORT std::string ToJson(const Job& job);
ASTROLABE_CLIENT_EXPORT std::string ToJson(const ProblemInfo& problem);
ASTROLABE_CLIENT_EXPORT std::string ToJson(const HeuristicInfo& heuristic);
ASTROLABE_CLIENT_EXPORT std::string ToJson(const AlgorithmInfo& algorithm);
ASTROLABE_CLIENT_EXPORT std::string ToJson(const Plugin& plugin);
ASTROLABE_CLIENT_EXPORT std::string ToJson(const CacheFile& file);
ASTROLABE_CLIENT_EXPORT std::string ToJson(const ServerInfo& info);
ASTROLABE_CLIENT_EXPORT std::string ToJson(const CheckedInstance& instance);
ASTROLABE_CLIENT_EXPORT std::string ToJson(const Evaluations& evaluations);
ASTROLABE_CLIENT_EXPORT std::string ToJson(const CheckedPath& path);

}  // namespace astrolabe::client

#endif  // ASTROLABE_CLIENT_JSON_H_
