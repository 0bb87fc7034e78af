// What `bench` compares: configurations, each an algorithm with the heuristics that guide it.
#ifndef ASTROLABE_CLIENT_CLI_BENCH_CONFIG_H_
#define ASTROLABE_CLIENT_CLI_BENCH_CONFIG_H_

#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "astrolabe/client/catalog.h"

namespace astrolabe::cli {

// All as typed.
struct BenchConfig {
  std::string algorithm;                // ID[:K=V,..]; empty: the problem's default
  std::vector<std::string> heuristics;  // ID[@W][:K=V,..] each; empty: the problem's default, or none is needed
  std::string heuristic_label;          // "max(manhattan, hamming)"; empty: none is needed
  // "astar + manhattan": what rows and columns are called.
  std::string Label() const;
  std::string AlgorithmLabel() const;
};

struct BenchConfigOptions {
  std::vector<std::string> algorithms;  // --algorithm
  std::vector<std::string> heuristics;  // --heuristic: "A" or the set "A+B"
  std::vector<std::string> configs;     // --config: "ALGORITHM" or "ALGORITHM A+B"
  std::string combine;                  // --combine: "max", "sum" or empty; for labels
};

// Each algorithm with each set of heuristics, in the order typed, then the --config ones. An algorithm of which
// `known` says that it needs no heuristic is there once, without any. With no option at all: the problem's default.
// INVALID_ARGUMENT: a part is empty, or a configuration is given twice.
absl::StatusOr<std::vector<BenchConfig>> BenchConfigs(const BenchConfigOptions& options,
                                                      const std::vector<client::AlgorithmInfo>& known);

}  // namespace astrolabe::cli

#endif  // ASTROLABE_CLIENT_CLI_BENCH_CONFIG_H_
