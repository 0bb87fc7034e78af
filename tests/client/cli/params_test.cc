#include "client/cli/params.h"

#include <gtest/gtest.h>

namespace astrolabe::cli {
namespace {

using client::ParamSpec;
using client::ParamType;
using client::ParamValue;

std::vector<ParamSpec> Specs() {
  return {{"n", ParamType::kInt, {}, int64_t{1}, int64_t{8}, "", {}},
          {"w", ParamType::kDouble, {}, 1.0, {}, "", {}},
          {"flag", ParamType::kBool, {}, {}, {}, "", {}},
          {"how", ParamType::kString, {}, {}, {}, "", {"max", "sum"}},
          {"text", ParamType::kString, {}, {}, {}, "", {}}};
}

std::string Fault(const RawParams& raw) {
  return std::string(TypeParams(raw, Specs(), "heuristic h").status().message());
}

TEST(ParseUse, ReadsIdWeightAndParameters) {
  const auto use = ParseUse("pdb@1/2:pattern=1-5,cache=true");
  ASSERT_TRUE(use.ok());
  EXPECT_EQ(use->id, "pdb");
  EXPECT_EQ(use->weight, (client::Rational{1, 2}));
  EXPECT_EQ(use->params, (RawParams{{"pattern", "1-5"}, {"cache", "true"}}));
}

TEST(ParseUse, AnIdAloneIsEnough) {
  const auto use = ParseUse("manhattan");
  ASSERT_TRUE(use.ok());
  EXPECT_FALSE(use->weight.has_value());
  EXPECT_TRUE(use->params.empty());
}

TEST(ParseUse, ABackslashKeepsAComma) {
  EXPECT_EQ(ParseUse("pdb:tiles=1\\,2\\,3,x=a\\\\b")->params, (RawParams{{"tiles", "1,2,3"}, {"x", "a\\b"}}));
}

TEST(ParseUse, ColonsAndEqualsSignsInValuesAreValues) {
  EXPECT_EQ(ParseUse("h:a=b=c:d")->params, (RawParams{{"a", "b=c:d"}}));
}

TEST(ParseUse, SaysWhatItExpected) {
  EXPECT_NE(ParseUse("h@x").status().message().find("expected a ratio"), absl::string_view::npos);
  EXPECT_NE(ParseUse("h@-1").status().message().find("expected a ratio"), absl::string_view::npos);
  EXPECT_NE(ParseUse(":a=1").status().message().find("expected ID"), absl::string_view::npos);
  EXPECT_NE(ParseUse("h:a").status().message().find("expected NAME=VALUE"), absl::string_view::npos);
  EXPECT_FALSE(ParseUse("").ok());
}

TEST(TypeParams, GivesEachValueItsDeclaredType) {
  const auto params =
      TypeParams({{"n", "5"}, {"w", "2"}, {"flag", "on"}, {"how", "sum"}, {"text", "5"}}, Specs(), "heuristic h");
  ASSERT_TRUE(params.ok()) << params.status();
  EXPECT_EQ(params->at("n"), ParamValue(int64_t{5}));
  EXPECT_EQ(params->at("w"), ParamValue(2.0));
  EXPECT_EQ(params->at("flag"), ParamValue(true));
  EXPECT_EQ(params->at("how"), ParamValue(std::string("sum")));
  EXPECT_EQ(params->at("text"), ParamValue(std::string("5")));
}

TEST(TypeParams, SaysWhatWasExpected) {
  EXPECT_EQ(Fault({{"n", "five"}}),
            "\"five\" is not a value for n of heuristic h; expected a whole number from 1 to 8");
  EXPECT_EQ(Fault({{"n", "9"}}), "\"9\" is not a value for n of heuristic h; expected a whole number from 1 to 8");
  EXPECT_EQ(Fault({{"n", "1.5"}}), "\"1.5\" is not a value for n of heuristic h; expected a whole number from 1 to 8");
  EXPECT_EQ(Fault({{"w", "0.5"}}), "\"0.5\" is not a value for w of heuristic h; expected a number, at least 1");
  EXPECT_EQ(Fault({{"w", "nan"}}), "\"nan\" is not a value for w of heuristic h; expected a number, at least 1");
  EXPECT_EQ(Fault({{"flag", "maybe"}}), "\"maybe\" is not a value for flag of heuristic h; expected true or false");
  EXPECT_EQ(Fault({{"how", "min"}}), "\"min\" is not a value for how of heuristic h; expected one of max, sum");
  EXPECT_EQ(Fault({{"zz", "1"}}), "heuristic h has no parameter \"zz\"; it has n, w, flag, how, text");
}

TEST(TypeParams, TellsAllFaultsAtOnce) {
  const std::string fault = Fault({{"n", "x"}, {"zz", "1"}, {"w", "2"}, {"w", "3"}});
  EXPECT_NE(fault.find("for n of"), std::string::npos);
  EXPECT_NE(fault.find("\"zz\""), std::string::npos);
  EXPECT_NE(fault.find("given twice"), std::string::npos);
}

TEST(TypeParams, BoundsOfWholeNumbersAreExact) {
  const std::vector<ParamSpec> specs = {
      {"n", ParamType::kInt, {}, {}, int64_t{9'007'199'254'740'992}, "", {}}};  // 2^53
  EXPECT_TRUE(TypeParams({{"n", "9007199254740992"}}, specs, "x").ok());
  EXPECT_FALSE(TypeParams({{"n", "9007199254740993"}}, specs, "x").ok());
}

}  // namespace
}  // namespace astrolabe::cli
