#include <charconv>

#include "client/cli/bench_report.h"
#include "client/cli/csv.h"

namespace astrolabe::cli {
namespace {

// The shortest text that reads back as the same number; empty: none.
std::string Real(std::optional<double> value) {
  if (!value) return "";
  char digits[32];
  return std::string(digits, std::to_chars(digits, digits + sizeof digits, *value).ptr);
}
std::string Whole(std::optional<int64_t> value) { return value ? std::to_string(*value) : ""; }
std::string SecondsOf(client::Duration time) { return Real(std::chrono::duration<double>(time).count()); }

class BenchCsv : public BenchReport {
 public:
  explicit BenchCsv(const BenchReportOptions& options) : options_(options) {}

  std::string Head() override {
    if (options_.by_length) {
      return "length,instances,configuration,algorithm,heuristics,solved,mean_expanded,mean_generated,"
             "mean_effective_branching_factor,mean_seconds\n";
    }
    return "instance,configuration,algorithm,heuristics,outcome,proof,bound_factor,limit,length,cost,lower_bound,cost_"
           "scale,"
           "initial_h,expanded,"
           "generated,effective_branching_factor,prepare_seconds,search_seconds,seconds,peak_memory_bytes,repeats,"
           "explanation\n";
  }

  std::string Row(const BenchRow& row) override {
    if (options_.by_length) return "";
    const BenchConfig& config = options_.configs[row.config];
    std::vector<std::string> cells = {row.instance, config.Label(), config.AlgorithmLabel(), config.heuristic_label};
    if (!row.error.ok()) {
      cells.insert(cells.end(), {"ERROR", "", "", "", "", "", "", "", "", "", "", "", "", "", "", "", ""});
      cells.emplace_back(row.error.message());
      return CsvLine(cells);
    }
    const bool bounded = row.proof == client::Proof::kBounded;
    const bool limited = row.limit != client::LimitKind::kNone;
    cells.insert(
        cells.end(),
        {client::Name(row.outcome), client::Name(row.proof), bounded ? Real(row.bound_factor) : "",
         limited ? client::Name(row.limit) : "", Whole(row.length), Whole(row.cost), Whole(row.lower_bound),
         std::to_string(row.cost_scale), std::to_string(row.initial_h), std::to_string(row.expanded),
         std::to_string(row.generated), Real(row.branching), SecondsOf(row.prepare_time), SecondsOf(row.search_time),
         SecondsOf(row.time), std::to_string(row.peak_memory_bytes), std::to_string(row.repeats), row.explanation});
    return CsvLine(cells);
  }

  std::string Tail(const BenchTotals& totals, bool) override {
    std::string text;
    if (!options_.by_length) return text;
    for (const auto& [length, group] : totals.by_length()) {
      for (size_t i = 0; i < options_.configs.size(); ++i) {
        const BenchTally& tally = group.configs[i];
        const BenchConfig& config = options_.configs[i];
        text +=
            CsvLine({std::to_string(length), std::to_string(group.instances), config.Label(), config.AlgorithmLabel(),
                     config.heuristic_label, std::to_string(tally.solved()), Real(Mean(tally.expanded())),
                     Real(Mean(tally.generated())), Real(Mean(tally.branching())), Real(Mean(tally.seconds()))});
      }
    }
    return text;
  }

 private:
  const BenchReportOptions options_;
};

}  // namespace

std::unique_ptr<BenchReport> MakeBenchCsv(const BenchReportOptions& options) {
  return std::make_unique<BenchCsv>(options);
}

}  // namespace astrolabe::cli
