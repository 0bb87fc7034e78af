#include "plugins/graph_tile/arcs.h"

#include <algorithm>

namespace graph_tile {

Arcs Arcs::Make(int cells, std::vector<Arc> arcs) {
  std::sort(arcs.begin(), arcs.end());
  arcs.erase(std::unique(arcs.begin(), arcs.end()), arcs.end());
  Arcs out;
  out.first.assign(static_cast<size_t>(cells) + 1, 0);
  for (const auto& [from, to] : arcs) {
    ++out.first[from + 1u];
    out.source.push_back(from);
    out.target.push_back(to);
  }
  for (int cell = 0; cell < cells; ++cell) out.first[cell + 1] += out.first[cell];
  for (const auto& [from, to] : arcs) out.back.push_back(out.Find(to, from));
  return out;
}

Arcs Arcs::Transposed() const {
  std::vector<Arc> arcs;
  for (uint32_t arc = 0; arc < size(); ++arc) arcs.emplace_back(target[arc], source[arc]);
  return Make(cells(), std::move(arcs));
}

Arcs Arcs::Symmetrized() const {
  std::vector<Arc> arcs;
  for (uint32_t arc = 0; arc < size(); ++arc) {
    arcs.emplace_back(source[arc], target[arc]);
    arcs.emplace_back(target[arc], source[arc]);
  }
  return Make(cells(), std::move(arcs));
}

uint32_t Arcs::Find(int from, int to) const {
  const auto begin = target.begin() + first[from];
  const auto end = target.begin() + first[from + 1];
  const auto found = std::lower_bound(begin, end, to);
  return found != end && *found == to ? static_cast<uint32_t>(found - target.begin()) : kNone;
}

bool Arcs::symmetric() const { return std::find(back.begin(), back.end(), kNone) == back.end(); }

}  // namespace graph_tile
