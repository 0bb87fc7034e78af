// What tests of local search ask of a result, and how they stop a search.
#ifndef ASTROLABE_TESTS_DAEMON_ENGINE_LOCAL_EXPECT_H_
#define ASTROLABE_TESTS_DAEMON_ENGINE_LOCAL_EXPECT_H_

#include <gtest/gtest.h>

#include <cstdint>

#include "tests/daemon/engine/local/rows_of.h"
#include "tests/daemon/engine/queens_domain.h"
#include "tests/daemon/engine/run.h"

namespace astrolabe::engine::testing {

inline void ExpectBoard(const SearchResult& result, uint32_t n) {
  ASSERT_EQ(result.outcome, Outcome::kSolved) << result.explanation << result.contract_violation;
  EXPECT_EQ(result.proof, Proof::kFeasible);
  EXPECT_EQ(result.objective, 0);
  EXPECT_TRUE(result.verified);
  EXPECT_FALSE(result.has_path);
  ASSERT_EQ(RowsOf(result).size(), n);
  EXPECT_EQ(AttackingPairs(RowsOf(result).data(), n), 0);
}

class StopAtProgress final : public SearchObserver {
 public:
  void OnProgress(const Progress& progress) override {
    generated = progress.generated;
    best = progress.best_h;
    token.Request(StopCause::kCancel);
  }
  StopToken token;
  int64_t generated = 0;
  Cost best = -1;
};

}  // namespace astrolabe::engine::testing

#endif  // ASTROLABE_TESTS_DAEMON_ENGINE_LOCAL_EXPECT_H_
