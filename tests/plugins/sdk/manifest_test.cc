#include "astrolabe/sdk/manifest.h"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "counter.h"

namespace {

constexpr std::string_view kModes[] = {"fast", "slow"};
constexpr astro::ParamSpec kParams[] = {
    astro::BoolParam("mirror", true, "use mirrored tables"),
    astro::IntParam("depth", -3, -9, 9, "how deep"),
    astro::DoubleParam("weight", "1.5", "1", "", "weight"),
    astro::StringParam("mode", "fast", "which", kModes),
    astro::DefaultForCounting(astro::Optional(astro::StringParam("file", "", "may be missing")),
                              astro::ParamValue::Text("all")),
};

struct Many {
  static constexpr astro::HeuristicInfo kInfo{
      .id = "many", .summary = "s", .admissible = true, .parity = true, .params = kParams, .objective_name = "ticks"};
  explicit Many(const counter::Instance&) {}
  int Evaluate(const counter::Position&) const { return 0; }
};

}  // namespace

ASTRO_PLUGIN("org.example.counter-test", "2.1", astro::Problem<counter::Counter>,
             astro::Heuristic<Many, counter::Domain>, astro::Heuristic<counter::Distance, counter::Domain>);

namespace {

const astro_plugin_v1& Plugin() { return astro_plugin_definition::kEntry; }
nlohmann::json Manifest() { return nlohmann::json::parse(astro::ToView(Plugin().manifest)); }

TEST(Manifest, NamesThePluginAndItsAbi) {
  const nlohmann::json manifest = Manifest();
  EXPECT_EQ(manifest["schema"], 1);
  EXPECT_EQ(manifest["id"], "org.example.counter-test");
  EXPECT_EQ(manifest["version"], "2.1");
  EXPECT_EQ(manifest["abi"], nlohmann::json({{"major", 1}, {"minor", 0}, {"min_host_minor", 0}}));
  EXPECT_EQ(manifest["isa"].get<std::string>().substr(0, 6), "x86-64");
}

TEST(Manifest, EscapesText) { EXPECT_EQ(Manifest()["problems"][0]["summary"], "counts \"up\"\n\tand down"); }

TEST(Manifest, ListsEveryHeuristicWithItsClaims) {
  const nlohmann::json heuristics = Manifest()["heuristics"];
  ASSERT_EQ(heuristics.size(), 2u);
  EXPECT_EQ(heuristics[0]["claims"], nlohmann::json({"admissible", "parity"}));
  EXPECT_EQ(heuristics[0]["problem"], "counter");
  EXPECT_EQ(heuristics[0]["state_layout"], "counter/1");
  EXPECT_EQ(heuristics[0]["objective_name"], "ticks");
  EXPECT_EQ(heuristics[1]["id"], "distance");
  EXPECT_FALSE(heuristics[1].contains("objective_name"));
}

TEST(Manifest, WritesParametersByTheirType) {
  const nlohmann::json params = Manifest()["heuristics"][0]["params"];
  EXPECT_EQ(params[0]["default"], true);
  EXPECT_EQ(params[1],
            nlohmann::json(
                {{"name", "depth"}, {"type", "int"}, {"default", -3}, {"min", -9}, {"max", 9}, {"doc", "how deep"}}));
  EXPECT_EQ(
      params[2],
      nlohmann::json({{"name", "weight"}, {"type", "double"}, {"default", "1.5"}, {"min", "1"}, {"doc", "weight"}}));
  EXPECT_EQ(params[3]["choices"], nlohmann::json({"fast", "slow"}));
  EXPECT_FALSE(params[4].contains("default"));
  EXPECT_EQ(params[4]["counting_default"], "all");
  EXPECT_FALSE(params[3].contains("counting_default"));
}

TEST(Manifest, AgreesWithTheEntries) {
  ASSERT_EQ(Plugin().problem_count(), 1u);
  ASSERT_EQ(Plugin().heuristic_count(), 2u);
  EXPECT_EQ(astro::ToView(Plugin().problem(0)->id), "counter");
  EXPECT_EQ(astro::ToView(Plugin().heuristic(1)->id), "distance");
  EXPECT_EQ(Plugin().problem(1), nullptr);
  EXPECT_EQ(Plugin().heuristic(2), nullptr);
  EXPECT_EQ(Plugin().magic, ASTRO_PLUGIN_MAGIC);
  EXPECT_EQ(Plugin().struct_size, sizeof(astro_plugin_v1));
}

TEST(Manifest, RefusesIdsThatAreNone) {
  static_assert(astro::internal::IsId("my_h2") && !astro::internal::IsId("My") && !astro::internal::IsId("2h") &&
                !astro::internal::IsId(""));
  static_assert(astro::internal::IsPluginId("org.example.h-2") && !astro::internal::IsPluginId("example") &&
                !astro::internal::IsPluginId(".a") && !astro::internal::IsPluginId("a..b") &&
                !astro::internal::IsPluginId("a.b."));
}

}  // namespace
