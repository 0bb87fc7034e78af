#include "daemon/registry/manifest_parser.h"

#include <gtest/gtest.h>

#include "tests/daemon/registry/plugin_files.h"

namespace astrolabe::registry {
namespace {

constexpr char kFull[] = R"({
  "schema": 1, "id": "org.astrolabe.sliding_tile", "version": "1.0.0",
  "abi": {"major": 1, "minor": 0, "min_host_minor": 0, "later": true},
  "isa": "x86-64", "licence": "Apache-2.0", "unknown": [1, 2],
  "problems": [{
    "id": "sliding_tile", "summary": "tiles", "doc": "long", "instance_syntax": "rows",
    "examples": [{"title": "easy", "text": "1 2 3"}],
    "default_algorithm": "idastar", "default_heuristic": "manhattan", "state_layout": "sliding_tile/1",
    "params": [
      {"name": "goal", "type": "string", "default": "blank-last", "choices": ["blank-last", "blank-first"], "doc": "d",
       "counting_default": "blank-first"},
      {"name": "weight", "type": "double", "default": "1.5", "min": "1", "max": "10"},
      {"name": "depth", "type": "int", "default": 3, "min": -1, "max": 9},
      {"name": "fast", "type": "bool", "default": true}]
  }],
  "heuristics": [
    {"id": "manhattan", "problem": "sliding_tile", "state_layout": "sliding_tile/1", "claims": ["admissible", "consistent", "new"]},
    {"id": "perfect", "problem": "sliding_tile", "state_layout": "sliding_tile/1", "claims": ["perfect"],
     "objective_name": "moves left"},
    {"id": "wild", "problem": "sliding_tile", "state_layout": "sliding_tile/1"}]
})";

LoadError Refusal(const std::string& text) {
  std::variant<Manifest, LoadError> result = ParseManifest(text);
  if (std::holds_alternative<Manifest>(result)) {
    ADD_FAILURE() << "it was accepted";
    return {};
  }
  EXPECT_EQ(std::get<LoadError>(result).stage, "manifest");
  return std::get<LoadError>(result);
}

// kFull with one change.
std::string Changed(const std::string& from, const std::string& to) {
  std::string text = kFull;
  const size_t at = text.find(from);
  EXPECT_NE(at, std::string::npos) << from;
  return text.replace(at, from.size(), to);
}

TEST(ParseManifest, ReadsEverything) {
  std::variant<Manifest, LoadError> result = ParseManifest(kFull);
  ASSERT_TRUE(std::holds_alternative<Manifest>(result)) << std::get<LoadError>(result).message;
  const Manifest& manifest = std::get<Manifest>(result);
  EXPECT_EQ(manifest.id, "org.astrolabe.sliding_tile");
  EXPECT_EQ(manifest.version, "1.0.0");
  EXPECT_EQ(manifest.abi_major, 1);
  EXPECT_EQ(manifest.isa, "x86-64");
  EXPECT_EQ(manifest.licence, "Apache-2.0");
  EXPECT_EQ(manifest.raw, kFull);
  ASSERT_EQ(manifest.problems.size(), 1u);
  const ProblemEntry& problem = manifest.problems[0];
  EXPECT_EQ(problem.default_heuristic, "manhattan");
  EXPECT_EQ(problem.examples.at(0).text, "1 2 3");
  ASSERT_EQ(problem.params.size(), 4u);
  EXPECT_EQ(problem.params[0].choices.size(), 2u);
  EXPECT_EQ(std::get<std::string>(*problem.params[0].default_value), "blank-last");
  EXPECT_EQ(std::get<std::string>(*problem.params[0].counting_default), "blank-first");
  EXPECT_FALSE(problem.params[1].counting_default.has_value());
  EXPECT_EQ(std::get<double>(*problem.params[1].default_value), 1.5);
  EXPECT_EQ(std::get<int64_t>(*problem.params[2].min), -1);
  EXPECT_EQ(std::get<bool>(*problem.params[3].default_value), true);
  ASSERT_EQ(manifest.heuristics.size(), 3u);
  EXPECT_TRUE(manifest.heuristics[0].admissible && manifest.heuristics[0].consistent);
  EXPECT_TRUE(manifest.heuristics[1].admissible && manifest.heuristics[1].consistent);
  EXPECT_EQ(manifest.heuristics[0].objective_name, "");
  EXPECT_EQ(manifest.heuristics[1].objective_name, "moves left");
  EXPECT_FALSE(manifest.heuristics[2].admissible || manifest.heuristics[2].consistent);
}

TEST(ParseManifest, RefusesOtherMajorsWithBothNumbers) {
  LoadError error = Refusal(Changed(R"("major": 1)", R"("major": 2)"));
  EXPECT_EQ(error.code, LoadCode::kAbiTooNew);
  EXPECT_EQ(error.message, "the plugin has ABI major 2, this daemon has 1");
  error = Refusal(Changed(R"("major": 1)", R"("major": 0)"));
  EXPECT_EQ(error.code, LoadCode::kAbiTooOld);
  EXPECT_EQ(error.message, "the plugin has ABI major 0, this daemon has 1");
}

TEST(ParseManifest, JudgesTheMajorBeforeAShapeItDoesNotKnow) {
  EXPECT_EQ(Refusal(R"({"schema":1,"abi":{"major":2,"minor":0,"min_host_minor":0},"id":{"new":"shape"}})").code,
            LoadCode::kAbiTooNew);
  EXPECT_EQ(Refusal(Changed(R"("schema": 1)", R"("schema": 2)")).code, LoadCode::kAbiTooNew);
}

