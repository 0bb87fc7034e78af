// Every solvable 8-puzzle, solved by the engine through the real plugin libraries as a worker loads them,
// against a breadth-first search that knows nothing of them.
#include <gtest/gtest.h>

#include <array>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "tests/support/plugins_in_process.h"

namespace astrolabe {
namespace {

// --- the truth: breadth-first from the goal, written without a line of ours --------------------------------

using Board = std::array<char, 9>;  // tile on each square

uint64_t Key(const Board& board) {
  uint64_t key = 0;
  for (char tile : board) key = key * 9 + static_cast<uint64_t>(tile);
  return key;
}

struct Truth {
  std::vector<Board> boards;  // in order of distance
  std::vector<int> depth;
};

const Truth& BreadthFirst() {
  static const Truth* truth = [] {
    auto* t = new Truth();
    std::unordered_map<uint64_t, bool> seen;
    t->boards.push_back({1, 2, 3, 4, 5, 6, 7, 8, 0});
    t->depth.push_back(0);
    seen[Key(t->boards[0])] = true;
    for (size_t i = 0; i < t->boards.size(); ++i) {
      const Board board = t->boards[i];
      int blank = 0;
      while (board[blank] != 0) ++blank;
      const int row = blank / 3, column = blank % 3;
      for (const auto& [dr, dc] : {std::pair{-1, 0}, {0, -1}, {0, 1}, {1, 0}}) {
        if (row + dr < 0 || row + dr > 2 || column + dc < 0 || column + dc > 2) continue;
        Board next = board;
        std::swap(next[blank], next[(row + dr) * 3 + column + dc]);
        if (!seen.emplace(Key(next), true).second) continue;
        t->boards.push_back(next);
        t->depth.push_back(t->depth[i] + 1);
      }
    }
    return t;
  }();
  return *truth;
}

// --- the real libraries ----------------------------------------------------------------------------------------

testing::PluginsInProcess Libraries() {
  const std::string folder = std::string(BUILD_ROOT) + "/lib/astrolabe/plugins/";
  return testing::PluginsInProcess({folder + "sliding_tile.so", folder + "manhattan.so", folder + "hamming.so"});
}

std::string InstanceText(const Board& board) {
  std::string text = "3";
  for (char tile : board) text += " " + std::to_string(tile);
  return text;
}

struct Sweep {
  std::string algorithm;
  std::string heuristic;
  size_t stride;
  size_t part, parts;  // so that ctest can run parts side by side
};

class Exhaustive : public ::testing::TestWithParam<Sweep> {};

TEST_P(Exhaustive, EveryBoardGetsItsOptimalLength) {
  const Sweep& sweep = GetParam();
  const Truth& truth = BreadthFirst();
  testing::PluginsInProcess libraries = Libraries();
  size_t wrong = 0;
  for (size_t i = sweep.part * sweep.stride; i < truth.boards.size(); i += sweep.stride * sweep.parts) {
    const engine::SearchResult result =
        libraries.Prepare("sliding_tile", InstanceText(truth.boards[i]), sweep.heuristic).Run(sweep.algorithm);
    const bool right = result.outcome == engine::Outcome::kSolved && result.proof == engine::Proof::kOptimal &&
                       result.verified && result.cost == truth.depth[i];
    if (!right && ++wrong < 5) {
      ADD_FAILURE() << "board " << i << " of depth " << truth.depth[i] << " got "
                    << (result.cost ? std::to_string(*result.cost) : "no cost") << ": " << result.explanation;
    }
  }
  EXPECT_EQ(wrong, 0u);
}

std::vector<Sweep> Sweeps() {
  std::vector<Sweep> sweeps;
  for (const std::string algorithm : {"astar", "idastar"}) {
    for (const std::string heuristic : {"manhattan", "hamming"}) {
      // IDA* with the weak heuristic visits hundreds of thousands of nodes a board.
      const size_t stride = algorithm == "idastar" && heuristic == "hamming" ? 97 : 1;
      const size_t parts = algorithm == "astar" && stride == 1 ? 8 : 1;
      for (size_t part = 0; part < parts; ++part) sweeps.push_back({algorithm, heuristic, stride, part, parts});
    }
  }
  return sweeps;
}

INSTANTIATE_TEST_SUITE_P(All, Exhaustive, ::testing::ValuesIn(Sweeps()), [](const auto& info) {
  return info.param.algorithm + "_" + info.param.heuristic + "_" + std::to_string(info.param.part + 1) + "of" +
         std::to_string(info.param.parts);
});

// Number of states at each optimal depth, goal in a corner (OEIS A089473).
TEST(ExhaustiveTruth, DepthCountsAreThePublishedOnes) {
  const std::vector<int> published = {1,     2,     4,     8,     16,    20,   39,   62,   116,   152,   286,
                                      396,   748,   1024,  1893,  2512,  4485, 5638, 9529, 10878, 16993, 17110,
                                      23952, 20224, 24047, 15578, 14560, 6274, 3910, 760,  221,   2};
  std::vector<int> counts(published.size());
  for (int depth : BreadthFirst().depth) ++counts.at(static_cast<size_t>(depth));
  EXPECT_EQ(counts, published);
  EXPECT_EQ(BreadthFirst().boards.size(), 181440u);
}

}  // namespace
}  // namespace astrolabe
