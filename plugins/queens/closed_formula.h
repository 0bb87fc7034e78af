// A solution written down without search: what the problem constructs.
#ifndef ASTROLABE_PLUGINS_QUEENS_CLOSED_FORMULA_H_
#define ASTROLABE_PLUGINS_QUEENS_CLOSED_FORMULA_H_

#include <cstdint>
#include <vector>

namespace queens {

// There is a solution for every number but 2 and 3.
constexpr bool HasSolution(uint32_t queens) { return queens != 2 && queens != 3; }

// The row of the queen in each column. Precondition HasSolution(queens). First all rows of odd number from 0, then the
// others, with a few exchanged where queens mod 6 is 2 or 3: Pauls, "Das Maximalproblem der Damen auf dem
// Schachbrete", Deutsche Schachzeitung 29 (1874); Hoffman, Loessi, Moore, "Constructions for the solution of the
// m queens problem", Mathematics Magazine 42 (1969).
std::vector<uint32_t> ClosedFormula(uint32_t queens);

}  // namespace queens

#endif  // ASTROLABE_PLUGINS_QUEENS_CLOSED_FORMULA_H_
