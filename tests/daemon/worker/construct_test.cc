// Paths that a plugin constructs, as the engine gets them, and what can go wrong on the way.
#include <gtest/gtest.h>

#include <initializer_list>
#include <new>
#include <span>
#include <string>
#include <variant>
#include <vector>

#include "astrolabe/sdk/problem.h"
#include "daemon/worker/abi_problem.h"
#include "daemon/worker/instance_loader.h"
#include "tests/plugins/sdk/street.h"

namespace astrolabe::worker {
namespace {

using End = engine::Construction::End;

class Taker final : public engine::OpSink {
 public:
  bool Take(std::span<const engine::Op> piece) override {
    ops.insert(ops.end(), piece.begin(), piece.end());
    if (out_of_memory) throw std::bad_alloc();
    return go_on;
  }
  std::vector<engine::Op> ops;
  bool go_on = true;
  bool out_of_memory = false;
};

// Writes 0 and 1 in two pieces, whatever the sink says, and returns this status.
astro_status status_to_return = ASTRO_OK;
const char* message_to_tell = nullptr;
astro_status WriteTwo(const void*, const astro_op_sink* sink, const astro_diagnostics* diagnostics) noexcept {
  for (const astro_op op : {0u, 1u}) sink->write(sink->ctx, &op, 1);
  if (message_to_tell != nullptr) {
    astro_diagnostic_v1 told = {};
    told.struct_size = sizeof(told);
    told.severity = ASTRO_SEVERITY_ERROR;
    told.message = astro::ToText(message_to_tell);
    diagnostics->report(diagnostics->ctx, &told);
  }
  return status_to_return;
}

class ConstructTest : public ::testing::Test {
 protected:
  ConstructTest() {
    status_to_return = ASTRO_OK;
    message_to_tell = nullptr;
    Make({sizeof(astro_problem_construct_v1), 0, &WriteTwo});
  }
  // Street, with this extension.
  void Make(const astro_problem_construct_v1& calls) {
    static astro_problem_construct_v1 extension;
    extension = calls;
    vtable_ = *astro::Problem<street::Street>::Functions();
    vtable_.get_extension = [](astro_text id) noexcept -> const void* {
      return astro::ToView(id) == ASTRO_PROBLEM_CONSTRUCT_V1 ? &extension : nullptr;
    };
    ref_ = {"street", std::string(vtable_.state_layout.data, vtable_.state_layout.size), &vtable_};
    DiagnosticCollector parsing("instance");
    const ParamList none(ProtoParams{}, ParamMap{});
    auto parsed = ParseInstance({&ref_, "org.street", "", &none, &host_}, parsing, nullptr);
    problem_ = std::get<std::unique_ptr<AbiProblem>>(std::move(parsed));
  }

  HostServices host_{JobServices(), "org.street", ""};
  ProblemRef ref_;
  astro_problem_v1 vtable_;
  std::unique_ptr<AbiProblem> problem_;
  Taker taker_;
};

TEST_F(ConstructTest, GivesTheOperatorsAsTheyCome) {
  ASSERT_TRUE(problem_->HasConstruct());
  EXPECT_EQ(problem_->Construct(taker_).end, End::kDone);
  EXPECT_EQ(taker_.ops, (std::vector<engine::Op>{0, 1}));
}

TEST_F(ConstructTest, AStopIsAStopWhateverThePluginReturns) {
  taker_.go_on = false;
  EXPECT_EQ(problem_->Construct(taker_).end, End::kStopped);
  EXPECT_EQ(taker_.ops.size(), 1u);  // what comes after is not passed on
}

TEST_F(ConstructTest, WhatTheSinkThrowsDoesNotPassThroughThePlugin) {
  taker_.out_of_memory = true;
  EXPECT_THROW(problem_->Construct(taker_), std::bad_alloc);
  EXPECT_EQ(taker_.ops.size(), 1u);
}

TEST_F(ConstructTest, ARefusalIsToldInThePluginsWords) {
  status_to_return = ASTRO_REFUSED;
  message_to_tell = "the street is closed";
  const engine::Construction refused = problem_->Construct(taker_);
  EXPECT_EQ(refused.end, End::kRefused);
  EXPECT_NE(refused.why.find("the street is closed"), std::string::npos) << refused.why;
  message_to_tell = nullptr;
  EXPECT_FALSE(problem_->Construct(taker_).why.empty());
}

TEST_F(ConstructTest, OtherEndsAreThePluginsFault) {
  for (const astro_status status :
       std::initializer_list<astro_status>{ASTRO_INVALID, ASTRO_CANCELLED, ASTRO_INTERNAL, 77}) {
    status_to_return = status;
    EXPECT_EQ(problem_->Construct(taker_).end, End::kBroken) << status;
  }
  status_to_return = ASTRO_NO_MEMORY;
  EXPECT_THROW(problem_->Construct(taker_), std::bad_alloc);
}

TEST_F(ConstructTest, AnExtensionThatIsTooSmallIsNone) {
  Make({offsetof(astro_problem_construct_v1, construct), 0, &WriteTwo});
  EXPECT_FALSE(problem_->HasConstruct());
}

}  // namespace
}  // namespace astrolabe::worker
