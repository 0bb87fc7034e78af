#include "daemon/jobs/spec_check.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "daemon/jobs/param_check.h"
#include "tests/daemon/jobs/fake_pool.h"
#include "tests/daemon/jobs/fake_registry.h"

namespace astrolabe::jobs {
namespace {

class SpecCheck : public ::testing::Test {
 protected:
  SpecCheck() {
    context.catalog = catalog.get();
    const auto& algorithms = pool.hello().algorithms();
    all.assign(algorithms.begin(), algorithms.end());
    context.algorithms = all;
    context.slots = 4;
    context.plugins = [this] { return registry.List(); };
    spec.set_problem("sliding_tile");
    spec.set_text("1 2 3");
  }
  Result<v1::JobSpec> Check() const { return CheckSpec(spec, context); }
  v1::JobSpec Filled() const {
    const Result<v1::JobSpec> result = Check();
    EXPECT_TRUE(result.ok()) << (result.ok() ? "" : result.error().message);
    return result.ok() ? *result : v1::JobSpec();
  }
  Error Fault() const {
    const Result<v1::JobSpec> result = Check();
    EXPECT_FALSE(result.ok());
    return result.ok() ? Error() : result.error();
  }
  // The description of the fault of `field`; empty when there is none.
  std::string FaultOf(const std::string& field) const {
    for (const FieldViolation& violation : Fault().violations) {
      if (violation.field == field) return violation.description;
    }
    return {};
  }

