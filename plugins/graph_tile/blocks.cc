// Hopcroft and Tarjan, 1973, without recursion: a board may be one long path.
#include "plugins/graph_tile/blocks.h"

#include <algorithm>

namespace graph_tile {
namespace {

class Finder {
 public:
  explicit Finder(const Arcs& arcs) : arcs_(arcs), order_(arcs.cells(), 0), low_(arcs.cells(), 0) {}

  std::vector<Block> Find(uint16_t from) {
    Enter(from);
    while (!walk_.empty()) Step();
    return std::move(blocks_);
  }

 private:
  // A cell on the way from the first one, and the next arc to look at.
  struct Visit {
    uint16_t cell;
    uint32_t arc;
  };

  void Enter(uint16_t cell) {
    order_[cell] = low_[cell] = ++last_;
    walk_.push_back({cell, arcs_.first[cell]});
    open_.push_back(cell);
  }

  void Step() {
    Visit& visit = walk_.back();
    if (visit.arc == arcs_.first[visit.cell + 1u]) return Leave();
    const uint16_t next = arcs_.target[visit.arc++];
    if (order_[next] == 0) {
      Enter(next);
    } else {
      low_[visit.cell] = std::min(low_[visit.cell], order_[next]);
    }
  }

  void Leave() {
    const uint16_t cell = walk_.back().cell;
    walk_.pop_back();
    if (walk_.empty()) return;
    const uint16_t parent = walk_.back().cell;
    low_[parent] = std::min(low_[parent], low_[cell]);
    if (low_[cell] < order_[parent]) return;
    // Nothing behind `parent` on this side leads past it.
    const auto begin = std::find(open_.rbegin(), open_.rend(), cell).base() - 1;
    blocks_.push_back({parent, {begin, open_.end()}});
    open_.erase(begin, open_.end());
  }

  const Arcs& arcs_;
  std::vector<uint32_t> order_;  // in which cells were met; 0: not yet
  std::vector<uint32_t> low_;    // the earliest cell that can be reached from behind a cell
  std::vector<Visit> walk_;
  std::vector<uint16_t> open_;  // met, and in no block yet
  std::vector<Block> blocks_;
  uint32_t last_ = 0;
};

}  // namespace

std::vector<Block> FindBlocks(const Arcs& arcs, int from) { return Finder(arcs).Find(static_cast<uint16_t>(from)); }

}  // namespace graph_tile