TEST(ParseManifest, RefusesAPluginThatNeedsANewerHostAndLoadsANewerMinor) {
  EXPECT_EQ(Refusal(Changed(R"("min_host_minor": 0)", R"("min_host_minor": 7)")).code, LoadCode::kAbiTooNew);
  EXPECT_TRUE(std::holds_alternative<Manifest>(ParseManifest(Changed(R"("minor": 0)", R"("minor": 7)"))));
}

TEST(ParseManifest, RefusesWhatIsNoJsonObject) {
  for (const std::string& text : {std::string("{"), std::string("[]"), std::string("\"x\""), std::string("nonsense"),
                                  std::string("{} {}"), std::string("\xff"), std::string(100000, '['), std::string()}) {
    EXPECT_EQ(Refusal(text).code, LoadCode::kCorrupt) << text.substr(0, 20);
  }
  EXPECT_EQ(Refusal("{\"a\":\"" + std::string(kMaxManifestBytes, 'x') + "\"}").message,
            "the manifest has an impossible size");
}

TEST(ParseManifest, NamesEachFault) {
  const std::pair<std::string, std::string> kCases[][2] = {
      {{R"("id": "org.astrolabe.sliding_tile")", R"("id": "nodots")"}, {"id: expected a reverse-domain name", ""}},
      {{R"("id": "org.astrolabe.sliding_tile")", R"("id": 7)"}, {"id: expected a text, found number", ""}},
      {{R"("version": "1.0.0",)", ""}, {"version: it is missing", ""}},
      {{R"("isa": "x86-64")", R"("isa": "z80")"}, {"isa: expected x86-64", ""}},
      {{R"("id": "sliding_tile")", R"("id": "Sliding Tile")"}, {"problems[0].id: expected [a-z][a-z0-9_]*", ""}},
      {{R"("id": "perfect")", R"("id": "manhattan")"}, {"heuristics: the id 'manhattan' is there twice", ""}},
      {{R"("type": "int")", R"("type": "float")"},
       {"problems[0].params[2].type: expected bool, int, double or string", ""}},
      {{R"("default": 3)", R"("default": 30)"}, {"problems[0].params[2].default: it lies outside min and max", ""}},
      {{R"("default": 3)", R"("default": 3.5)"}, {"problems[0].params[2].default: expected a value of type int", ""}},
      {{R"("default": 3)", R"("default": 18446744073709551615)"},
       {"problems[0].params[2].default: expected a value of type int", ""}},
      {{R"("default": "1.5")", R"("default": "1.5x")"},
       {"problems[0].params[1].default: expected a value of type double", ""}},
      {{R"("max": "10")", R"("max": "inf")"}, {"problems[0].params[1].max: expected a value of type double", ""}},
      {{R"("max": "10")", R"("max": "0")"}, {"problems[0].params[1].max: it is below min", ""}},
      {{R"("default": "blank-last")", R"("default": "other")"},
       {"problems[0].params[0].default: it is none of the choices", ""}},
      {{R"("counting_default": "blank-first")", R"("counting_default": "other")"},
       {"problems[0].params[0].counting_default: it is none of the choices", ""}},
      {{R"("counting_default": "blank-first")", R"("counting_default": 1)"},
       {"problems[0].params[0].counting_default: expected a value of type string", ""}},
      {{R"("objective_name": "moves left")", R"("objective_name": 1)"},
       {"heuristics[1].objective_name: expected a text", ""}},
      {{R"("objective_name": "moves left")", R"("objective_name": "moves\nleft")"},
       {"heuristics[1].objective_name: expected one line", ""}},
      {{R"("name": "fast")", R"("name": "depth")"}, {"problems[0].params: the name 'depth' is there twice", ""}},
      {{R"("claims": ["perfect"])", R"("claims": [1])"}, {"heuristics[1].claims: expected texts", ""}},
      {{R"("state_layout": "sliding_tile/1",
    "params")",
        R"("params")"},
       {"problems[0].state_layout: it is missing", ""}},
      {{R"("heuristics": [)", R"("heuristics": [7, )"}, {"heuristics[0].id: expected an object around it", ""}},
  };
  for (const auto& [change, expected] : kCases) {
    const LoadError error = Refusal(Changed(change.first, change.second));
    EXPECT_EQ(error.code, LoadCode::kCorrupt) << change.second;
    EXPECT_NE(error.message.find(expected.first), std::string::npos) << error.message;
    EXPECT_FALSE(error.hint.empty());
  }
}

TEST(ParseManifest, NamesAllFaultsAtOnce) {
  const LoadError error = Refusal(R"({"schema":1,"id":"x","abi":{"major":1,"minor":0,"min_host_minor":0}})");
  for (const char* part :
       {"id: expected", "version: it is missing", "isa: it is missing", "expected a problem or a heuristic"}) {
    EXPECT_NE(error.message.find(part), std::string::npos) << error.message;
  }
}

TEST(ParseManifest, IsNotFooledByBracketsInsideTexts) {
  EXPECT_TRUE(std::holds_alternative<Manifest>(
      ParseManifest(Changed(R"("doc": "long")", R"("doc": "[[[[[[[[[[[[[[[[[[[[[[[[ \" [[[")"))));
}

TEST(ParseManifest, LimitsTheNumberOfEntries) {
  ManifestText text;
  text.heuristics.clear();
  for (int i = 0; i < 257; ++i) text.heuristics.push_back("h" + std::to_string(i));
  EXPECT_NE(Refusal(text.Json()).message.find("expected a list of at most 256, found 257"), std::string::npos);
}

}  // namespace
}  // namespace astrolabe::registry
