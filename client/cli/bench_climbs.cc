// What `bench --climbs` prints: the climbs of a local search, a line a run.
#include <algorithm>
#include <charconv>
#include <cstdio>

#include "client/cli/bench_report.h"
#include "client/cli/csv.h"
#include "client/cli/result_text.h"
#include "client/cli/table.h"
#include "client/cli/units.h"

namespace astrolabe::cli {
namespace {

using client::LocalStatistics;

std::optional<double> PerSecond(const LocalStatistics& climbs, client::Duration time) {
  if (time.count() <= 0) return std::nullopt;
  return static_cast<double>(climbs.climbs) / std::chrono::duration<double>(time).count();
}

class ClimbsText : public BenchReport {
 public:
  explicit ClimbsText(const BenchReportOptions& options) : options_(options) {
    rows_.push_back({"", "", "", "", "success", "95 % interval", "steps", "steps", "sideways", "climbs", ""});
    rows_.push_back({"instance", "configuration", "climbs", "solved", "rate", "of the rate", "solved", "stuck",
                     "a climb", "a second", "outcome"});
  }

  // All at once: widths are those of the figures.
  std::string Head() override { return ""; }
  std::string Row(const BenchRow& row) override {
    AddLine(row.instance, row.config, row.climbs, row.search_time, OutcomeWords(row));
    return "";
  }

  std::string Tail(const BenchTotals& totals, bool complete) override {
    for (size_t i = 0; totals.instances() > 1 && i < options_.configs.size(); ++i) {
      const BenchTally& tally = totals.configs()[i];
      AddLine("all", i, tally.climbs(), tally.climb_time(), "");
    }
    std::vector<Align> align(rows_[0].size(), Align::kRight);
    align.front() = align[1] = align.back() = Align::kLeft;
    std::string text = Table(rows_, align);
    if (!complete) text += "\nnot complete: stopped before all runs were made\n";
    return text;
  }

 private:
  static std::string Fixed(std::optional<double> value, int places) {
    if (!value) return "-";
    char text[64];
    std::snprintf(text, sizeof text, "%.*f", places, *value);
    return text;
  }
  static std::string Percent(double rate) { return Fixed(rate * 100, 2); }

  void AddLine(const std::string& instance, size_t config, const std::optional<LocalStatistics>& climbs,
               client::Duration time, std::string outcome) {
    std::ranges::replace(outcome, '\n', ' ');
    std::vector<std::string> cells = {instance, options_.configs[config].Label()};
    if (climbs) {
      const ClimbFigures figures(*climbs);
      const std::optional<double> speed = PerSecond(*climbs, time);
      cells.insert(cells.end(),
                   {std::to_string(climbs->climbs), std::to_string(climbs->solved),
                    figures.success_rate ? Percent(*figures.success_rate) + " %" : "-",
                    figures.interval ? Percent(figures.interval->low) + " to " + Percent(figures.interval->high) : "-",
                    Fixed(figures.steps_solved, 2), Fixed(figures.steps_stuck, 2), Fixed(figures.sideways_steps, 2),
                    speed ? FormatCount(*speed) : "-"});
    } else {
      cells.resize(rows_[0].size() - 1, "-");
    }
    cells.push_back(std::move(outcome));
    rows_.push_back(std::move(cells));
  }

  const BenchReportOptions options_;
  std::vector<std::vector<std::string>> rows_;
};

class ClimbsCsv : public BenchReport {
 public:
  explicit ClimbsCsv(const BenchReportOptions& options) : options_(options) {}

  std::string Head() override {
    return "instance,configuration,algorithm,heuristics,outcome,objective,cost_scale,climbs,solved,stuck,success_rate,"
           "success_low,success_high,mean_steps_solved,mean_steps_stuck,mean_sideways_steps,mean_worsening_steps,"
           "search_seconds,explanation\n";
  }

  std::string Row(const BenchRow& row) override {
    const BenchConfig& config = options_.configs[row.config];
    std::vector<std::string> cells = {row.instance, config.Label(), config.AlgorithmLabel(), config.heuristic_label};
    if (!row.error.ok()) {
      cells.emplace_back("ERROR");
      cells.resize(kColumns - 1);
      cells.emplace_back(row.error.message());
      return CsvLine(cells);
    }
    cells.insert(cells.end(), {client::Name(row.outcome), row.objective ? std::to_string(*row.objective) : "",
                               std::to_string(row.cost_scale)});
    if (row.climbs) {
      const ClimbFigures figures(*row.climbs);
      cells.insert(
          cells.end(),
          {std::to_string(row.climbs->climbs), std::to_string(row.climbs->solved), std::to_string(row.climbs->stuck),
           Real(figures.success_rate), figures.interval ? Real(figures.interval->low) : "",
           figures.interval ? Real(figures.interval->high) : "", Real(figures.steps_solved), Real(figures.steps_stuck),
           Real(figures.sideways_steps), Real(figures.worsening_steps)});
    }
    cells.resize(kColumns - 2);
    cells.push_back(Real(std::chrono::duration<double>(row.search_time).count()));
    cells.push_back(row.explanation);
    return CsvLine(cells);
  }

  std::string Tail(const BenchTotals&, bool) override { return ""; }

 private:
  static constexpr size_t kColumns = 19;

  // The shortest text that reads back as the same number; empty: none.
  static std::string Real(std::optional<double> value) {
    if (!value) return "";
    char digits[32];
    return std::string(digits, std::to_chars(digits, digits + sizeof digits, *value).ptr);
  }

  const BenchReportOptions options_;
};

}  // namespace

std::unique_ptr<BenchReport> MakeBenchClimbsText(const BenchReportOptions& options) {
  return std::make_unique<ClimbsText>(options);
}

std::unique_ptr<BenchReport> MakeBenchClimbsCsv(const BenchReportOptions& options) {
  return std::make_unique<ClimbsCsv>(options);
}

}  // namespace astrolabe::cli
