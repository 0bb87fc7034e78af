// The searches whose instructions are counted: fixed for ever, small, one for each way a node can be handled.
#ifndef ASTROLABE_TESTS_BENCH_INSTRUCTIONS_FIXED_SEARCHES_H_
#define ASTROLABE_TESTS_BENCH_INSTRUCTIONS_FIXED_SEARCHES_H_

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "daemon/engine/search.h"

namespace astrolabe::bench {

struct FixedSearch {
  std::string name;
  std::string algorithm;
  std::map<std::string, engine::ParamValue> params;
  std::string problem;
  std::string heuristic;
  std::string board;     // tiles of a 15-puzzle, goal 0 1 2 ... 15
  engine::Cost optimum;  // the published length
  engine::Tier tier = engine::Tier::kAuto;
  engine::Tier tier_used = engine::Tier::kGeneric;
  bool limited = false;  // a limit on generated nodes, never reached: a kernel keeps to depth-first order then
};

const std::vector<FixedSearch>& FixedSearches();

}  // namespace astrolabe::bench

#endif  // ASTROLABE_TESTS_BENCH_INSTRUCTIONS_FIXED_SEARCHES_H_
