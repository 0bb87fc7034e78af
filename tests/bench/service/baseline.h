// Monolithic programs to compare with: the same searches with everything known at compile time and
// inlined, no plugin boundary, no limits, no progress.
#ifndef ASTROLABE_TESTS_BENCH_SERVICE_BASELINE_H_
#define ASTROLABE_TESTS_BENCH_SERVICE_BASELINE_H_

#include <array>
#include <cstdint>

namespace astrolabe::bench {

using Board = std::array<uint8_t, 16>;  // tile on each square, goal 0 1 2 ... 15

struct SearchCount {
  int64_t generated = 0;  // + 1 for the root
  int length = 0;
};

// IDA* with Manhattan distance, Korf's order of operators, the board as an array of bytes and h carried
// along incrementally: a good ordinary program.
SearchCount SolveWithByteArray(const Board& start);

// The same tree with the board in one 64-bit register and one function per (blank square, square it came
// from): the best recursive program we know.
SearchCount SolveWithRegister(const Board& start);

// The same with misplaced tiles in the place of Manhattan distance.
SearchCount SolveHammingWithRegister(const Board& start);

}  // namespace astrolabe::bench

#endif  // ASTROLABE_TESTS_BENCH_SERVICE_BASELINE_H_
