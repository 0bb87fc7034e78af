// A condition that does not hold aborts, which is a finding.
#ifndef ASTROLABE_TESTS_FUZZ_DEMAND_H_
#define ASTROLABE_TESTS_FUZZ_DEMAND_H_

#include <cstdlib>

namespace fuzz {

inline void Demand(bool condition) {
  if (!condition) std::abort();
}

}  // namespace fuzz

#endif  // ASTROLABE_TESTS_FUZZ_DEMAND_H_
