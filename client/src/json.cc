#include "astrolabe/client/json.h"

#include "client/src/convert_cache.h"
#include "client/src/convert_catalog.h"
#include "client/src/convert_evaluate.h"
#include "client/src/convert_event.h"
#include "client/src/convert_path.h"
#include "client/src/convert_result.h"
#include "client/src/convert_server.h"
#include "client/src/proto_json.h"

namespace astrolabe::client {
namespace {

template <typename Proto, typename Struct>
std::string Json(const char* message, const Struct& value) {
  Proto proto;
  ToProto(value, &proto);
  return BinaryToJson(message, proto.SerializeAsString());
}

}  // namespace

std::string ToJson(const Event& event) { return Json<v1::Event>("astrolabe.v1.Event", event); }
std::string ToJson(const Result& result) { return Json<v1::Result>("astrolabe.v1.Result", result); }
std::string ToJson(const Job& job) { return Json<v1::Job>("astrolabe.v1.Job", job); }
std::string ToJson(const ProblemInfo& problem) { return Json<v1::ProblemInfo>("astrolabe.v1.ProblemInfo", problem); }
std::string ToJson(const HeuristicInfo& heuristic) {
  return Json<v1::HeuristicInfo>("astrolabe.v1.HeuristicInfo", heuristic);
}
std::string ToJson(const AlgorithmInfo& algorithm) {
  return Json<v1::AlgorithmInfo>("astrolabe.v1.AlgorithmInfo", algorithm);
}
std::string ToJson(const Plugin& plugin) { return Json<v1::Plugin>("astrolabe.v1.Plugin", plugin); }
std::string ToJson(const CacheFile& file) { return Json<v1::CacheFile>("astrolabe.v1.CacheFile", file); }
std::string ToJson(const ServerInfo& info) {
  return Json<v1::GetServerInfoResponse>("astrolabe.v1.GetServerInfoResponse", info);
}
std::string ToJson(const CheckedInstance& instance) {
  return Json<v1::ValidateInstanceResponse>("astrolabe.v1.ValidateInstanceResponse", instance);
}
std::string ToJson(const Evaluations& evaluations) {
  return Json<v1::EvaluateStatesResponse>("astrolabe.v1.EvaluateStatesResponse", evaluations);
}
std::string ToJson(const CheckedPath& path) {
  return Json<v1::ValidatePathResponse>("astrolabe.v1.ValidatePathResponse", path);
}

}  // namespace astrolabe::client
