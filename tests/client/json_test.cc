#include "astrolabe/client/json.h"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

namespace astrolabe::client {
namespace {

using nlohmann::json;

TEST(Json, AResultIsProtoJson) {
  Result result;
  result.outcome = Outcome::kSolved;
  result.proof = Proof::kOptimal;
  result.cost = 4;
  result.path.op_names = {"UP"};
  result.path.ops = {7};
  result.path.length = 1;
  result.statistics.generated = int64_t{1} << 60;
  result.statistics.search_time = std::chrono::milliseconds(1500);
  const json parsed = json::parse(ToJson(result));
  EXPECT_EQ(parsed["outcome"], "OUTCOME_SOLVED");
  EXPECT_EQ(parsed["proof"], "PROOF_OPTIMAL");
  EXPECT_EQ(parsed["cost"], "4") << "64-bit integers are strings";
  EXPECT_EQ(parsed["costScale"], "1");
  EXPECT_EQ(parsed["path"]["opNames"], json::array({"UP"}));
  EXPECT_EQ(parsed["path"]["ops"], json::array({7}));
  EXPECT_EQ(parsed["statistics"]["generated"], "1152921504606846976");
  EXPECT_EQ(parsed["statistics"]["searchTime"], "1.500s");
  EXPECT_FALSE(parsed.contains("limit")) << "defaults are left out";
}

TEST(Json, IsOneLine) {
  Result result;
  result.initial_state = "1 2\n3 0";
  EXPECT_EQ(ToJson(result).find('\n'), std::string::npos);
}

TEST(Json, ANodeEventHasItsStateInBase64) {
  NodeBatch batch;
  batch.count = 1;
  batch.nodes = {{NodeKind::kExpanding, 1, 2, 0, 3, 4, 5, "\x01\xff", ""}};
  const json parsed = json::parse(ToJson(Event{"jobs/1", 7, std::chrono::milliseconds(3), batch}));
  EXPECT_EQ(parsed["job"], "jobs/1");
  EXPECT_EQ(parsed["sequence"], "7");
  EXPECT_EQ(parsed["elapsed"], "0.003s");
  EXPECT_EQ(parsed["nodes"]["nodes"][0]["kind"], "NODE_KIND_EXPANDING");
  EXPECT_EQ(parsed["nodes"]["nodes"][0]["state"], "Af8=");
  EXPECT_EQ(parsed["nodes"]["nodes"][0]["node"], "2");
}

TEST(Json, EveryOtherMessageHasAForm) {
  EXPECT_EQ(json::parse(ToJson(Job{"jobs/1", JobState::kDone, {}, {}, {}, {}, {}, {}, 0, 0, 0, false, ""}))["state"],
            "JOB_STATE_DONE");
  EXPECT_EQ(json::parse(ToJson(ProblemInfo{.id = "p"}))["id"], "p");
  EXPECT_EQ(json::parse(ToJson(HeuristicInfo{.id = "h", .admissible = true}))["admissible"], true);
  EXPECT_EQ(json::parse(ToJson(AlgorithmInfo{.id = "a"}))["id"], "a");
  EXPECT_EQ(json::parse(ToJson(Plugin{.id = "x", .error = LoadError{.code = "NOT_ELF"}}))["error"]["code"],
            "LOAD_CODE_NOT_ELF");
  EXPECT_EQ(json::parse(ToJson(CacheFile{.id = "ab", .size_bytes = 7}))["sizeBytes"], "7");
  EXPECT_EQ(json::parse(ToJson(ServerInfo{.version = "1"}))["version"], "1");
  EXPECT_EQ(json::parse(ToJson(CheckedInstance{.size = "3 x 3", .solvable = Solvable::kNo}))["solvable"],
            "SOLVABLE_NO");
}

}  // namespace
}  // namespace astrolabe::client
