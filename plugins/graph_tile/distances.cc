#include "plugins/graph_tile/distances.h"

#include <algorithm>
#include <bit>

#include "plugins/graph_tile/bipartite.h"

namespace graph_tile {
namespace {

// A set of cells, a bit each.
using Word = uint64_t;
constexpr size_t kWordBits = 64;

// The neighbours of the cells that have so many that going through all cells, a word at a time, is less work.
class DenseCells {
 public:
  explicit DenseCells(const Instance& puzzle)
      : words_((static_cast<size_t>(puzzle.cells()) + kWordBits - 1) / kWordBits) {
    for (int cell = 0; cell < puzzle.cells(); ++cell) {
      const bool dense = puzzle.first(cell + 1) - puzzle.first(cell) > words_;
      begins_.push_back(dense ? bits_.size() : kNone);
      if (!dense) continue;
      bits_.resize(bits_.size() + words_);
      Word* const row = &bits_[begins_.back()];
      for (uint32_t arc = puzzle.first(cell); arc < puzzle.first(cell + 1); ++arc) {
        const auto target = static_cast<size_t>(puzzle.target(arc));
        row[target / kWordBits] |= Word{1} << (target % kWordBits);
      }
    }
  }

  size_t words() const { return words_; }
  // Null: the cell has few neighbours.
  const Word* of(int cell) const {
    const size_t begin = begins_[static_cast<size_t>(cell)];
    return begin == kNone ? nullptr : &bits_[begin];
  }

 private:
  static constexpr size_t kNone = SIZE_MAX;

  size_t words_;
  std::vector<size_t> begins_;
  std::vector<Word> bits_;
};

// Breadth-first searches from one cell after the other.
class Searches {
 public:
  explicit Searches(const Instance& puzzle) : puzzle_(puzzle), dense_(puzzle), left_(dense_.words()) {}

  // Writes the distance of every cell that can be reached; the others are left as they are.
  void From(int start, uint16_t* distances) {
    std::fill(left_.begin(), left_.end(), ~Word{0});
    if (const size_t rest = static_cast<size_t>(puzzle_.cells()) % kWordBits; rest != 0) {
      left_.back() = (Word{1} << rest) - 1;
    }
    queue_.clear();
    distances[start] = 0;
    Meet(start);
    for (size_t at = 0; at < queue_.size() && queue_.size() < static_cast<size_t>(puzzle_.cells()); ++at) {
      const auto further = static_cast<uint16_t>(distances[queue_[at]] + 1);
      const size_t met = queue_.size();
      MeetNeighbours(queue_[at]);
      for (size_t i = met; i < queue_.size(); ++i) distances[queue_[i]] = further;
    }
  }

 private:
  void Meet(int cell) {
    left_[static_cast<size_t>(cell) / kWordBits] &= ~(Word{1} << (static_cast<size_t>(cell) % kWordBits));
    queue_.push_back(cell);
  }
  bool IsLeft(int cell) const {
    return (left_[static_cast<size_t>(cell) / kWordBits] >> (static_cast<size_t>(cell) % kWordBits) & 1) != 0;
  }

  void MeetNeighbours(int cell) {
    if (const Word* const near = dense_.of(cell)) {
      for (size_t i = 0; i < left_.size(); ++i) {
        Word fresh = near[i] & left_[i];
        left_[i] ^= fresh;
        for (; fresh != 0; fresh &= fresh - 1) {
          queue_.push_back(static_cast<int>(i * kWordBits) + std::countr_zero(fresh));
        }
      }
      return;
    }
    for (uint32_t arc = puzzle_.first(cell); arc < puzzle_.first(cell + 1); ++arc) {
      if (IsLeft(puzzle_.target(arc))) Meet(puzzle_.target(arc));
    }
  }

  const Instance& puzzle_;
  const DenseCells dense_;
  std::vector<Word> left_;  // not met yet
  std::vector<int> queue_;  // met, in order
};

}  // namespace

// A tile goes the other way than the blank, so from its place back to where it may come from is along the arcs.
Distances::Distances(const Instance& puzzle, const std::function<void()>& poll)
    : cells_(static_cast<size_t>(puzzle.cells())), table_(cells_ * cells_, kFar) {
  std::fill_n(table_.begin(), cells_, uint16_t{0});
  poll();
  Searches searches(puzzle);
  for (int tile = 1; tile < puzzle.cells(); ++tile) {
    poll();
    searches.From(puzzle.goal_cell(tile), &table_[static_cast<size_t>(tile) * cells_]);
  }
}

bool IsBipartite(const Instance& puzzle) {
  // An edge counts whichever way it goes.
  std::vector<std::vector<int>> near(puzzle.cells());
  for (uint32_t arc = 0; arc < puzzle.view().arcs; ++arc) {
    near[puzzle.source(arc)].push_back(puzzle.target(arc));
    if (!puzzle.symmetric()) near[puzzle.target(arc)].push_back(puzzle.source(arc));
  }
  return IsBipartite(near);
}

}  // namespace graph_tile
