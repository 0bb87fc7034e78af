#include "plugins/queens/closed_formula.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <set>

namespace queens {
namespace {

// By its definition, without the counters that the plugins share.
bool IsSolution(const std::vector<uint32_t>& rows) {
  std::vector<bool> row(rows.size());
  std::vector<bool> sum(2 * rows.size());
  std::vector<bool> difference(2 * rows.size());
  for (size_t column = 0; column < rows.size(); ++column) {
    if (rows[column] >= rows.size()) return false;
    const size_t up = rows[column] + column;
    const size_t down = rows[column] + rows.size() - 1 - column;
    if (row[rows[column]] || sum[up] || difference[down]) return false;
    row[rows[column]] = sum[up] = difference[down] = true;
  }
  return true;
}

TEST(ClosedFormula, IsASolutionForEveryNumberThatHasOne) {
  for (uint32_t queens = 1; queens <= 700; ++queens) {
    if (!HasSolution(queens)) continue;
    const std::vector<uint32_t> rows = ClosedFormula(queens);
    ASSERT_EQ(rows.size(), queens);
    EXPECT_TRUE(IsSolution(rows)) << queens;
  }
  for (const uint32_t queens : {999'998u, 999'999u, 1'000'000u}) EXPECT_TRUE(IsSolution(ClosedFormula(queens)));
}

TEST(ClosedFormula, IsWrittenDownForEight) {
  EXPECT_EQ(ClosedFormula(8), (std::vector<uint32_t>{1, 3, 5, 7, 2, 0, 6, 4}));
}

TEST(ClosedFormula, TwoAndThreeHaveNone) {
  EXPECT_FALSE(HasSolution(2));
  EXPECT_FALSE(HasSolution(3));
  EXPECT_TRUE(HasSolution(1));
  EXPECT_TRUE(HasSolution(4));
}

}  // namespace
}  // namespace queens
