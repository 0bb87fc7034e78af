// What a problem and a heuristic say of themselves; becomes the plugin's manifest.
#ifndef ASTROLABE_SDK_INFO_H_
#define ASTROLABE_SDK_INFO_H_

#include <cstdint>
#include <span>
#include <string_view>

#include "astrolabe/sdk/params.h"

namespace astro {

struct Example {
  std::string_view title;
  std::string_view text;
};

// Ids are [a-z][a-z0-9_]*. Spans must refer to static arrays.
struct ProblemInfo {
  std::string_view id;
  std::string_view summary;
  std::string_view doc = {};
  std::string_view instance_syntax = {};
  std::span<const Example> examples = {};
  std::string_view default_algorithm = {};
  std::string_view default_heuristic = {};
  std::span<const ParamSpec> params = {};
};

// Claims are promises: the daemon checks those it can along every solution and names the state that
// breaks one.
struct HeuristicInfo {
  std::string_view id;
  std::string_view summary;
  std::string_view doc = {};
  bool admissible = false;
  bool consistent = false;
  bool parity = false;
  bool perfect = false;
  std::span<const ParamSpec> params = {};
  // What h is called where it is the objective of local search, to be followed by a number: "conflicts". Empty:
  // "objective".
  std::string_view objective_name = {};
};

// What an instance of a problem says of its state space; see astro_problem_info_v1.
struct SpaceInfo {
  uint32_t flags = 0;  // ASTRO_PROBLEM_*
  uint32_t state_size = 0;
  uint32_t state_align = 1;
  uint32_t max_ops = 0;
  int64_t cost_scale = 1;
  int64_t max_op_cost = 1;
  int64_t max_cost = 0;  // 0: not known
};

// A state that is a value for each of many variables; see astro_factored_info_v1.
struct FactoredInfo {
  uint32_t variables = 0;
  uint32_t values = 0;  // of each variable
};

}  // namespace astro

#endif  // ASTROLABE_SDK_INFO_H_
