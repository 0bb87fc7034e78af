#include "client/cli/params.h"

#include <gtest/gtest.h>

#include "client/cli/exit_code.h"

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

TEST(TypeParams, OnAndOffHaveOtherSpellingsWhateverTheType) {
  const std::vector<ParamSpec> specs = {{"flag", ParamType::kBool, {}, {}, {}, "", {}},
                                        {"mirror", ParamType::kString, {}, {}, {}, "", {"auto", "on", "off"}}};
  for (const char* on : {"on", "true", "yes", "1"}) {
    const auto params = TypeParams({{"flag", on}, {"mirror", on}}, specs, "x");
    ASSERT_TRUE(params.ok()) << params.status();
    EXPECT_EQ(params->at("flag"), ParamValue(true)) << on;
    EXPECT_EQ(params->at("mirror"), ParamValue(std::string("on"))) << on;
  }
  for (const char* off : {"off", "false", "no", "0"}) {
    const auto params = TypeParams({{"flag", off}, {"mirror", off}}, specs, "x");
    ASSERT_TRUE(params.ok()) << params.status();
    EXPECT_EQ(params->at("flag"), ParamValue(false)) << off;
    EXPECT_EQ(params->at("mirror"), ParamValue(std::string("off"))) << off;
  }
  EXPECT_EQ(TypeParams({{"mirror", "auto"}}, specs, "x")->at("mirror"), ParamValue(std::string("auto")));
  // Text that is no switch stays as it is.
  EXPECT_EQ(TypeParams({{"text", "true"}}, Specs(), "x")->at("text"), ParamValue(std::string("true")));
}

TEST(ParamFlags, AreWordsWithTwoDashes) {
  EXPECT_EQ(ParseParamFlag("--n=5")->name, "n");
  EXPECT_EQ(ParseParamFlag("--n=5")->value, "5");
  EXPECT_EQ(ParseParamFlag("--text=a=b")->value, "a=b");
  EXPECT_EQ(ParseParamFlag("--text=")->value, "");
  EXPECT_FALSE(ParseParamFlag("--flag")->value.has_value());
  for (const char* other : {"-n", "n", "--", "--=5", ""}) EXPECT_FALSE(ParseParamFlag(other)) << other;
}

TEST(ParamFlags, BecomeTheParametersOfTheirNames) {
  const std::vector<ParamSpec> specs = {{"flag", ParamType::kBool, {}, {}, {}, "", {}},
                                        {"no_way", ParamType::kBool, {}, {}, {}, "", {}},
                                        {"how", ParamType::kString, {}, {}, {}, "", {"on", "off"}},
                                        {"n", ParamType::kInt, {}, int64_t{1}, {}, "", {}}};
  const auto resolve = [&](const std::vector<const char*>& words) {
    std::vector<ParamFlag> flags;
    for (const char* word : words) flags.push_back(*ParseParamFlag(word));
    return ResolveFlags(flags, specs, "problem p");
  };
  EXPECT_EQ(*resolve({"--flag", "--no-way", "--how", "--n=5"}),
            (RawParams{{"flag", "on"}, {"no_way", "on"}, {"how", "on"}, {"n", "5"}}));
  EXPECT_EQ(*resolve({"--no-flag", "--no-no-way", "--no-how"}),
            (RawParams{{"flag", "off"}, {"no_way", "off"}, {"how", "off"}}));
  EXPECT_EQ(*resolve({"--flag=false", "--no_way=off"}), (RawParams{{"flag", "false"}, {"no_way", "off"}}));
  EXPECT_EQ(resolve({"--n"}).status().message(), "--n needs a value, --n=VALUE; expected a whole number, at least 1");
  EXPECT_EQ(ExitCodeOf(resolve({"--n"}).status()), kExitBadInput);
  for (const char* unknown : {"--m=1", "--no-n", "--no-flag=on", "--fla"}) {
    const absl::Status status = resolve({unknown}).status();
    EXPECT_NE(status.message().find("problem p has no such parameter (it has flag, no_way, how, n)"),
              absl::string_view::npos)
        << unknown << " " << status;
    EXPECT_EQ(ExitCodeOf(status), kExitUsage) << unknown;
  }
}

TEST(ParamFlags, ASlipIsToldWhatIsNear) {
  const std::vector<ParamSpec> specs = {{"symmetric", ParamType::kBool, {}, {}, {}, "", {}}};
  const auto fault = [&](ParamFlag flag) {
    return std::string(ResolveFlags({std::move(flag)}, specs, "problem p").status().message());
  };
  EXPECT_TRUE(fault({"symetric", {}, ""}).ends_with("; did you mean --symmetric?"));
  EXPECT_TRUE(fault({"sed", "3", "--seed"}).ends_with("; did you mean --seed?"));
  EXPECT_TRUE(fault({"bogus", {}, ""}).ends_with("(it has symmetric)"));
}

TEST(ParamFlags, TellHowTheyAreGiven) {
  EXPECT_EQ(FlagForm({"check_it", ParamType::kBool, {}, {}, {}, "", {}}), "--check-it, --no-check-it");
  EXPECT_EQ(FlagForm({"goal", ParamType::kString, {}, {}, {}, "", {}}), "--goal=VALUE");
}

TEST(TypeParams, SaysWhatWasExpected) {
  EXPECT_EQ(Fault({{"n", "five"}}),
            "\"five\" is not a value for n of heuristic h; expected a whole number from 1 to 8");
  EXPECT_EQ(Fault({{"n", "9"}}), "\"9\" is not a value for n of heuristic h; expected a whole number from 1 to 8");
  EXPECT_EQ(Fault({{"n", "1.5"}}), "\"1.5\" is not a value for n of heuristic h; expected a whole number from 1 to 8");
  EXPECT_EQ(Fault({{"w", "0.5"}}), "\"0.5\" is not a value for w of heuristic h; expected a number, at least 1");
  EXPECT_EQ(Fault({{"w", "nan"}}), "\"nan\" is not a value for w of heuristic h; expected a number, at least 1");
  EXPECT_EQ(Fault({{"flag", "maybe"}}), "\"maybe\" is not a value for flag of heuristic h; expected on or off");
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
