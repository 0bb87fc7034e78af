#ifndef ASTROLABE_CLIENT_CLI_SEARCH_FLAGS_H_
#define ASTROLABE_CLIENT_CLI_SEARCH_FLAGS_H_

#include <CLI/CLI.hpp>

#include "client/cli/limit_flags.h"
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
  AddLimitFlags(command, "the server's default", &options->limits);
  command->add_option("--tier", options->tier, "Engine tier: generic, kernel or additive; default: the fastest")
      ->check(CLI::IsMember({"generic", "kernel", "additive"}))
      ->type_name("TIER");
}

}  // namespace astrolabe::cli

#endif  // ASTROLABE_CLIENT_CLI_SEARCH_FLAGS_H_
