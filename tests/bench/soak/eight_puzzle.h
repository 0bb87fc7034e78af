// All boards of the 8-puzzle with the lengths of their shortest solutions, by breadth-first search from the goal: what
// the answers of a server are compared with.
#ifndef ASTROLABE_TESTS_BENCH_SOAK_EIGHT_PUZZLE_H_
#define ASTROLABE_TESTS_BENCH_SOAK_EIGHT_PUZZLE_H_

#include <cstddef>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

namespace astrolabe::bench {

// Immutable: any thread.
class EightPuzzle {
 public:
  struct Entry {
    std::string instance;  // as the server reads it, goal blank-last
    int depth = 0;
  };
  EightPuzzle();
  size_t size() const { return boards_.size(); }
  Entry at(size_t i) const;

 private:
  std::vector<std::pair<std::string, int>> boards_;  // nine digits each
};

}  // namespace astrolabe::bench

#endif  // ASTROLABE_TESTS_BENCH_SOAK_EIGHT_PUZZLE_H_
