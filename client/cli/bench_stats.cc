#include "client/cli/bench_stats.h"

#include <algorithm>
#include <chrono>
#include <cmath>

namespace astrolabe::cli {
namespace {

// 1 + b + ... + b^d for b = 1 + x; exact enough near b = 1, where the closed form in b is 0/0.
double UniformTree(double x, double depth) { return x == 0 ? depth + 1 : std::expm1((depth + 1) * std::log1p(x)) / x; }

void AddClimbs(const client::LocalStatistics& more, client::LocalStatistics& sum) {
  sum.climbs += more.climbs;
  sum.solved += more.solved;
  sum.stuck += more.stuck;
  sum.steps += more.steps;
  sum.steps_solved += more.steps_solved;
  sum.steps_stuck += more.steps_stuck;
  sum.sideways_steps += more.sideways_steps;
  sum.worsening_steps += more.worsening_steps;
}

}  // namespace

std::optional<double> EffectiveBranchingFactor(int64_t generated, int64_t depth) {
  if (depth < 1 || generated < 1) return std::nullopt;
  if (generated == 1) return 0;  // the root alone
  const auto nodes = static_cast<double>(generated);
  const auto d = static_cast<double>(depth);
  // The tree grows with b, and its last level b^d alone is smaller than it.
  double low = -1;
  double high = std::pow(nodes, 1 / d) + 1e-9 - 1;
  for (;;) {
    const double middle = low + (high - low) / 2;
    if (middle <= low || middle >= high) break;
    (UniformTree(middle, d) < nodes ? low : high) = middle;
  }
  return 1 + high;
}

std::optional<Interval> WilsonInterval(int64_t successes, int64_t trials) {
  if (trials < 1) return std::nullopt;
  constexpr double kZ = 1.959963984540054;  // of the normal distribution at 97.5 %
  const auto n = static_cast<double>(trials);
  const double rate = static_cast<double>(successes) / n;
  const double scale = 1 + kZ * kZ / n;
  const double middle = (rate + kZ * kZ / (2 * n)) / scale;
  const double half = kZ / scale * std::sqrt(rate * (1 - rate) / n + kZ * kZ / (4 * n * n));
  return Interval{std::max(0.0, middle - half), std::min(1.0, middle + half)};
}

ClimbFigures::ClimbFigures(const client::LocalStatistics& climbs) {
  const auto mean = [](int64_t sum, int64_t count) -> std::optional<double> {
    if (count < 1) return std::nullopt;
    return static_cast<double>(sum) / static_cast<double>(count);
  };
  const int64_t ended = climbs.solved + climbs.stuck;
  success_rate = mean(climbs.solved, ended);
  interval = WilsonInterval(climbs.solved, ended);
  steps_solved = mean(climbs.steps_solved, climbs.solved);
  steps_stuck = mean(climbs.steps_stuck, climbs.stuck);
  sideways_steps = mean(climbs.sideways_steps, climbs.climbs);
  worsening_steps = mean(climbs.worsening_steps, climbs.climbs);
}

std::optional<double> Mean(std::span<const double> values) {
  if (values.empty()) return std::nullopt;
  double sum = 0;
  for (const double value : values) sum += value;
  return sum / static_cast<double>(values.size());
}

std::optional<double> Median(std::vector<double> values) {
  if (values.empty()) return std::nullopt;
  const size_t half = values.size() / 2;
  std::ranges::nth_element(values, values.begin() + static_cast<ptrdiff_t>(half));
  const double upper = values[half];
  if (values.size() % 2 == 1) return upper;
  const double lower = *std::max_element(values.begin(), values.begin() + static_cast<ptrdiff_t>(half));
  return lower + (upper - lower) / 2;
}

void BenchTally::Add(const BenchRow& row) {
  ++runs_;
  total_time_ += row.time;
  if (row.climbs) {
    if (!climbs_) climbs_.emplace();
    AddClimbs(*row.climbs, *climbs_);
    climb_time_ += row.search_time;
  }
  if (!row.solved()) return;
  if (row.optimal()) ++optimal_;
  if (row.length) lengths_.push_back(static_cast<double>(*row.length));
  expanded_.push_back(static_cast<double>(row.expanded));
  generated_.push_back(static_cast<double>(row.generated));
  if (row.branching) branching_.push_back(*row.branching);
  seconds_.push_back(std::chrono::duration<double>(row.time).count());
}

void BenchTotals::AddInstance(std::span<const BenchRow> rows) {
  ++instances_;
  const BenchRow* best = nullptr;
  for (const BenchRow& row : rows) {
    configs_[row.config].Add(row);
    if (!row.cost || !row.length) continue;
    if (best == nullptr || *row.cost < *best->cost || (*row.cost == *best->cost && *row.length < *best->length)) {
      best = &row;
    }
  }
  if (best == nullptr) return;
  Group& group = by_length_[*best->length];
  ++group.instances;
  group.configs.resize(configs_.size());
  for (const BenchRow& row : rows) group.configs[row.config].Add(row);
}

}  // namespace astrolabe::cli
