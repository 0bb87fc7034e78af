#include "client/cli/bench_row.h"

#include <algorithm>
#include <cstdio>
#include <vector>

#include "client/cli/bench_stats.h"
#include "client/cli/local_text.h"
#include "client/cli/result_text.h"

namespace astrolabe::cli {
namespace {

using client::Duration;
using client::Outcome;
using client::Proof;

template <typename Time>
Duration MedianTime(std::span<const client::Result> runs, Time time) {
  std::vector<double> all;
  for (const client::Result& run : runs) all.push_back(static_cast<double>(time(run.statistics).count()));
  return Duration(static_cast<Duration::rep>(*Median(std::move(all))));
}

std::string WithReason(const char* words, const std::string& reason) {
  return words + (reason.empty() ? "" : ": " + reason);
}

}  // namespace

BenchRow MakeBenchRow(std::span<const client::Result> runs) {
  const client::Result& last = runs.back();
  BenchRow row;
  row.outcome = last.outcome;
  row.limit = last.limit;
  row.proof = last.proof;
  row.bound_factor = last.bound_factor;
  row.cost = last.cost;
  row.lower_bound = last.lower_bound;
  row.cost_scale = std::max<int64_t>(last.cost_scale, 1);
  if (last.cost) row.length = last.path.length;
  row.objective = last.objective;
  if (IsLocal(last)) row.objective_words = ObjectiveText(last);
  row.climbs = last.statistics.local;
  row.initial_h = last.statistics.initial_h;
  row.expanded = last.statistics.expanded;
  row.generated = last.statistics.generated;
  row.peak_memory_bytes = last.statistics.peak_memory_bytes;
  if (row.length) row.branching = EffectiveBranchingFactor(row.generated, *row.length);
  row.prepare_time = MedianTime(runs, [](const client::Statistics& stats) { return stats.prepare_time; });
  row.search_time = MedianTime(runs, [](const client::Statistics& stats) { return stats.search_time; });
  row.time = MedianTime(runs, [](const client::Statistics& stats) {
    return stats.prepare_time + stats.search_time + stats.extract_time;
  });
  row.repeats = static_cast<int>(runs.size());
  row.explanation = last.explanation;
  return row;
}

std::string OutcomeWords(const BenchRow& row) {
  if (!row.error.ok()) return "error: " + std::string(row.error.message());
  switch (row.outcome) {
    case Outcome::kSolved:
      if (row.objective) return (row.proof == Proof::kNone ? "target reached, " : "solved, ") + row.objective_words;
      if (row.proof == Proof::kOptimal) return "optimal";
      if (row.proof == Proof::kBounded) {
        char text[64];
        std::snprintf(text, sizeof text, "at most %.6g x optimal", row.bound_factor);
        return text;
      }
      return "solved, not proven optimal";
    case Outcome::kUnsolvable:
      return "unsolvable";
    case Outcome::kExhaustedLocal:
      return "no solution found" + (row.objective ? ", " + row.objective_words : "");
    case Outcome::kLimitReached:
      return LimitWords(row.limit);
    case Outcome::kCancelled:
      return "cancelled";
    case Outcome::kRejected:
      return WithReason("rejected", row.explanation);
    case Outcome::kPluginFailed:
      return WithReason("plugin failed", row.explanation);
    case Outcome::kInterrupted:
      return "interrupted by the server";
    case Outcome::kUnspecified:
      break;
  }
  return client::Name(row.outcome);
}

}  // namespace astrolabe::cli
