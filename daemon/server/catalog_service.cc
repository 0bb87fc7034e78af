#include "daemon/server/catalog_service.h"

#include <algorithm>
#include <memory>
#include <string>
#include <vector>

#include "daemon/server/catalog_convert.h"
#include "daemon/server/paging.h"
#include "daemon/server/unary.h"

namespace astrolabe::server {
namespace {

// `kind`: "problem"; `reason`: "UNKNOWN_PROBLEM"; `nearest` may be empty.
Error Unknown(const std::string& kind, const char* reason, const std::string& id, const std::string& nearest) {
  std::string message = "there is no " + kind + " \"" + id + "\"";
  if (!nearest.empty()) message += "; did you mean \"" + nearest + "\"?";
  Error error = MakeError(ErrorCode::kNotFound, reason, std::move(message));
  error.metadata["id"] = id;
  if (!nearest.empty()) error.metadata["did_you_mean"] = nearest;
  return error;
}

std::string Joined(const std::vector<v1::AlgorithmInfo>& algorithms) {
  std::string out;
  for (const v1::AlgorithmInfo& algorithm : algorithms) out += (out.empty() ? "" : ", ") + algorithm.id();
  return out;
}

}  // namespace

grpc::ServerUnaryReactor* CatalogService::ListProblems(grpc::CallbackServerContext* context,
                                                       const v1::ListProblemsRequest* request,
                                                       v1::ListProblemsResponse* response) {
  context_->activity.Touch();
  const std::shared_ptr<const registry::Catalog> catalog = registry_->catalog();
  std::vector<v1::ProblemInfo> all;
  for (const auto& [id, problem] : catalog->problems) all.push_back(ToProto(problem));
  return Answer(context, ToGrpcStatus(TakePage(std::move(all), request->page_size(), request->page_token(),
                                               response->mutable_problems(), response->mutable_next_page_token())));
}

grpc::ServerUnaryReactor* CatalogService::ListHeuristics(grpc::CallbackServerContext* context,
                                                         const v1::ListHeuristicsRequest* request,
                                                         v1::ListHeuristicsResponse* response) {
  context_->activity.Touch();
  const std::shared_ptr<const registry::Catalog> catalog = registry_->catalog();
  if (!request->problem().empty() && catalog->problems.find(request->problem()) == catalog->problems.end()) {
    return Answer(context, ToGrpcStatus(Unknown("problem", "UNKNOWN_PROBLEM", request->problem(),
                                                catalog->NearestProblem(request->problem()))));
  }
  std::vector<v1::HeuristicInfo> all;
  for (const auto& [id, heuristic] : catalog->heuristics) {
    if (request->problem().empty() || heuristic.entry.problem == request->problem()) all.push_back(ToProto(heuristic));
  }
  return Answer(context, ToGrpcStatus(TakePage(std::move(all), request->page_size(), request->page_token(),
                                               response->mutable_heuristics(), response->mutable_next_page_token())));
}

grpc::ServerUnaryReactor* CatalogService::ListAlgorithms(grpc::CallbackServerContext* context,
                                                         const v1::ListAlgorithmsRequest* request,
                                                         v1::ListAlgorithmsResponse* response) {
  context_->activity.Touch();
  return Answer(context, ToGrpcStatus(TakePage(jobs_->Algorithms(), request->page_size(), request->page_token(),
                                               response->mutable_algorithms(), response->mutable_next_page_token())));
}

grpc::ServerUnaryReactor* CatalogService::GetProblem(grpc::CallbackServerContext* context,
                                                     const v1::GetProblemRequest* request,
                                                     v1::GetProblemResponse* response) {
  context_->activity.Touch();
  const std::shared_ptr<const registry::Catalog> catalog = registry_->catalog();
  const auto found = catalog->problems.find(request->id());
  if (found == catalog->problems.end()) {
    return Answer(context, ToGrpcStatus(Unknown("problem", "UNKNOWN_PROBLEM", request->id(),
                                                catalog->NearestProblem(request->id()))));
  }
  *response->mutable_problem() = ToProto(found->second);
  return Answer(context, grpc::Status::OK);
}

grpc::ServerUnaryReactor* CatalogService::GetHeuristic(grpc::CallbackServerContext* context,
                                                       const v1::GetHeuristicRequest* request,
                                                       v1::GetHeuristicResponse* response) {
  context_->activity.Touch();
  const std::shared_ptr<const registry::Catalog> catalog = registry_->catalog();
  const auto found = catalog->heuristics.find(request->id());
  if (found == catalog->heuristics.end()) {
    return Answer(context, ToGrpcStatus(Unknown("heuristic", "UNKNOWN_HEURISTIC", request->id(),
                                                catalog->NearestHeuristic(request->id()))));
  }
  *response->mutable_heuristic() = ToProto(found->second);
  return Answer(context, grpc::Status::OK);
}

grpc::ServerUnaryReactor* CatalogService::GetAlgorithm(grpc::CallbackServerContext* context,
                                                       const v1::GetAlgorithmRequest* request,
                                                       v1::GetAlgorithmResponse* response) {
  context_->activity.Touch();
  const std::vector<v1::AlgorithmInfo> all = jobs_->Algorithms();
  const auto found = std::find_if(all.begin(), all.end(), [&](const auto& a) { return a.id() == request->id(); });
  if (found == all.end()) {
    Error error = Unknown("algorithm", "UNKNOWN_ALGORITHM", request->id(), "");
    error.message += "; there are: " + Joined(all);
    return Answer(context, ToGrpcStatus(error));
  }
  *response->mutable_algorithm() = *found;
  return Answer(context, grpc::Status::OK);
}

}  // namespace astrolabe::server
