#include "daemon/engine/algorithms/registry.h"

#include <vector>

#include "daemon/engine/algorithms/all_solutions.h"
#include "daemon/engine/algorithms/anytime_astar.h"
#include "daemon/engine/algorithms/astar.h"
#include "daemon/engine/algorithms/beam.h"
#include "daemon/engine/algorithms/bidirectional.h"
#include "daemon/engine/algorithms/bidirectional_bfs.h"
#include "daemon/engine/algorithms/breadth_first.h"
#include "daemon/engine/algorithms/construct.h"
#include "daemon/engine/algorithms/depth_first.h"
#include "daemon/engine/algorithms/greedy.h"
#include "daemon/engine/algorithms/hda_star.h"
#include "daemon/engine/algorithms/idastar.h"
#include "daemon/engine/algorithms/improve.h"
#include "daemon/engine/algorithms/rbfs.h"
#include "daemon/engine/algorithms/uniform_cost.h"
#include "daemon/engine/algorithms/weighted_astar.h"
#include "daemon/engine/local/annealing.h"
#include "daemon/engine/local/descriptions.h"
#include "daemon/engine/local/hill_climbing.h"
#include "daemon/engine/local/local_beam.h"
#include "daemon/engine/local/min_conflicts.h"
#include "daemon/engine/local/tabu.h"

