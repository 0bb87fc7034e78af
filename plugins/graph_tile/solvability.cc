#include "plugins/graph_tile/solvability.h"

#include <algorithm>
#include <optional>
#include <set>
#include <utility>
#include <vector>

#include "astrolabe/abi/problem.h"
#include "plugins/graph_tile/bipartite.h"
#include "plugins/graph_tile/blocks.h"

namespace graph_tile {
namespace {

// For each cell the next one on a shortest way to `to`; -1: there is none. That of `to` is itself.
std::vector<int> WaysTo(const Arcs& arcs, int to) {
  std::vector<int> next(arcs.cells(), -1);
  next[to] = to;
  std::vector<int> queue{to};
  const Arcs turned = arcs.Transposed();
  for (size_t at = 0; at < queue.size(); ++at) {
    for (const uint16_t cell : turned.neighbours(queue[at])) {
      if (next[cell] != -1) continue;
      next[cell] = queue[at];
      queue.push_back(cell);
    }
  }
  return next;
}

// One block as a graph of its own: cell 0 is the gate.
class BlockPuzzle {
 public:
  // The blank is on the gate in both boards.
  BlockPuzzle(const Arcs& arcs, const Block& block, const Tiles& board, const Tiles& goal) : gate_(block.gate) {
    std::vector<uint16_t> cells{block.gate};
    cells.insert(cells.end(), block.inner.begin(), block.inner.end());
    std::vector<std::pair<uint16_t, uint16_t>> place;  // cell, place in `cells`
    for (uint16_t i = 0; i < cells.size(); ++i) place.emplace_back(cells[i], i);
    std::sort(place.begin(), place.end());
    for (const uint16_t cell : cells) {
      std::vector<int>& near = neighbours_.emplace_back();
      for (const uint16_t neighbour : arcs.neighbours(cell)) {
        const auto found = std::lower_bound(place.begin(), place.end(), std::pair<uint16_t, uint16_t>(neighbour, 0));
        if (found != place.end() && found->first == neighbour) near.push_back(found->second);
      }
      ends_ += near.size();
      board_.push_back(board[cell]);
      goal_.push_back(goal[cell]);
    }
    board_[0] = goal_[0] = 0;
  }

  // Empty: the block can be put right; else why not.
  std::string Fault() const {
    if (const std::optional<int> tile = Stranger()) {
      return "tile " + std::to_string(*tile) + " would have to pass cell " + std::to_string(gate_) +
             ", and no tile can: that cell cuts the board in two";
    }
    if (cells() == 2) return "";
    if (is_cycle()) return CycleFault();
    if (is_theta_0()) return ThetaFault();
    // The blank is in its place, so it makes an even number of moves where the part is bipartite.
    if (IsBipartite(neighbours_) && tiles::CountSwaps(board_, goal_) % 2 != 0) {
      return Name() + " has only cycles of even length, so that only an even number of swaps can be made there, and " +
             "an odd number is needed (Wilson 1974)";
    }
    return "";
  }

  size_t cells() const { return board_.size(); }
  std::string Name() const { return "the two-connected part of " + std::to_string(cells()) + " cells"; }
  // Why everything that has the right parity can be reached here.
  std::string Reason() const {
    if (is_cycle()) return "the cells form a ring, and its tiles have the right cyclic order";
    if (is_theta_0()) return "the board is theta-0, and its 840 arrangements that can be reached include the goal";
    return IsBipartite(neighbours_) ? "the board is two-connected and bipartite, and the parity is right (Wilson 1974)"
                                    : "the board is two-connected and not bipartite: every arrangement can be reached "
                                      "(Wilson 1974)";
  }

 private:
  bool is_cycle() const { return ends_ == 2 * cells(); }

  // Two cells of three neighbours, joined by three ways with one, two and two cells on them.
  bool is_theta_0() const {
    if (cells() != 7 || ends_ != 16) return false;
    std::vector<int> lengths;
    for (size_t from = 0; from < cells(); ++from) {
      if (neighbours_[from].size() != 3) continue;
      for (int at : neighbours_[from]) {
        int length = 0;
        for (int before = static_cast<int>(from); neighbours_[at].size() == 2; ++length) {
          before = std::exchange(at, Other(at, before));
        }
        lengths.push_back(length);
      }
      break;
    }
    std::sort(lengths.begin(), lengths.end());
    return lengths == std::vector<int>{1, 2, 2};
  }
  // The neighbour of a cell that has two which is not `before`.
  int Other(int cell, int before) const { return neighbours_[cell][neighbours_[cell][0] == before ? 1 : 0]; }

  // A tile that belongs in another block.
  std::optional<int> Stranger() const {
    std::vector<uint16_t> board = board_;
    std::vector<uint16_t> goal = goal_;
    std::sort(board.begin(), board.end());
    std::sort(goal.begin(), goal.end());
    for (size_t i = 0; i < board.size(); ++i) {
      if (board[i] != goal[i]) return std::min(board[i], goal[i]);
    }
    return std::nullopt;
  }

