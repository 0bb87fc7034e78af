#ifndef ASTROLABE_CLIENT_CLI_SEARCH_FLAGS_H_
#define ASTROLABE_CLIENT_CLI_SEARCH_FLAGS_H_

#include <CLI/CLI.hpp>

#include "client/cli/solve_options.h"

namespace astrolabe::cli {

// How a search goes and when it stops, whatever the algorithm and the heuristics: --combine, --seed, --threads, --tier
// and the limits.
inline void AddSearchFlags(CLI::App* command, SolveOptions* options) {
  command->add_option("--combine", options->combine, "How the values of several heuristics become one: max or sum")
      ->check(CLI::IsMember({"max", "sum"}))
      ->type_name("HOW");
  // Read as a word first: the conversion would take -1 for 2^64 - 1.
  command->add_option("--seed", options->seed, "Seed of every random choice")
      ->transform(
          [](const std::string& word) -> std::string {
            if (!word.starts_with('-')) return word;
            throw CLI::ValidationError("'" + word +
                                       "' is not a value for --seed; expected a number from 0 to 2^64 - 1");
          },
          "")
      ->type_name("N");
  command->add_option("--threads", options->threads, "Search threads")->check(CLI::Range(1, 4096))->type_name("N");
  command->add_option("--time-limit", options->time_limit, "Wall-clock time, such as 10s; 0s: the server's default")
      ->type_name("TIME");
  command->add_option("--memory-limit", options->memory_limit, "Memory, such as 2GiB; 0: the server's default")
      ->type_name("SIZE");
  command
      ->add_option("--max-expansions", options->max_expansions, "States expanded, such as 10M; 0: the server's default")
      ->type_name("N");
  command->add_option("--max-generated", options->max_generated, "Children generated; 0: the server's default")
      ->type_name("N");
  command
      ->add_option("--max-cost", options->max_cost, "Look for no solution that costs more; 0 is a limit like any other")
      ->type_name("N");
  command->add_option("--tier", options->tier, "Engine tier: generic, kernel or additive; default: the fastest")
      ->check(CLI::IsMember({"generic", "kernel", "additive"}))
      ->type_name("TIER");
}

}  // namespace astrolabe::cli

#endif  // ASTROLABE_CLIENT_CLI_SEARCH_FLAGS_H_