namespace astrolabe::engine {
namespace {

struct Row {
  AlgorithmDescription description;
  std::unique_ptr<Algorithm> (*make)(const Task& task);
};

ParamSpec TiesParam() {
  return {.name = "ties",
          .type = ParamType::kString,
          .default_value = "high_g",
          .doc = "Among equals of the order: high_g takes the deepest first, low_g the shallowest.",
          .choices = {"high_g", "low_g"}};
}

ParamSpec ParentPruningParam(const std::string& besides) {
  return {.name = "parent_pruning",
          .type = ParamType::kString,
          .default_value = "on",
          .doc =
              "on: where the problem can tell it, the operator that takes the last one back is left out (the "
              "\"critical optimisation\"). off: it is tried as well, to see what that saves" +
              besides + ".",
          .choices = {"on", "off"}};
}

const std::vector<Row>& Rows() {
  static const auto* const rows = new std::vector<Row>{
      {{.id = "astar",
        .summary = "A*: best first by f = g + h, every state kept once",
        .doc = "Hart, Nilsson and Raphael, 1968. Reopens states that are reached more cheaply later, so it is optimal "
               "with every admissible heuristic, consistent or not. Memory grows with the states it meets.",
        .optimal = true,
        .needs_heuristic = true,
        .params = {TiesParam(),
                   {.name = "pathmax",
                    .type = ParamType::kString,
                    .default_value = "off",
                    .doc = "For heuristics that are not consistent: pathmax gives a child at least its parent's h less "
                           "the operator's cost; bpmx lets children raise their parent's first, where every operator "
                           "has an inverse of equal cost. Both evaluate each expanded state again.",
                    .choices = {"off", "pathmax", "bpmx"}},
                   ParentPruningParam(" in nodes that are met again")}},
       MakeAStar},
      {{.id = "weighted_astar",
        .summary = "Weighted A*: best first by g + weight * h; at most weight times the least cost",
        .doc = "Pohl, 1970. Expands fewer states than A* the larger the weight is. Reopens states, so the bound holds "
               "with "
               "every admissible heuristic; the result tells what was proven, which is often better.",
        .optimal = false,
        .needs_heuristic = true,
        .params = {{.name = "weight",
                    .type = ParamType::kDouble,
                    .default_value = 1.5,
                    .min = 1.0,
                    .max = 1000.0,
                    .doc = "Weight at least 1; taken to the nearest thousandth. 1 is A*."},
                   TiesParam()}},
       MakeWeightedAStar},
      {{.id = "greedy",
        .summary = "Greedy best-first search: by h alone; a solution soon, of any cost",
        .doc = "Doran and Michie, 1966. Every state is expanded at most once; among equal h the cheapest g goes first.",
        .optimal = false,
        .needs_heuristic = true,
        .params = {}},
       MakeGreedy},
      {{.id = "breadth_first",
        .summary = "Breadth-first search: fewest operators, no heuristic",
        .doc = "Moore, 1959. Where all operators cost the same the solution is also the cheapest.",
        .optimal = false,
        .needs_heuristic = false,
        .counts_operators = true,
        .params = {}},
       MakeBreadthFirst},
      {{.id = "uniform_cost",
        .summary = "Uniform-cost search (Dijkstra): best first by g, no heuristic",
        .doc = "Dijkstra, 1959. Optimal; expands every state that is cheaper than the goal.",
        .optimal = true,
        .needs_heuristic = false,
        .params = {}},
       MakeUniformCost},
      {{.id = "idastar",
        .summary = "IDA*: depth first, again and again under a rising bound on f",
        .doc = "Korf, 1985. Needs almost no memory; meets a state once for every path to it. Runs in the problem's own "
               "kernel where there is one.",
        .optimal = true,
        .needs_heuristic = true,
        .uses_threads = true,
        .params = {{.name = "mode",
                    .type = ParamType::kString,
                    .default_value = std::string("korf"),
                    .doc = "korf visits nodes in the order of the operators: counts are those of the literature. fast "
                           "takes the most promising first, so the last iteration ends sooner; its counts mean "
                           "nothing beyond this search.",
                    .choices = {"korf", "fast"}},
                   {.name = "transposition_table",
                    .type = ParamType::kInt,
                    .default_value = int64_t{0},
                    .min = int64_t{0},
                    .max = int64_t{1} << 20,
                    .doc = "MiB for states already met, which are not searched again; 0: none, unless the search "
                           "might not end without. With a table the search runs in the engine's own loop."},
                   ParentPruningParam("; the search runs in the engine's own loop then, on one thread")}},
       MakeIdaStar},
      {{.id = "depth_first",
        .summary = "Depth-first iterative deepening: under a rising bound on g, no heuristic",
        .doc = "Korf, 1985. Optimal, with memory for one path. States met before are kept, up to 256 MiB, where the "
               "search might not end otherwise.",
        .optimal = true,
        .needs_heuristic = false,
        .params = {}},
       MakeDepthFirst},
      {{.id = "hda_star",
        .summary = "HDA*: A* on several threads, each owning the states whose hash falls to it",
        .doc = "Kishimoto, Fukunaga and Botea, 2009. Optimal as A* is; the cost never depends on the threads, the "
               "number of expansions does and differs from run to run. With one thread, or when events are recorded, "
               "it is A*.",
        .optimal = true,
        .needs_heuristic = true,
        .uses_threads = true,
        .params = {TiesParam()}},
       MakeHdaStar},
      {{.id = "rbfs",
        .summary = "RBFS: best first in linear memory, with backed-up values",
        .doc = "Korf, 1993. Keeps one path and, for its siblings, the least f learnt below them; expands in best-first "
               "order, again and again. Where the problem does not promise a solution, or operators may be free, paths "
               "that come back to a state are cut, so that the search ends.",
        .optimal = true,
        .needs_heuristic = true,
        .params = {}},
       MakeRbfs},
      {{.id = "anytime_astar",
        .summary = "ARA*: a solution soon, then better ones, until the best is proven or a limit is reached",
        .doc = "Anytime repairing A*: Likhachev, Gordon and Thrun, 2003. Rounds of weighted A* with a falling weight, "
               "each with what the last one found. Every better solution is told, with the lower bound proven so far; "
               "ended early, the best one is the result.",
        .optimal = true,
        .needs_heuristic = true,
        .params = {{.name = "initial_weight",
                    .type = ParamType::kDouble,
                    .default_value = 3.0,
                    .min = 1.0,
                    .max = 1000.0,
                    .doc = "Weight of h in the first round; taken to the nearest thousandth. 1 is A*."},
                   {.name = "weight_step",
                    .type = ParamType::kDouble,
                    .default_value = 0.5,
                    .min = 0.01,
                    .max = 1000.0,
                    .doc = "What the weight falls by from round to round, until it is 1. Weights whose bound is "
                           "proven already are left out."}}},
       MakeAnytimeAStar},
      {{.id = "beam",
        .summary = "Beam search: breadth first with the best of each layer; the width is doubled until it finds a way",
        .doc = "Lowerre, 1976. Keeps at most `width` nodes of a layer. A pass that ends without a solution is repeated "
               "with twice the width, so a solution is found if there is one and memory suffices. Takes the cheapest "
               "goal of the first layer that has one.",
        .optimal = false,
        .needs_heuristic = true,
        .params = {{.name = "width",
                    .type = ParamType::kInt,
                    .default_value = int64_t{100},
                    .min = int64_t{1},
                    .max = int64_t{10'000'000},
                    .doc = "Nodes kept of each layer in the first pass."},
                   {.name = "order",
                    .type = ParamType::kString,
                    .default_value = "f",
                    .doc = "What makes a node good: f = g + h, or h alone.",
                    .choices = {"f", "h"}}}},
       MakeBeam},
      {{.id = "bidirectional",
        .summary = "NBS: heuristic search from both ends, front to end, meeting in the middle",
        .doc = "Near-optimal bidirectional search: Chen, Holte, Zilles and Sturtevant, 2017. Expands at most about "
               "twice as many states as any algorithm must. Needs a problem that can be reversed: one goal state, and "
               "operators that can be turned round. In node events the states met from the goal have ids of their own.",
        .optimal = true,
        .needs_heuristic = true,
        .needs_reversed = true,
        .params = {}},
       MakeBidirectional},
      {{.id = "bidirectional_bfs",
        .summary = "Breadth-first search from both ends: fewest operators, no heuristic",
        .doc = "Pohl, 1971. Layer by layer on the side whose layer is smaller. Where all operators cost the same the "
               "solution is also the cheapest. Needs a problem that can be reversed.",
        .optimal = false,
        .needs_heuristic = false,
        .counts_operators = true,
        .needs_reversed = true,
        .params = {}},
       MakeBidirectionalBfs},
      {{.id = "construct",
        .summary = "A solution by the problem's own method, without search; soon, for any size, not short",
        .doc =
            "Takes polynomial time, so it solves instances that no search can. Each operator counts as one expansion. "
            "Needs a problem that constructs solutions. Tells no node events.",
        .optimal = false,
        .needs_heuristic = false,
        .needs_construct = true,
        .takes_path = true,
        .params = {}},
       MakeConstruct},
      {{.id = "improve",
        .summary = "Constructs a solution, then shortens it window by window; anytime",
        .doc =
            "Ratner and Pohl, 1986 (joint and LPA*). Takes every piece of the solution of so many operators, half of "
            "it in common with the next, and replaces it by a cheapest way between its ends; in wider and wider "
            "windows, until the widest finds nothing more. Where the problem knows a distance between any two states, "
            "and operators have inverses, by iterative deepening (IDA*), which keeps one state, and windows up to the "
            "whole solution by beam search; elsewhere by Dijkstra's algorithm, from both ends where operators have "
            "inverses. Then again with more nodes for each window. Under a limit of time or nodes it goes on until "
            "then, or until one window holds everything, which proves the solution optimal. Without one it ends when a "
            "window has had 'nodes'. Needs a problem that constructs solutions. Tells no node events.",
        .optimal = false,
        .needs_heuristic = false,
        .needs_construct = true,
        .params =
            {{.name = "window",
              .type = ParamType::kInt,
              .default_value = int64_t{60},
              .min = int64_t{2},
              .max = int64_t{1'000'000},
              .doc = "Operators in the widest window that is replaced by a cheapest way; under a limit it grows where "
                     "nodes suffice."},
             {.name = "nodes",
              .type = ParamType::kInt,
              .default_value = int64_t{100'000},
              .min = int64_t{100},
              .max = int64_t{100'000'000},
              .doc = "Nodes kept for one window at most, and as many as fit into 64 MiB; iterative deepening "
                     "keeps none and visits ten times as many. A window that needs more stays as it is. Under a "
                     "limit of time or nodes they grow beyond."}}},
       MakeImprove},
      {{.id = "all_solutions",
        .summary = "All solutions are counted; depth first, no heuristic, through everything that can be reached",
        .doc =
            "Counts the goal states that can be reached, and gives the path to the first. Where the problem says that "
            "no two ways lead to one state nothing is kept but a path, else all states are. Under a limit the count "
            "is a lower bound. With node events every solution is told as a goal.",
        .optimal = false,
        .needs_heuristic = false,
        .counts_solutions = true,
        .params = {}},
       MakeAllSolutions},
      {HillClimbingDescription(), MakeHillClimbing},
      {AnnealingDescription(), MakeAnnealing},
      {MinConflictsDescription(), MakeMinConflicts},
      {TabuDescription(), MakeTabu},
      {LocalBeamDescription(), MakeLocalBeam},
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
