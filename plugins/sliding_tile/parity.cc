// A move swaps the blank with one tile, so it changes the parity of the permutation, and it moves the
// blank by one square. So the permutation that turns the start into the goal is even exactly when the
// blank is an even number of steps from its goal; on boards of two rows and columns or more every such
// permutation can be reached (Johnson and Story 1879; Wilson 1974).
#include "plugins/sliding_tile/parity.h"

#include <cstdlib>

namespace sliding_tile {
namespace {

// "; all is in place but tiles 7 and 8", when it is so.
std::string OnlyTwoSwapped(const Puzzle& puzzle) {
  std::vector<int> wrong;
  for (int square = 0; square < puzzle.shape.cells(); ++square) {
    if (puzzle.start[square] != puzzle.goal[square]) wrong.push_back(puzzle.start[square]);
  }
  if (wrong.size() != 2 || wrong[0] == 0 || wrong[1] == 0) return "";
  return "; all is in place but tiles " + std::to_string(wrong[0]) + " and " + std::to_string(wrong[1]) +
         ", which are exchanged";
}

const char* Parity(int n) { return n % 2 == 0 ? "even" : "odd"; }

}  // namespace

ParityAnswer CheckParity(const Puzzle& puzzle) {
  const int swaps = tiles::CountSwaps(puzzle.start, puzzle.goal);
  const int cols = puzzle.shape.cols;
  const int from = tiles::PlaceOf(0, puzzle.start);
  const int to = tiles::PlaceOf(0, puzzle.goal);
  const int steps = std::abs(from / cols - to / cols) + std::abs(from % cols - to % cols);
  const bool solvable = swaps % 2 == steps % 2;
  std::string reason = "turning the start into the goal takes an " + std::string(Parity(swaps)) + " number of swaps (" +
                       std::to_string(swaps) + "), and the blank is an " + Parity(steps) + " number of steps (" +
                       std::to_string(steps) + ") from its place; each move is one swap and one step of the blank, so ";
  reason += solvable ? "both parities must agree, and they do: the goal can be reached"
                     : "both parities would have to agree: the goal cannot be reached" + OnlyTwoSwapped(puzzle);
  return {solvable, std::move(reason)};
}

}  // namespace sliding_tile
