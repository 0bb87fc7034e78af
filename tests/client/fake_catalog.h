// The double's CatalogService: one problem, two heuristics in pages of one, one algorithm.
#ifndef ASTROLABE_TESTS_CLIENT_FAKE_CATALOG_H_
#define ASTROLABE_TESTS_CLIENT_FAKE_CATALOG_H_

#include <string>

#include "astrolabe/v1/catalog.grpc.pb.h"
#include "tests/client/rich_error.h"

namespace astrolabe::testing {

class FakeCatalog : public v1::CatalogService::Service {
 public:
  grpc::Status ListProblems(grpc::ServerContext*, const v1::ListProblemsRequest*,
                            v1::ListProblemsResponse* response) override {
    *response->add_problems() = Problem();
    return grpc::Status::OK;
  }
  grpc::Status ListHeuristics(grpc::ServerContext*, const v1::ListHeuristicsRequest* request,
                              v1::ListHeuristicsResponse* response) override {
    *response->add_heuristics() = Heuristic(request->page_token().empty() ? "manhattan" : "hamming");
    if (request->page_token().empty()) response->set_next_page_token("more");
    return grpc::Status::OK;
  }
  grpc::Status ListAlgorithms(grpc::ServerContext*, const v1::ListAlgorithmsRequest*,
                              v1::ListAlgorithmsResponse* response) override {
    response->add_algorithms()->set_id("astar");
    return grpc::Status::OK;
  }
  grpc::Status GetProblem(grpc::ServerContext*, const v1::GetProblemRequest* request,
                          v1::GetProblemResponse* response) override {
    if (request->id() != "sliding_tile") return None(request->id());
    *response->mutable_problem() = Problem();
    return grpc::Status::OK;
  }
  grpc::Status GetHeuristic(grpc::ServerContext*, const v1::GetHeuristicRequest* request,
                            v1::GetHeuristicResponse* response) override {
    if (request->id() != "manhattan" && request->id() != "hamming") return None(request->id());
    *response->mutable_heuristic() = Heuristic(request->id());
    return grpc::Status::OK;
  }
  grpc::Status GetAlgorithm(grpc::ServerContext*, const v1::GetAlgorithmRequest* request,
                            v1::GetAlgorithmResponse* response) override {
    if (request->id() != "astar") return None(request->id());
    response->mutable_algorithm()->set_id("astar");
    return grpc::Status::OK;
  }

 private:
  static v1::ProblemInfo Problem() {
    v1::ProblemInfo info;
    info.set_id("sliding_tile");
    info.set_summary("Sliding tiles");
    info.set_instance_syntax("N, then N rows");
    info.set_default_algorithm("astar");
    info.set_default_heuristic("manhattan");
    v1::ParamSpec* goal = info.add_params();
    goal->set_name("goal");
    goal->set_type(v1::PARAM_TYPE_STRING);
    return info;
  }

  static v1::HeuristicInfo Heuristic(const std::string& id) {
    v1::HeuristicInfo info;
    info.set_id(id);
    info.set_summary("Heuristic " + id);
    info.set_problem("sliding_tile");
    info.set_admissible(true);
    v1::ParamSpec* size = info.add_params();
    size->set_name("size");
    size->set_type(v1::PARAM_TYPE_INT);
    size->mutable_min()->set_int_value(1);
    size->mutable_max()->set_int_value(8);
    return info;
  }
  static grpc::Status None(const std::string& id) {
    return RichError(grpc::StatusCode::NOT_FOUND, "there is no \"" + id + "\"", "UNKNOWN");
  }
};

}  // namespace astrolabe::testing

#endif  // ASTROLABE_TESTS_CLIENT_FAKE_CATALOG_H_
