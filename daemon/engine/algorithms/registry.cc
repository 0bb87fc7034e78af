#include "daemon/engine/algorithms/registry.h"

#include <vector>

#include "daemon/engine/algorithms/astar.h"
#include "daemon/engine/algorithms/idastar.h"

namespace astrolabe::engine {
namespace {

struct Row {
  AlgorithmDescription description;
  std::unique_ptr<Algorithm> (*make)(const Task& task);
};

const std::vector<Row>& Rows() {
  static const auto* const rows = new std::vector<Row>{
      {{.id = "astar",
        .summary = "A*: best first by f = g + h, every state kept once",
        .doc = "Hart, Nilsson and Raphael, 1968. Reopens states that are reached more cheaply later, so it is optimal "
               "with every admissible heuristic, consistent or not. Memory grows with the states it meets.",
        .optimal = true,
        .needs_heuristic = true,
        .params = {{.name = "ties",
                    .type = ParamType::kString,
                    .default_value = "high_g",
                    .doc = "Among nodes of equal f: high_g takes the deepest first, low_g the shallowest.",
                    .choices = {"high_g", "low_g"}}}},
       MakeAStar},
      {{.id = "idastar",
        .summary = "IDA*: depth first, again and again under a rising bound on f",
        .doc = "Korf, 1985. Needs almost no memory; meets a state once for every path to it. Runs in the problem's own "
               "kernel where there is one.",
        .optimal = true,
        .needs_heuristic = true,
        .params = {}},
       MakeIdaStar},
  };
  return *rows;
}

}  // namespace

std::span<const AlgorithmDescription> Algorithms() {
  static const auto* const descriptions = [] {
    auto* all = new std::vector<AlgorithmDescription>;
    for (const Row& row : Rows()) all->push_back(row.description);
    return all;
  }();
  return *descriptions;
}

int FindAlgorithm(std::string_view id) {
  const std::vector<Row>& rows = Rows();
  for (size_t i = 0; i < rows.size(); ++i) {
    if (rows[i].description.id == id) return static_cast<int>(i);
  }
  return -1;
}

std::unique_ptr<Algorithm> MakeAlgorithm(int index, const Task& task) {
  return Rows()[static_cast<size_t>(index)].make(task);
}

}  // namespace astrolabe::engine
