#include "daemon/server/catalog_service.h"

#include "tests/daemon/server/harness.h"

namespace astrolabe::server {
namespace {

class CatalogTest : public ::testing::Test {
 protected:
  CatalogTest() {
    for (const char* id : {"astar", "idastar", "bfs"}) {
      v1::AlgorithmInfo algorithm;
      algorithm.set_id(id);
      h.jobs.algorithms.push_back(algorithm);
    }
    stub = v1::CatalogService::NewStub(h.UserChannel());
  }
  Harness h;
  std::unique_ptr<v1::CatalogService::Stub> stub;
};

TEST_F(CatalogTest, ListsWhatManifestsDeclare) {
  grpc::ClientContext context;
  v1::ListProblemsResponse response;
  ASSERT_TRUE(stub->ListProblems(&context, v1::ListProblemsRequest(), &response).ok());
  ASSERT_EQ(response.problems_size(), 1);
  const v1::ProblemInfo& tiles = response.problems(0);
  EXPECT_EQ(tiles.id(), "tiles");
  EXPECT_EQ(tiles.plugin(), "org.test.tiles");
  EXPECT_EQ(tiles.version(), "1.2.3");
  EXPECT_EQ(tiles.examples(0).text(), "1 2 0");
  EXPECT_EQ(tiles.params(0).type(), v1::PARAM_TYPE_INT);
  EXPECT_EQ(tiles.params(0).default_value().int_value(), 3);
  EXPECT_EQ(tiles.params(0).min().int_value(), 2);
  EXPECT_FALSE(tiles.params(0).has_max());
}

TEST_F(CatalogTest, PagesAreHonouredAndEndWithoutAToken) {
  v1::ListHeuristicsRequest request;
  request.set_page_size(1);
  v1::ListHeuristicsResponse response;
  grpc::ClientContext first;
  ASSERT_TRUE(stub->ListHeuristics(&first, request, &response).ok());
  ASSERT_EQ(response.heuristics_size(), 1);
  EXPECT_EQ(response.heuristics(0).id(), "hamming");
  ASSERT_FALSE(response.next_page_token().empty());
  request.set_page_token(response.next_page_token());
  grpc::ClientContext second;
  response.Clear();
  ASSERT_TRUE(stub->ListHeuristics(&second, request, &response).ok());
  ASSERT_EQ(response.heuristics_size(), 1);
  EXPECT_EQ(response.heuristics(0).id(), "manhattan");
  EXPECT_TRUE(response.heuristics(0).admissible());
  EXPECT_TRUE(response.next_page_token().empty());
}

TEST_F(CatalogTest, BadPagesAreInvalidArguments) {
  v1::ListAlgorithmsRequest request;
  v1::ListAlgorithmsResponse response;
  request.set_page_size(-1);
  request.set_page_token("nothing");
  grpc::ClientContext context;
  const grpc::Status status = stub->ListAlgorithms(&context, request, &response);
  EXPECT_EQ(status.error_code(), grpc::StatusCode::INVALID_ARGUMENT);
  EXPECT_EQ(FindDetail<rpc::v1::BadRequest>(status, "BadRequest").field_violations_size(), 2);
}

TEST_F(CatalogTest, AlgorithmsKeepTheEnginesOrder) {
  v1::ListAlgorithmsRequest request;
  v1::ListAlgorithmsResponse response;
  request.set_page_token("astar");
  grpc::ClientContext context;
  ASSERT_TRUE(stub->ListAlgorithms(&context, request, &response).ok());
  ASSERT_EQ(response.algorithms_size(), 2);
  EXPECT_EQ(response.algorithms(0).id(), "idastar");
}

TEST_F(CatalogTest, HeuristicsOfAnUnknownProblemAreNotFoundWithASuggestion) {
  v1::ListHeuristicsRequest request;
  request.set_problem("tile");
  v1::ListHeuristicsResponse response;
  grpc::ClientContext context;
  const grpc::Status status = stub->ListHeuristics(&context, request, &response);
  EXPECT_EQ(status.error_code(), grpc::StatusCode::NOT_FOUND);
  EXPECT_NE(status.error_message().find("did you mean \"tiles\""), std::string::npos) << status.error_message();
}

TEST_F(CatalogTest, GetFindsOneOrSaysWhatThereIs) {
  grpc::ClientContext first;
  v1::GetHeuristicRequest heuristic;
  heuristic.set_id("manhattan");
  v1::GetHeuristicResponse found;
  ASSERT_TRUE(stub->GetHeuristic(&first, heuristic, &found).ok());
  EXPECT_EQ(found.heuristic().problem(), "tiles");

  grpc::ClientContext second;
  v1::GetAlgorithmRequest algorithm;
  algorithm.set_id("dijkstra");
  v1::GetAlgorithmResponse none;
  const grpc::Status status = stub->GetAlgorithm(&second, algorithm, &none);
  EXPECT_EQ(status.error_code(), grpc::StatusCode::NOT_FOUND);
  EXPECT_NE(status.error_message().find("astar, idastar, bfs"), std::string::npos);
  EXPECT_EQ(FindDetail<rpc::v1::ErrorInfo>(status, "ErrorInfo").reason(), "UNKNOWN_ALGORITHM");
}

}  // namespace
}  // namespace astrolabe::server
