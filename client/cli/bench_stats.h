// The figures by which searches are compared.
#ifndef ASTROLABE_CLIENT_CLI_BENCH_STATS_H_
#define ASTROLABE_CLIENT_CLI_BENCH_STATS_H_

#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <vector>

#include "client/cli/bench_row.h"

namespace astrolabe::cli {

// Effective branching factor b* (Russell and Norvig, "Artificial Intelligence: A Modern Approach", 3.6.1): the
// branching that a uniform tree of that depth needs to hold as many nodes, N + 1 = 1 + b + b^2 + ... + b^d. N leaves
// out the root, `generated` counts it: generated = N + 1. By bisection, to the last digits of a double.
// Unset when depth < 1 or generated < 1.
std::optional<double> EffectiveBranchingFactor(int64_t generated, int64_t depth);

// Between which bounds a rate lies, with a confidence of 95 %.
struct Interval {
  double low = 0;
  double high = 1;
};

// Of `successes` among `trials`: Wilson's score interval ("Probable inference, the law of succession, and statistical
// inference", JASA 22, 1927), which is right near 0 and 1 too. Unset: no trials.
std::optional<Interval> WilsonInterval(int64_t successes, int64_t trials);

// The figures of the climbs of a local search. Means are unset of none.
struct ClimbFigures {
  explicit ClimbFigures(const client::LocalStatistics& climbs);
  std::optional<double> success_rate;  // of those that came to an end
  std::optional<Interval> interval;
  std::optional<double> steps_solved;  // means a climb
  std::optional<double> steps_stuck;
  std::optional<double> sideways_steps;
  std::optional<double> worsening_steps;
};

// Of numbers; unset: of none. The median of an even count is the mean of the middle two.
std::optional<double> Mean(std::span<const double> values);
std::optional<double> Median(std::vector<double> values);

// What is known of one configuration over many instances. Figures are those of solved runs.
class BenchTally {
 public:
  void Add(const BenchRow& row);

  int64_t runs() const { return runs_; }
  int64_t solved() const { return static_cast<int64_t>(generated_.size()); }
  int64_t optimal() const { return optimal_; }
  client::Duration total_time() const { return total_time_; }  // of all runs, solved or not
  // Of local search, sums over all runs; unset: there was none.
  const std::optional<client::LocalStatistics>& climbs() const { return climbs_; }
  client::Duration climb_time() const { return climb_time_; }  // of the search alone
  std::span<const double> lengths() const { return lengths_; }
  std::span<const double> expanded() const { return expanded_; }
  std::span<const double> generated() const { return generated_; }
  std::span<const double> branching() const { return branching_; }
  std::span<const double> seconds() const { return seconds_; }

 private:
  int64_t runs_ = 0;
  int64_t optimal_ = 0;
  client::Duration total_time_{0};
  std::optional<client::LocalStatistics> climbs_;
  client::Duration climb_time_{0};
  std::vector<double> lengths_;
  std::vector<double> expanded_;
  std::vector<double> generated_;
  std::vector<double> branching_;
  std::vector<double> seconds_;
};

// Everything: a tally for each configuration, and for each length of solution one for each configuration.
// An instance belongs to the length of its cheapest solution, whoever found it; without any it is in no group.
class BenchTotals {
 public:
  struct Group {
    int64_t instances = 0;
    std::vector<BenchTally> configs;
  };

  explicit BenchTotals(size_t configs) : configs_(configs) {}

  // The rows of one instance.
  void AddInstance(std::span<const BenchRow> rows);

  int64_t instances() const { return instances_; }
  const std::vector<BenchTally>& configs() const { return configs_; }
  const std::map<int64_t, Group>& by_length() const { return by_length_; }

 private:
  int64_t instances_ = 0;
  std::vector<BenchTally> configs_;
  std::map<int64_t, Group> by_length_;
};

}  // namespace astrolabe::cli

#endif  // ASTROLABE_CLIENT_CLI_BENCH_STATS_H_
