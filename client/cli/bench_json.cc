#include <nlohmann/json.hpp>

#include "client/cli/bench_report.h"

namespace astrolabe::cli {
namespace {

using Json = nlohmann::ordered_json;

std::string Dump(const Json& json) { return json.dump(-1, ' ', false, Json::error_handler_t::replace); }

template <typename Value>
void Set(Json* object, const char* key, const std::optional<Value>& value) {
  if (value) (*object)[key] = *value;
}

double SecondsOf(client::Duration time) { return std::chrono::duration<double>(time).count(); }

void SetConfig(Json* object, const BenchConfig& config) {
  (*object)["configuration"] = config.Label();
  (*object)["algorithm"] = config.AlgorithmLabel();
  if (!config.heuristic_label.empty()) (*object)["heuristics"] = config.heuristic_label;
}

Json ClimbsJson(const client::LocalStatistics& climbs, client::Duration time) {
  const ClimbFigures figures(climbs);
  Json json;
  json["climbs"] = climbs.climbs;
  json["solved"] = climbs.solved;
  json["stuck"] = climbs.stuck;
  Set(&json, "successRate", figures.success_rate);
  if (figures.interval) json["successInterval95"] = {figures.interval->low, figures.interval->high};
  Set(&json, "meanStepsSolved", figures.steps_solved);
  Set(&json, "meanStepsStuck", figures.steps_stuck);
  Set(&json, "meanSidewaysSteps", figures.sideways_steps);
  Set(&json, "meanWorseningSteps", figures.worsening_steps);
  if (time.count() > 0) json["climbsPerSecond"] = static_cast<double>(climbs.climbs) / SecondsOf(time);
  return json;
}

Json RunJson(const BenchRow& row, const BenchConfig& config) {
  Json run;
  run["instance"] = row.instance;
  SetConfig(&run, config);
  if (!row.error.ok()) {
    run["error"] = {{"code", absl::StatusCodeToString(row.error.code())}, {"message", row.error.message()}};
    return run;
  }
  run["outcome"] = client::Name(row.outcome);
  run["proof"] = client::Name(row.proof);
  if (row.limit != client::LimitKind::kNone) run["limit"] = client::Name(row.limit);
  if (row.proof == client::Proof::kBounded) run["boundFactor"] = row.bound_factor;
  Set(&run, "length", row.length);
  Set(&run, "cost", row.cost);
  Set(&run, "lowerBound", row.lower_bound);
  Set(&run, "objective", row.objective);
  run["costScale"] = row.cost_scale;
  run["initialH"] = row.initial_h;
  run["expanded"] = row.expanded;
  run["generated"] = row.generated;
  Set(&run, "effectiveBranchingFactor", row.branching);
  if (row.climbs) run["local"] = ClimbsJson(*row.climbs, row.search_time);
  run["prepareSeconds"] = SecondsOf(row.prepare_time);
  run["searchSeconds"] = SecondsOf(row.search_time);
  run["seconds"] = SecondsOf(row.time);
  run["peakMemoryBytes"] = row.peak_memory_bytes;
  run["repeats"] = row.repeats;
  if (!row.explanation.empty()) run["explanation"] = row.explanation;
  return run;
}

// What groups and the summary share.
Json TallyJson(const BenchTally& tally, const BenchConfig& config) {
  const auto values = [](std::span<const double> all) { return std::vector<double>(all.begin(), all.end()); };
  Json json;
  SetConfig(&json, config);
  json["runs"] = tally.runs();
  json["solved"] = tally.solved();
  json["optimal"] = tally.optimal();
  Set(&json, "meanLength", Mean(tally.lengths()));
  Set(&json, "meanExpanded", Mean(tally.expanded()));
  Set(&json, "medianExpanded", Median(values(tally.expanded())));
  Set(&json, "meanGenerated", Mean(tally.generated()));
  Set(&json, "medianGenerated", Median(values(tally.generated())));
  Set(&json, "meanEffectiveBranchingFactor", Mean(tally.branching()));
  Set(&json, "meanSeconds", Mean(tally.seconds()));
  Set(&json, "medianSeconds", Median(values(tally.seconds())));
  json["totalSeconds"] = SecondsOf(tally.total_time());
  if (tally.climbs()) json["local"] = ClimbsJson(*tally.climbs(), tally.climb_time());
  return json;
}

class BenchJson : public BenchReport {
 public:
  BenchJson(const BenchReportOptions& options, bool lines) : options_(options), lines_(lines) {}

  std::string Head() override { return lines_ ? "" : "{\"runs\":["; }

  std::string Row(const BenchRow& row) override {
    const Json run = RunJson(row, options_.configs[row.config]);
    if (lines_) return Dump({{"run", run}}) + "\n";
    const std::string text = (first_ ? "\n" : ",\n") + Dump(run);
    first_ = false;
    return text;
  }

  std::string Tail(const BenchTotals& totals, bool complete) override {
    const Json groups = options_.by_length ? Groups(totals) : Json::array();
    const Json summary = Summary(totals, complete);
    if (!lines_) {
      std::string text = "],\n";
      if (options_.by_length) text += "\"groups\":" + Dump(groups) + ",\n";
      return text + "\"summary\":" + Dump(summary) + "}\n";
    }
    std::string text;
    for (const Json& group : groups) text += Dump({{"group", group}}) + "\n";
    return text + Dump({{"summary", summary}}) + "\n";
  }

 private:
  Json Groups(const BenchTotals& totals) const {
    Json groups = Json::array();
    for (const auto& [length, group] : totals.by_length()) {
      Json json = {{"length", length}, {"instances", group.instances}, {"configurations", Configs(group.configs)}};
      groups.push_back(std::move(json));
    }
    return groups;
  }

  Json Summary(const BenchTotals& totals, bool complete) const {
    return {{"instances", totals.instances()}, {"complete", complete}, {"configurations", Configs(totals.configs())}};
  }

  Json Configs(const std::vector<BenchTally>& tallies) const {
    Json all = Json::array();
    for (size_t i = 0; i < tallies.size(); ++i) all.push_back(TallyJson(tallies[i], options_.configs[i]));
    return all;
  }

  const BenchReportOptions options_;
  const bool lines_;
  bool first_ = true;
};

}  // namespace

std::unique_ptr<BenchReport> MakeBenchJson(const BenchReportOptions& options, bool lines) {
  return std::make_unique<BenchJson>(options, lines);
}

}  // namespace astrolabe::cli
