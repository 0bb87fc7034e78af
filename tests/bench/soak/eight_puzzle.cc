#include "tests/bench/soak/eight_puzzle.h"

#include <array>

namespace astrolabe::bench {

EightPuzzle::EightPuzzle() {
  std::unordered_map<std::string, int> seen;
  boards_.emplace_back("123456780", 0);
  seen.emplace(boards_.back());
  for (size_t next = 0; next < boards_.size(); ++next) {
    const auto [board, depth] = boards_[next];
    const size_t blank = board.find('0');
    const auto take = [&, board = board, depth = depth](size_t from) {
      std::string child = board;
      std::swap(child[blank], child[from]);
      if (seen.emplace(child, depth + 1).second) boards_.emplace_back(child, depth + 1);
    };
    if (blank >= 3) take(blank - 3);
    if (blank < 6) take(blank + 3);
    if (blank % 3 > 0) take(blank - 1);
    if (blank % 3 < 2) take(blank + 1);
  }
}

EightPuzzle::Entry EightPuzzle::at(size_t i) const {
  Entry entry{"3\n", boards_[i].second};
  for (size_t cell = 0; cell < 9; ++cell) {
    entry.instance += boards_[i].first[cell];
    entry.instance += cell % 3 == 2 ? '\n' : ' ';
  }
  return entry;
}

}  // namespace astrolabe::bench
