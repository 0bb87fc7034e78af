// What heuristics say of states, without a search. The fields are those of astrolabe.v1.EvaluateStates.
#ifndef ASTROLABE_CLIENT_EVALUATE_H_
#define ASTROLABE_CLIENT_EVALUATE_H_

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "astrolabe/client/job.h"
#include "astrolabe/client/server.h"

namespace astrolabe::client {

struct EvaluateRequest {
  InstanceRef instance;
  std::vector<HeuristicUse> heuristics;  // at most 32; empty: the problem's default
  std::vector<std::string> states;       // at most 1000, in the problem's state text; empty: the initial state
  bool with_neighbours = false;
};

struct HeuristicValue {
  std::string heuristic;
  std::optional<int64_t> h;  // floor(weight * value), in units of 1/cost_scale. Unset: a dead end
  std::string explanation;   // components, one a line; empty: the heuristic says nothing, or it is of a neighbour
  friend bool operator==(const HeuristicValue&, const HeuristicValue&) = default;
};

// What one operator makes of a state.
struct Neighbour {
  uint32_t op = 0;
  std::string op_name;
  int64_t cost = 0;   // in units of 1/cost_scale
  std::string state;  // empty above 64 KiB
  bool is_goal = false;
  std::vector<HeuristicValue> values;
  friend bool operator==(const Neighbour&, const Neighbour&) = default;
};

struct StateEvaluation {
  std::string state;  // in the problem's own text; empty above 64 KiB
  bool is_goal = false;
  std::vector<HeuristicValue> values;  // in the order of the request's heuristics
  std::vector<Neighbour> neighbours;   // only when asked for
  std::vector<Fact> facts;
  friend bool operator==(const StateEvaluation&, const StateEvaluation&) = default;
};

struct Evaluations {
  std::vector<StateEvaluation> evaluations;  // in the order of the request's states
  int64_t cost_scale = 1;
  std::vector<std::string> notes;
  friend bool operator==(const Evaluations&, const Evaluations&) = default;
};

}  // namespace astrolabe::client

#endif  // ASTROLABE_CLIENT_EVALUATE_H_
