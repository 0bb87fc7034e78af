// Korf's 100 instances with what is known of them.
#ifndef ASTROLABE_TESTS_BENCH_KORF100_INSTANCES_H_
#define ASTROLABE_TESTS_BENCH_KORF100_INSTANCES_H_

#include <cstdint>
#include <string>
#include <vector>

#include "tests/bench/service/baseline.h"

namespace astrolabe::bench {

struct KorfInstance {
  int number = 0;
  int length = 0;
  int64_t generated = 0;  // by IDA* with Manhattan distance, root counted
  Board board{};
};

// Of a file like korf100.txt, in its order. Empty, and what is wrong with which line, when one cannot be read.
std::vector<KorfInstance> ReadInstances(const std::string& path, std::string& error);

}  // namespace astrolabe::bench

#endif  // ASTROLABE_TESTS_BENCH_KORF100_INSTANCES_H_
