#include <algorithm>
#include <cstdio>

#include "client/cli/bench_report.h"
#include "client/cli/result_text.h"
#include "client/cli/table.h"
#include "client/cli/units.h"

namespace astrolabe::cli {
namespace {

constexpr char kNothing[] = "-";

std::string Fixed(double value, int places) {
  char text[64];
  std::snprintf(text, sizeof text, "%.*f", places, value);
  return text;
}

// Small means need a digit behind the point.
std::string Count(std::optional<double> value) { return value ? Fixed(*value, *value < 99.95 ? 1 : 0) : kNothing; }
std::string Branching(std::optional<double> value) { return value ? Fixed(*value, 2) : kNothing; }
std::string Seconds(std::optional<double> value) {
  return value ? FormatDuration(std::chrono::nanoseconds(static_cast<int64_t>(*value * 1e9))) : kNothing;
}
std::string Number(std::optional<int64_t> value) { return value ? std::to_string(*value) : kNothing; }

std::string LeftPadded(const std::string& text, size_t width) {
  return (text.size() < width ? std::string(width - text.size(), ' ') : "") + text;
}
std::string RightPadded(std::string text, size_t width) {
  text.resize(std::max(width, text.size()), ' ');
  return text;
}

class BenchText : public BenchReport {
 public:
  explicit BenchText(const BenchReportOptions& options) : options_(options) {
    options_.instance_width = std::max(options_.instance_width, std::string("instance").size());
    config_width_ = std::string("configuration").size();
    for (const BenchConfig& config : options_.configs) config_width_ = std::max(config_width_, config.Label().size());
  }

  std::string Head() override {
    if (options_.by_length) return "";
    return Line("instance", "configuration", {"length", "cost", "expanded", "generated", "time", "b*"}, "outcome");
  }

  std::string Row(const BenchRow& row) override {
    if (options_.by_length) return "";
    const std::string label = options_.configs[row.config].Label();
    if (!row.error.ok()) return Line(row.instance, label, {"-", "-", "-", "-", "-", "-"}, OutcomeWords(row));
    return Line(
        row.instance, label,
        {Number(row.length), row.cost ? CostText(*row.cost, row.cost_scale) : kNothing, std::to_string(row.expanded),
         std::to_string(row.generated), FormatDuration(row.time), Branching(row.branching)},
        OutcomeWords(row));
  }

  std::string Tail(const BenchTotals& totals, bool complete) override {
    std::string text = options_.by_length ? GroupTable(totals) : "";
    text.append("\n").append(SummaryTable(totals));
    if (!complete) text += "\nnot complete: stopped before all runs were made\n";
    return text;
  }

 private:
  std::string Line(const std::string& instance, const std::string& config, const std::vector<std::string>& numbers,
                   const std::string& outcome) const {
    constexpr size_t kWidths[] = {6, 6, 11, 11, 9, 6};
    std::string line = RightPadded(instance, options_.instance_width) + "  " + RightPadded(config, config_width_);
    for (size_t i = 0; i < numbers.size(); ++i) line += "  " + LeftPadded(numbers[i], kWidths[i]);
    std::string words = outcome;
    std::ranges::replace(words, '\n', ' ');
    return line + "  " + words + "\n";
  }

  // The table of the textbook: a row a length, a column a configuration.
  std::string GroupTable(const BenchTotals& totals) const {
    std::vector<std::vector<std::string>> rows = {{"", ""}, {"", ""}, {"length", "instances"}};
    for (const char* const figure : {"generated", "b*"}) {
      for (const BenchConfig& config : options_.configs) {
        rows[0].push_back(figure);
        rows[1].push_back(config.AlgorithmLabel());
        rows[2].push_back(config.heuristic_label);
      }
    }
    bool partly = false;
    for (const auto& [length, group] : totals.by_length()) {
      std::vector<std::string> cells = {std::to_string(length), std::to_string(group.instances)};
      for (const BenchTally& tally : group.configs) {
        std::string cell = Count(Mean(tally.generated()));
        if (tally.solved() < group.instances) {
          cell += " (" + std::to_string(tally.solved()) + ")";
          partly = true;
        }
        cells.push_back(std::move(cell));
      }
      for (const BenchTally& tally : group.configs) cells.push_back(Branching(Mean(tally.branching())));
      rows.push_back(std::move(cells));
    }
    std::string text = "Means over the instances of each solution length\n\n" +
                       Table(rows, std::vector<Align>(rows[0].size(), Align::kRight));
    if (partly) text += "\n(N): the mean is over the N instances that were solved.\n";
    return text;
  }

  std::string SummaryTable(const BenchTotals& totals) const {
    std::vector<std::vector<std::string>> rows = {
        {"", "", "", "length", "expanded", "expanded", "generated", "generated", "b*", "time", "time", "time"},
        {"configuration", "solved", "optimal", "mean", "mean", "median", "mean", "median", "mean", "mean", "median",
         "total"}};
    const auto values = [](std::span<const double> all) { return std::vector<double>(all.begin(), all.end()); };
    for (size_t i = 0; i < options_.configs.size(); ++i) {
      const BenchTally& tally = totals.configs()[i];
      rows.push_back({options_.configs[i].Label(), std::to_string(tally.solved()) + "/" + std::to_string(tally.runs()),
                      std::to_string(tally.optimal()), Count(Mean(tally.lengths())), Count(Mean(tally.expanded())),
                      Count(Median(values(tally.expanded()))), Count(Mean(tally.generated())),
                      Count(Median(values(tally.generated()))), Branching(Mean(tally.branching())),
                      Seconds(Mean(tally.seconds())), Seconds(Median(values(tally.seconds()))),
                      FormatDuration(tally.total_time())});
    }
    std::vector<Align> align(rows[0].size(), Align::kRight);
    align[0] = Align::kLeft;
    return Table(rows, align);
  }

  BenchReportOptions options_;
  size_t config_width_ = 0;
};

}  // namespace

std::unique_ptr<BenchReport> MakeBenchText(const BenchReportOptions& options) {
  return std::make_unique<BenchText>(options);
}

}  // namespace astrolabe::cli
