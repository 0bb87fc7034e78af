#ifndef ASTROLABE_CLIENT_CLI_SEARCH_FLAGS_H_
#define ASTROLABE_CLIENT_CLI_SEARCH_FLAGS_H_

#include <CLI/CLI.hpp>
#include <charconv>
#include <cstdint>
#include <string>
#include <system_error>

#include "client/cli/limit_flags.h"
#include "client/cli/solve_options.h"

namespace astrolabe::cli {

// How a search goes and when it stops, whatever the algorithm and the heuristics: --combine, --seed, --threads, --tier
// and the limits.
inline void AddSearchFlags(CLI::App* command, SolveOptions* options) {
  command->add_option("--combine", options->combine, "How the values of several heuristics become one: max or sum")
      ->check(CLI::IsMember({"max", "sum"}))
      ->type_name("HOW");
  // Read as a word first: the conversion would take -1, and what is too large, for 2^64 - 1.
  command->add_option("--seed", options->seed, "Seed of every random choice")
      ->transform(
          [](const std::string& word) -> std::string {
            uint64_t seed = 0;
            const char* const end = word.data() + word.size();
            if (std::from_chars(word.data(), end, seed) == std::from_chars_result{end, std::errc()}) return word;
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
