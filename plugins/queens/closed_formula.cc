#include "plugins/queens/closed_formula.h"

#include <algorithm>

namespace queens {

std::vector<uint32_t> ClosedFormula(uint32_t queens) {
  std::vector<uint32_t> rows;
  rows.reserve(queens);
  for (uint32_t row = 1; row < queens; row += 2) rows.push_back(row);
  const auto half = static_cast<std::ptrdiff_t>(rows.size());
  for (uint32_t row = 0; row < queens; row += 2) rows.push_back(row);
  const auto evens = rows.begin() + half;
  if (queens % 6 == 2) {
    std::swap(evens[0], evens[1]);                                  // 2, 0, 4, 6, ...
    if (queens > 2) std::rotate(evens + 2, evens + 3, rows.end());  // ... and 4 at the end
  } else if (queens % 6 == 3) {
    std::rotate(rows.begin(), rows.begin() + 1, evens);  // 3, 5, ..., 1
    std::rotate(evens, evens + 2, rows.end());           // 4, 6, ..., 0, 2
  }
  return rows;
}

}  // namespace queens
