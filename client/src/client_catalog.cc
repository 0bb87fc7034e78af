// The catalogue part of Client.
#include "astrolabe/client/client.h"
#include "client/src/connection.h"
#include "client/src/convert_catalog.h"

namespace astrolabe::client {
namespace {

using Catalog = v1::CatalogService::Stub;

}  // namespace

absl::StatusOr<std::vector<ProblemInfo>> Client::ListProblems() {
  std::vector<ProblemInfo> problems;
  v1::ListProblemsRequest request;
  do {
    v1::ListProblemsResponse response;
    const absl::Status status =
        connection_->Call(connection_->site(), connection_->catalog.get(), &Catalog::ListProblems, request, &response);
    if (!status.ok()) return status;
    for (const v1::ProblemInfo& info : response.problems()) problems.push_back(FromProto(info));
    request.set_page_token(response.next_page_token());
  } while (!request.page_token().empty());
  return problems;
}

absl::StatusOr<std::vector<HeuristicInfo>> Client::ListHeuristics(const std::string& problem) {
  std::vector<HeuristicInfo> heuristics;
  v1::ListHeuristicsRequest request;
  request.set_problem(problem);
  do {
    v1::ListHeuristicsResponse response;
    const absl::Status status = connection_->Call(connection_->site(), connection_->catalog.get(),
                                                  &Catalog::ListHeuristics, request, &response);
    if (!status.ok()) return status;
    for (const v1::HeuristicInfo& info : response.heuristics()) heuristics.push_back(FromProto(info));
    request.set_page_token(response.next_page_token());
  } while (!request.page_token().empty());
  return heuristics;
}

absl::StatusOr<std::vector<AlgorithmInfo>> Client::ListAlgorithms() {
  std::vector<AlgorithmInfo> algorithms;
  v1::ListAlgorithmsRequest request;
  do {
    v1::ListAlgorithmsResponse response;
    const absl::Status status = connection_->Call(connection_->site(), connection_->catalog.get(),
                                                  &Catalog::ListAlgorithms, request, &response);
    if (!status.ok()) return status;
    for (const v1::AlgorithmInfo& info : response.algorithms()) algorithms.push_back(FromProto(info));
    request.set_page_token(response.next_page_token());
  } while (!request.page_token().empty());
  return algorithms;
}

absl::StatusOr<ProblemInfo> Client::GetProblem(const std::string& id) {
  v1::GetProblemRequest request;
  request.set_id(id);
  v1::GetProblemResponse response;
  const absl::Status status =
      connection_->Call(connection_->site(), connection_->catalog.get(), &Catalog::GetProblem, request, &response);
  if (!status.ok()) return status;
  return FromProto(response.problem());
}

absl::StatusOr<HeuristicInfo> Client::GetHeuristic(const std::string& id) {
  v1::GetHeuristicRequest request;
  request.set_id(id);
  v1::GetHeuristicResponse response;
  const absl::Status status =
      connection_->Call(connection_->site(), connection_->catalog.get(), &Catalog::GetHeuristic, request, &response);
  if (!status.ok()) return status;
  return FromProto(response.heuristic());
}

absl::StatusOr<AlgorithmInfo> Client::GetAlgorithm(const std::string& id) {
  v1::GetAlgorithmRequest request;
  request.set_id(id);
  v1::GetAlgorithmResponse response;
  const absl::Status status =
      connection_->Call(connection_->site(), connection_->catalog.get(), &Catalog::GetAlgorithm, request, &response);
  if (!status.ok()) return status;
  return FromProto(response.algorithm());
}

}  // namespace astrolabe::client