  FakePool pool;
  FakeRegistry registry;
  std::shared_ptr<const registry::Catalog> catalog = registry.catalog();
  std::vector<v1::AlgorithmInfo> all;
  SpecContext context;
  v1::JobSpec spec;
};

TEST_F(SpecCheck, FillsInAllDefaults) {
  context.default_limits.mutable_wall_time()->set_seconds(30);
  context.default_limits.set_max_memory_bytes(1000);
  spec.mutable_limits()->set_max_expansions(7);
  const v1::JobSpec filled = Filled();
  EXPECT_EQ(filled.algorithm().id(), "astar");
  EXPECT_EQ(filled.algorithm().params().at("ties").string_value(), "high_g");
  EXPECT_EQ(filled.algorithm().params().count("weight"), 0u) << "it has no default";
  ASSERT_EQ(filled.heuristics_size(), 1);
  EXPECT_EQ(filled.heuristics(0).id(), "manhattan");
  EXPECT_EQ(filled.heuristics(0).weight().numerator(), 1);
  EXPECT_EQ(filled.heuristics(0).weight().denominator(), 1);
  EXPECT_EQ(filled.params().at("goal").string_value(), "blank-last");
  EXPECT_EQ(filled.combine(), v1::COMBINE_MAX);
  EXPECT_EQ(filled.threads(), 1);
  EXPECT_EQ(filled.limits().wall_time().seconds(), 30);
  EXPECT_EQ(filled.limits().max_memory_bytes(), 1000);
  EXPECT_EQ(filled.limits().max_expansions(), 7);
}

TEST(ParamCheck, WhatIsOnOrOffMayBeABoolOrAWord) {
  v1::ParamSpec flag;
  flag.set_name("flag");
  flag.set_type(v1::PARAM_TYPE_BOOL);
  v1::ParamSpec mirror;
  mirror.set_name("mirror");
  mirror.set_type(v1::PARAM_TYPE_STRING);
  for (const char* choice : {"auto", "on", "off"}) mirror.add_choices(choice);
  v1::ParamSpec text;
  text.set_name("text");
  text.set_type(v1::PARAM_TYPE_STRING);
  const auto given = [&](const v1::ParamValue& value) {
    ParamMap params;
    for (const char* name : {"flag", "mirror"}) params[name] = value;
    FaultList faults;
    CheckParams({flag, mirror, text}, "params", "x", &params, &faults);
    EXPECT_TRUE(faults.empty());
    return params.at("mirror").string_value() + (params.at("flag").bool_value() ? " true" : " false");
  };
  v1::ParamValue value;
  for (const char* on : {"on", "true"}) {
    value.set_string_value(on);
    EXPECT_EQ(given(value), "on true");
  }
  for (const char* off : {"off", "false"}) {
    value.set_string_value(off);
    EXPECT_EQ(given(value), "off false");
  }
  value.set_bool_value(true);
  EXPECT_EQ(given(value), "on true");
  value.set_bool_value(false);
  EXPECT_EQ(given(value), "off false");
  // Nothing else is taken for one: a bool is no text, other words and numbers are no bool.
  ParamMap wrong;
  wrong["text"] = value;
  wrong["flag"].set_int_value(1);
  wrong["mirror"].set_string_value("On");
  FaultList faults;
  CheckParams({flag, mirror, text}, "params", "x", &wrong, &faults);
  EXPECT_EQ(faults.ToError().violations.size(), 3u);
}

TEST_F(SpecCheck, AnAlgorithmThatNeedsNoHeuristicGetsNone) {
  spec.mutable_algorithm()->set_id("bfs");
  EXPECT_EQ(Filled().heuristics_size(), 0);
}

TEST_F(SpecCheck, WhereSolutionsAreCountedParametersHaveTheirDefaultForThat) {
  spec.mutable_algorithm()->set_id("all");
  EXPECT_EQ(Filled().params().at("goal").string_value(), "any");
  (*spec.mutable_params())["goal"].set_string_value("blank-first");
  EXPECT_EQ(Filled().params().at("goal").string_value(), "blank-first");
}

TEST_F(SpecCheck, AWeightOfZeroIsKeptAndADenominatorOfZeroIsOne) {
  v1::HeuristicUse* use = spec.add_heuristics();
  use->set_id("manhattan");
  use->mutable_weight()->set_numerator(0);
  EXPECT_EQ(Filled().heuristics(0).weight().numerator(), 0);
  EXPECT_EQ(Filled().heuristics(0).weight().denominator(), 1);
}

TEST_F(SpecCheck, UnknownIdsAreNotFoundWithTheNearestName) {
  spec.set_problem("sliding_tiles");
  Error error = Fault();
  EXPECT_EQ(error.code, ErrorCode::kNotFound);
  EXPECT_EQ(error.reason, "UNKNOWN_PROBLEM");
  EXPECT_NE(error.message.find("did you mean 'sliding_tile'?"), std::string::npos) << error.message;
  spec.set_problem("sliding_tile");
  spec.add_heuristics()->set_id("manhatan");
  error = Fault();
  EXPECT_EQ(error.code, ErrorCode::kNotFound);
  EXPECT_EQ(error.reason, "UNKNOWN_HEURISTIC");
  EXPECT_NE(error.message.find("there are hamming, manhattan"), std::string::npos) << error.message;
  EXPECT_NE(error.message.find("did you mean 'manhattan'?"), std::string::npos) << error.message;
  spec.clear_heuristics();
  spec.mutable_algorithm()->set_id("idaster");
  error = Fault();
  EXPECT_EQ(error.reason, "UNKNOWN_ALGORITHM");
  EXPECT_NE(error.message.find("did you mean 'idastar'?"), std::string::npos) << error.message;
}

TEST_F(SpecCheck, AHeuristicOfAnotherDomainIsAFailedPrecondition) {
  spec.add_heuristics()->set_id("octile");
  const Error error = Fault();
  EXPECT_EQ(error.code, ErrorCode::kFailedPrecondition);
  EXPECT_EQ(error.reason, "WRONG_DOMAIN");
  EXPECT_NE(error.message.find("graph/1"), std::string::npos);
  EXPECT_NE(error.message.find("sliding_tile/1"), std::string::npos);
}

TEST_F(SpecCheck, APluginThatFailedToLoadIsToldWithItsErrorButNoPathOfTheServer) {
  spec.add_heuristics()->set_id("my_h");
  const Error error = Fault();
  EXPECT_EQ(error.code, ErrorCode::kFailedPrecondition);
  EXPECT_EQ(error.reason, "PLUGIN_FAILED");
  EXPECT_NE(error.message.find("MISSING_SYMBOL"), std::string::npos) << error.message;
  EXPECT_NE(error.message.find("undefined symbol: foo"), std::string::npos) << error.message;
  EXPECT_EQ(error.message.find("/home"), std::string::npos) << error.message;
}

TEST_F(SpecCheck, AllFaultsAreToldAtOnceWithTheirFields) {
  spec.clear_instance();
  (*spec.mutable_params())["goul"].set_string_value("x");
  v1::HeuristicUse* use = spec.add_heuristics();
  use->set_id("hamming");
  (*use->mutable_params())["depth"].set_int_value(10);
  use->mutable_weight()->set_numerator(-1);
  use->mutable_weight()->set_denominator(-2);
  spec.set_threads(5);
  spec.set_priority(-101);
  spec.mutable_limits()->set_max_generated(-1);
  spec.mutable_limits()->mutable_wall_time()->set_seconds(-1);
  spec.mutable_events()->add_kinds(static_cast<v1::NodeKind>(99));
  spec.mutable_events()->set_sample_every(-1);
  spec.set_combine(static_cast<v1::Combine>(7));
  (*spec.mutable_labels())[std::string(64, 'k')] = "v";
  const Error error = Fault();
  EXPECT_EQ(error.code, ErrorCode::kInvalidArgument);
  std::vector<std::string> fields;
  for (const auto& violation : error.violations) fields.push_back(violation.field);
  for (const char* field :
       {"spec.instance", "spec.params.goul", "spec.heuristics[0].params.depth", "spec.heuristics[0].weight.numerator",
        "spec.heuristics[0].weight.denominator", "spec.threads", "spec.priority", "spec.limits.max_generated",
        "spec.limits.wall_time", "spec.events.kinds[0]", "spec.events.sample_every", "spec.combine", "spec.labels"}) {
    EXPECT_EQ(std::count(fields.begin(), fields.end(), field), 1) << field;
  }
  EXPECT_EQ(fields.size(), 13u);
  EXPECT_EQ(FaultOf("spec.heuristics[0].params.depth"), "expected an integer from 1 to 9, not the integer 10");
  EXPECT_EQ(FaultOf("spec.params.goul"),
            "unknown parameter of the problem 'sliding_tile' (it has goal), did you mean 'goal'?");
}

TEST_F(SpecCheck, UnknownAndInvalidTogetherAreInvalid) {
  spec.set_problem("nonsense");
  spec.set_priority(1000);
  const Error error = Fault();
  EXPECT_EQ(error.code, ErrorCode::kInvalidArgument);
  EXPECT_EQ(error.violations.size(), 2u);
}

TEST_F(SpecCheck, AnIntIsTakenForADoubleAndNothingElseIsConverted) {
  auto& params = *spec.mutable_algorithm()->mutable_params();
  params["weight"].set_int_value(2);
  EXPECT_EQ(Filled().algorithm().params().at("weight").double_value(), 2.0);
  params["weight"].set_string_value("2");
  EXPECT_EQ(FaultOf("spec.algorithm.params.weight"), "expected a number of at least 1, not the string '2'");
  params["weight"].set_double_value(0.5);
  EXPECT_EQ(FaultOf("spec.algorithm.params.weight"), "expected a number of at least 1, not the double 0.5");
  params["weight"].set_double_value(std::numeric_limits<double>::quiet_NaN());
  EXPECT_NE(FaultOf("spec.algorithm.params.weight"), "");
  params["weight"].clear_value();
  EXPECT_NE(FaultOf("spec.algorithm.params.weight"), "");
  params["weight"].set_double_value(1);
  params["ties"].set_string_value("fifo");
  EXPECT_EQ(FaultOf("spec.algorithm.params.ties"), "expected one of high_g, low_g, not the string 'fifo'");
  params["ties"].set_string_value("low_g");
  EXPECT_TRUE(Check().ok());
  v1::HeuristicUse* use = spec.add_heuristics();
  use->set_id("hamming");
  (*use->mutable_params())["depth"].set_double_value(3);
  EXPECT_NE(FaultOf("spec.heuristics[0].params.depth"), "");
}

TEST_F(SpecCheck, NodeEventsNeedTheGenericTier) {
  spec.mutable_events()->add_kinds(v1::NODE_KIND_GOAL);
  spec.mutable_events()->add_kinds(v1::NODE_KIND_SOURCE);
  spec.mutable_events()->add_kinds(v1::NODE_KIND_GOAL);
  const v1::JobSpec filled = Filled();
  EXPECT_EQ(filled.events().kinds_size(), 2);
  EXPECT_EQ(filled.events().detail(), v1::NODE_DETAIL_STATE);
  spec.set_tier(v1::ENGINE_TIER_KERNEL);
  EXPECT_EQ(FaultOf("spec.tier"), "recording node events needs the generic tier");
}

TEST_F(SpecCheck, ADefaultHeuristicThatIsNotLoadedIsToldWithWhatThereIs) {
  registry::Catalog without = *catalog;
  without.heuristics.erase("manhattan");
  context.catalog = &without;
  const Error error = Fault();
  EXPECT_EQ(error.code, ErrorCode::kFailedPrecondition);
  EXPECT_NE(error.message.find("name one of hamming"), std::string::npos) << error.message;
}

TEST_F(SpecCheck, AnInstanceAloneIsCheckedTheSameWay) {
  v1::InstanceRef instance;
  instance.set_problem("sliding_tile");
  (*instance.mutable_params())["goal"].set_int_value(1);
  const Result<v1::InstanceRef> checked = CheckInstance(instance, context);
  ASSERT_FALSE(checked.ok());
  EXPECT_EQ(checked.error().violations[0].field, "instance");
  EXPECT_EQ(checked.error().violations[1].field, "instance.params.goal");
  instance.clear_params();
  instance.set_data("x");
  EXPECT_EQ(CheckInstance(instance, context)->params().at("goal").string_value(), "blank-last");
}

}  // namespace
}  // namespace astrolabe::jobs
