// One run of `bench`: an instance, solved or not, with one configuration.
#ifndef ASTROLABE_CLIENT_CLI_BENCH_ROW_H_
#define ASTROLABE_CLIENT_CLI_BENCH_ROW_H_

#include <cstdint>
#include <optional>
#include <span>
#include <string>

#include "absl/status/status.h"
#include "astrolabe/client/result.h"

namespace astrolabe::cli {

struct BenchRow {
  std::string instance;
  size_t config = 0;  // index of its BenchConfig
  // Why there is no outcome: the instance could not be read, the call failed. OK: there is one.
  absl::Status error;

  client::Outcome outcome = client::Outcome::kUnspecified;
  client::LimitKind limit = client::LimitKind::kNone;
  client::Proof proof = client::Proof::kUnspecified;
  double bound_factor = 0;
  std::optional<int64_t> length;                  // operators of the solution; unset: none was found
  std::optional<int64_t> cost;                    // in units of 1/cost_scale
  std::optional<int64_t> lower_bound;             // the same; what was proven, also of a run that found nothing
  std::optional<int64_t> objective;               // of local search, in the same units
  std::string objective_words;                    // "conflicts 0"; empty: there is none
  std::optional<client::LocalStatistics> climbs;  // of local search
  int64_t cost_scale = 1;
  int64_t initial_h = 0;
  int64_t expanded = 0;
  int64_t generated = 0;  // the root is counted
  int64_t peak_memory_bytes = 0;
  std::optional<double> branching;  // effective branching factor b*; unset: no solution, or one without a move
  client::Duration prepare_time{0};
  client::Duration search_time{0};
  client::Duration time{0};  // preparation, search and extraction of the path
  int repeats = 0;           // runs that the times are the medians of
  std::string explanation;

  bool solved() const { return error.ok() && outcome == client::Outcome::kSolved; }
  bool optimal() const { return solved() && proof == client::Proof::kOptimal; }
};

// Of the runs of one instance and configuration, at least one: times are medians, all else is of the last run.
BenchRow MakeBenchRow(std::span<const client::Result> runs);

// In a few words: "optimal", "at most 2 x optimal", "time limit", "unsolvable", "rejected: 4 twice", "error: ...".
std::string OutcomeWords(const BenchRow& row);

}  // namespace astrolabe::cli

#endif  // ASTROLABE_CLIENT_CLI_BENCH_ROW_H_
