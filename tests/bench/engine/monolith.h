// What the engine is measured against: A* and IDA* for the 15-puzzle with Manhattan distance, each in one
// function with everything inlined and nothing else in it: no limits, no statistics, no plugins.
#ifndef ASTROLABE_TESTS_BENCH_ENGINE_MONOLITH_H_
#define ASTROLABE_TESTS_BENCH_ENGINE_MONOLITH_H_

#include <cstdint>
#include <vector>

namespace astrolabe::engine::bench {

struct MonolithResult {
  int length = -1;
  int64_t expanded = 0;
  int64_t generated = 1;
  int64_t stored = 0;
};

MonolithResult MonolithAStar(const std::vector<int>& start);
// A byte-array kernel: one operator after the other, Manhattan distance updated by a table.
MonolithResult MonolithIdaStar(const std::vector<int>& start);

}  // namespace astrolabe::engine::bench

#endif  // ASTROLABE_TESTS_BENCH_ENGINE_MONOLITH_H_
