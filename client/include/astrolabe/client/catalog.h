// What the server's plugins and engine offer.
#ifndef ASTROLABE_CLIENT_CATALOG_H_
#define ASTROLABE_CLIENT_CATALOG_H_

#include <optional>
#include <string>
#include <vector>

#include "astrolabe/client/job.h"

namespace astrolabe::client {

enum class ParamType { kUnspecified = 0, kBool = 1, kInt = 2, kDouble = 3, kString = 4 };

struct ParamSpec {
  std::string name;
  ParamType type = ParamType::kUnspecified;
  std::optional<ParamValue> default_value;  // unset: none, may be left out
  std::optional<ParamValue> min;            // inclusive
  std::optional<ParamValue> max;
  std::string doc;
  std::vector<std::string> choices;            // for strings; empty: any
  std::optional<ParamValue> counting_default;  // with algorithms that count all solutions; unset: default_value
  friend bool operator==(const ParamSpec&, const ParamSpec&) = default;
};

struct Example {
  std::string title;
  std::string text;
  friend bool operator==(const Example&, const Example&) = default;
};

struct ProblemInfo {
  std::string id;
  std::string summary;
  std::string plugin;
  std::string version;
  std::string instance_syntax;
  std::vector<Example> examples;
  std::string default_algorithm;
  std::string default_heuristic;
  std::vector<ParamSpec> params;
  std::string state_layout;
  std::string doc;
  friend bool operator==(const ProblemInfo&, const ProblemInfo&) = default;
};

struct HeuristicInfo {
  std::string id;
  std::string summary;
  std::string plugin;
  std::string version;
  std::string problem;  // whose states it evaluates
  bool admissible = false;
  bool consistent = false;
  std::vector<ParamSpec> params;
  std::string doc;
  // What its value is called as the objective of local search: "conflicts". Empty: "objective".
  std::string objective_name;
  friend bool operator==(const HeuristicInfo&, const HeuristicInfo&) = default;
};

struct AlgorithmInfo {
  std::string id;
  std::string summary;
  bool optimal = false;
  bool needs_heuristic = false;
  std::vector<ParamSpec> params;
  std::string doc;
  // It searches from the goal too, so not every problem can be solved with it.
  bool needs_reversed = false;
  // JobSpec::threads counts; else it works on one.
  bool uses_threads = false;
  // It starts from a solution that the problem constructs, which not every problem does.
  bool needs_construct = false;
  // It looks for a state, not for a path: the heuristic is the objective.
  bool local_search = false;
  // It counts all solutions: parameters of the problem take their counting_default.
  bool counts_solutions = false;
  friend bool operator==(const AlgorithmInfo&, const AlgorithmInfo&) = default;
};

}  // namespace astrolabe::client

#endif  // ASTROLABE_CLIENT_CATALOG_H_