  // The tiles round the ring, from the gate.
  std::vector<uint16_t> Ring(const std::vector<uint16_t>& tiles) const {
    std::vector<uint16_t> ring;
    int before = 0;
    for (int at = neighbours_[0][0]; at != 0; before = std::exchange(at, Other(at, before))) ring.push_back(tiles[at]);
    return ring;
  }
  std::string CycleFault() const {
    std::vector<uint16_t> ring = Ring(board_);
    const std::vector<uint16_t> goal = Ring(goal_);
    std::rotate(ring.begin(), std::find(ring.begin(), ring.end(), goal[0]), ring.end());
    if (ring == goal) return "";
    const size_t at = std::mismatch(ring.begin(), ring.end(), goal.begin()).first - ring.begin();
    return "the cells form a ring of " + std::to_string(cells()) + ", where tiles keep their cyclic order: tile " +
           std::to_string(goal[at]) + " would have to follow tile " + std::to_string(goal[at - 1]) + ", but tile " +
           std::to_string(ring[at]) + " does";
  }

  // All that can be reached: a sixth of the 7! arrangements.
  std::string ThetaFault() const {
    std::set<std::vector<uint16_t>> met{board_};
    std::vector<std::vector<uint16_t>> queue{board_};
    for (size_t at = 0; at < queue.size() && met.count(goal_) == 0; ++at) {
      const std::vector<uint16_t> board = queue[at];
      const int blank = tiles::PlaceOf(0, board);
      for (const int cell : neighbours_[blank]) {
        std::vector<uint16_t> child = board;
        std::swap(child[blank], child[cell]);
        if (met.insert(child).second) queue.push_back(std::move(child));
      }
    }
    if (met.count(goal_) > 0) return "";
    return "the part of 7 cells is theta-0, a hexagon with a seventh cell between two opposite ones, where a sixth of "
           "all arrangements can be reached (Wilson 1974), and the goal is not among them";
  }

  const uint16_t gate_;
  std::vector<std::vector<int>> neighbours_;
  size_t ends_ = 0;  // of all edges
  std::vector<uint16_t> board_;
  std::vector<uint16_t> goal_;
};

// As if every move went both ways. `twoway` is symmetric.
SolvabilityAnswer CheckTwoWay(const Arcs& twoway, const Puzzle& puzzle) {
  const int blank = tiles::PlaceOf(0, puzzle.start);
  const int goal_blank = tiles::PlaceOf(0, puzzle.goal);
  const std::vector<int> next = WaysTo(twoway, goal_blank);
  if (next[blank] == -1) {
    return {ASTRO_SOLVABLE_NO, "the blank cannot get from cell " + std::to_string(blank) + " to cell " +
                                   std::to_string(goal_blank) + ": the board is in several parts"};
  }
  Tiles board = puzzle.start;
  for (int at = blank; at != goal_blank; at = next[at]) std::swap(board[at], board[next[at]]);
  for (int cell = 0; cell < twoway.cells(); ++cell) {
    if (next[cell] != -1 || board[cell] == puzzle.goal[cell]) continue;
    return {ASTRO_SOLVABLE_NO, "tile " + std::to_string(board[cell]) + " on cell " + std::to_string(cell) +
                                   " is not in its place, and the blank cannot get there: the board is in several "
                                   "parts"};
  }
  const std::vector<Block> blocks = FindBlocks(twoway, goal_blank);
  std::string reason;
  for (const Block& block : blocks) {
    const BlockPuzzle part(twoway, block, board, puzzle.goal);
    const std::string fault = part.Fault();
    if (!fault.empty()) return {ASTRO_SOLVABLE_NO, fault};
    if (blocks.size() == 1 && part.cells() > 2) reason = part.Reason();
  }
  if (reason.empty()) {
    reason = "the cells that cut the board make " + std::to_string(blocks.size()) +
             (blocks.size() == 1 ? " part of it" : " parts of it") +
             ", in each of which the goal can be reached (Wilson 1974)";
  }
  return {ASTRO_SOLVABLE_YES, std::move(reason)};
}

}  // namespace

SolvabilityAnswer CheckSolvability(const Puzzle& puzzle) {
  const Arcs& arcs = *puzzle.arcs;
  if (arcs.symmetric()) return CheckTwoWay(arcs, puzzle);
  const int blank = tiles::PlaceOf(0, puzzle.start);
  const int goal_blank = tiles::PlaceOf(0, puzzle.goal);
  if (WaysTo(arcs, goal_blank)[blank] == -1) {
    return {ASTRO_SOLVABLE_NO, "the moves of the blank lead from cell " + std::to_string(blank) +
                                   " to no place from which cell " + std::to_string(goal_blank) + " could be reached"};
  }
  SolvabilityAnswer answer = CheckTwoWay(arcs.Symmetrized(), puzzle);
  if (answer.solvable == ASTRO_SOLVABLE_NO) {
    answer.reason = "not even if all moves went both ways: " + answer.reason;
  } else {
    answer = {ASTRO_SOLVABLE_UNKNOWN, "some moves go one way, and the theory speaks of moves that go both ways"};
  }
  return answer;
}

}  // namespace graph_tile
