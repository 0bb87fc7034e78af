#include <unistd.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cstdio>
#include <memory>
#include <utility>

#include "client/cli/bench_config.h"
#include "client/cli/bench_instances.h"
#include "client/cli/bench_report.h"
#include "client/cli/bench_run.h"
#include "client/cli/commands.h"
#include "client/cli/exit_code.h"
#include "client/cli/instance_flags.h"
#include "client/cli/interrupts.h"
#include "client/cli/search_flags.h"
#include "client/cli/units.h"

namespace astrolabe::cli {
namespace {

struct BenchOptions {
  SolveOptions solve;  // the same for all runs
  BenchConfigOptions configs;
  std::vector<std::string> instances;
  bool lines = false;
  bool by_length = false;
  int repeats = 1;
  int64_t climbs = 0;  // 0: runs are not made of a number of climbs
};

std::unique_ptr<BenchReport> MakeReport(OutputForm form, const BenchReportOptions& options) {
  switch (form) {
    case OutputForm::kCsv:
      return options.climbs ? MakeBenchClimbsCsv(options) : MakeBenchCsv(options);
    case OutputForm::kJson:
    case OutputForm::kNdjson:
      return MakeBenchJson(options, form == OutputForm::kNdjson);
    default:
      return options.climbs ? MakeBenchClimbsText(options) : MakeBenchText(options);
  }
}

// One job makes all the climbs, so that nothing but them is measured.
void SetClimbs(int64_t climbs, client::AlgorithmUse* algorithm) {
  algorithm->params["restarts"] = climbs - 1;
  algorithm->params["stop_at_solution"] = false;
}

absl::StatusOr<BenchPlan> MakePlan(const BenchOptions& options, const std::vector<BenchConfig>& configs,
                                   std::vector<BenchInstance> instances, client::Client* client) {
  BenchPlan plan;
  plan.instance = options.solve.instance;
  plan.instances = std::move(instances);
  plan.repeats = options.repeats;
  for (const BenchConfig& config : configs) {
    SolveOptions search = options.solve;
    search.algorithm = config.algorithm;
    search.heuristics = config.heuristics;
    auto request = BuildSearch(search, client);
    if (!request.ok()) return request.status();
    if (options.climbs > 0) SetClimbs(options.climbs, &request->spec.algorithm);
    if (isatty(STDERR_FILENO) == 1) request->watch.progress_interval = std::chrono::milliseconds(250);
    plan.labels.push_back(config.Label());
    plan.searches.push_back(*std::move(request));
  }
  return plan;
}

// --climbs is for algorithms of local search; those that are none are told of all at once.
absl::Status CheckClimbs(const std::vector<BenchConfig>& configs, const std::vector<client::AlgorithmInfo>& known) {
  std::string others;
  for (const BenchConfig& config : configs) {
    const std::string id = config.algorithm.substr(0, config.algorithm.find(':'));
    const auto info = std::ranges::find(known, id, &client::AlgorithmInfo::id);
    // An id that nobody knows is the server's to refuse.
    if (!id.empty() && (info == known.end() || info->local_search)) continue;
    others += (others.empty() ? "" : ", ") + (id.empty() ? "the problem's default algorithm" : id);
  }
  if (others.empty()) return absl::OkStatus();
  std::string local;
  for (const client::AlgorithmInfo& info : known) {
    if (info.local_search) local += (local.empty() ? "" : ", ") + info.id;
  }
  return absl::InvalidArgumentError("--climbs counts the climbs of a local search, not those of " + others +
                                    "; expected --algorithm with one of " + local);
}

// Prints the rows as they come and the rest at the end. An error after the first row does not take away what is there.
int RunAndPrint(const Session& session, BenchRun* run, BenchReport* report, size_t configs) {
  BenchTotals totals(configs);
  bool begun = false;
  const absl::Status status = run->Run(
      [&](const BenchRow& row) {
        if (!std::exchange(begun, true)) Print(report->Head());
        Print(report->Row(row));
        FlushOutput();
      },
      [&](const std::vector<BenchRow>& rows) { totals.AddInstance(rows); });
  if (!begun && !status.ok()) return session.Fail(status);
  if (!begun) Print(report->Head());
  Print(report->Tail(totals, status.ok() && !run->stopped()));
  FlushOutput();
  if (!status.ok()) {
    std::fprintf(stderr, "astrolabe: %s\n", std::string(session.Explained(status).message()).c_str());
    return ExitCodeOf(status);
  }
  return run->stopped() ? kExitCancelled : ExitCodeOf(run->first_error());
}

int Bench(const Session& session, const BenchOptions& options) {
  if (session.form == OutputForm::kMoves || session.form == OutputForm::kState) {
    return ReportError(absl::InvalidArgumentError(std::string("bench has no -o ") +
                                                  (session.form == OutputForm::kMoves ? "moves" : "state") +
                                                  "; expected text, csv, json or ndjson"),
                       session.form, kExitUsage);
  }
  auto instances = FindBenchInstances(options.instances, options.lines);
  if (!instances.ok()) return session.Fail(instances.status());

  // Before gRPC makes its threads, so that they leave the signals alone.
  Interrupts interrupts;
  absl::StatusOr<client::Client> client = session.Connect();
  if (!client.ok()) return session.Fail(client.status());
  const auto known = client->ListAlgorithms();
  if (!known.ok()) return session.Fail(known.status());
  const auto configs = BenchConfigs(options.configs, *known);
  if (!configs.ok()) return session.Fail(configs.status());

  if (options.climbs > 0) {
    if (const absl::Status status = CheckClimbs(*configs, *known); !status.ok()) return session.Fail(status);
  }

  BenchReportOptions form;
  form.configs = *configs;
  form.climbs = options.climbs > 0;
  form.by_length = options.by_length;
  for (const BenchInstance& instance : *instances) {
    form.instance_width = std::max(form.instance_width, instance.name.size());
  }
  auto plan = MakePlan(options, *configs, *std::move(instances), &*client);
  if (!plan.ok()) return session.Fail(plan.status());
  ProgressLine progress(!session.quiet);
  BenchRun run(*std::move(plan), &*client, &progress);
  interrupts.OnFirst([&run] { run.Stop(); });
  const int exit_code = RunAndPrint(session, &run, MakeReport(session.form, form).get(), configs->size());
  interrupts.Reset();
  return exit_code;
}

constexpr char kFooter[] =
    "Configurations: each --algorithm with each --heuristic, then each --config. An algorithm that uses no\n"
    "heuristic runs once. A+B is one configuration that uses both heuristics; --combine says how (max).\n"
    "  astrolabe bench boards/ --algorithm astar --algorithm idastar --heuristic hamming --heuristic manhattan\n"
    "  astrolabe bench korf.txt --lines --config 'idastar manhattan' --config 'astar manhattan+hamming' -o csv\n"
    "  astrolabe bench examples/instances/8puzzle --lines --heuristic hamming --heuristic manhattan --algorithm astar\n"
    "    --group-by length\n\n"
    "b* is the effective branching factor: N + 1 = 1 + b + b^2 + ... + b^d, where d is the solution's length and N\n"
    "the generated nodes without the root. Groups and means are those of solved runs.\n"
    "Local search (--climbs): the rate of climbs that reached the target, with Wilson's interval of 95 % confidence,\n"
    "mean steps of the solved and of the stuck, sideways steps a climb, climbs a second.\n"
    "  astrolabe bench queens8.txt --algorithm hill_climbing --algorithm hill_climbing:max_sideways=100 --climbs 1M\n\n"
    "-o json, ndjson and csv: client/README.md tells the fields.\n\n"
    "Exit codes: 0 all runs were made, whatever their outcomes; 13 stopped by Ctrl-C, what there is was printed;\n"
    "otherwise that of the first run that could not be made (6 an instance could not be read, 7 unavailable ...).";

}  // namespace

void AddBench(CLI::App* app, Session* session) {
  auto options = std::make_shared<BenchOptions>();
  CLI::App* command = app->add_subcommand("bench", "Compare algorithms and heuristics on a set of instances");
  command->fallthrough();
  command->footer(kFooter);
  command
      ->add_option("INSTANCES", options->instances, "Files with instances, folders of such files, - for standard input")
      ->required();
  command->add_flag("--lines", options->lines, "Each line of a file is an instance; empty lines and #... are skipped");
  AddProblemFlags(command, session, &options->solve.instance);
  command->add_option("--algorithm", options->configs.algorithms, "Search algorithm with parameters; repeatable")
      ->type_name("ID[:K=V,..]")
      ->allow_extra_args(false);
  command
      ->add_option("--heuristic", options->configs.heuristics,
                   "Heuristic as in solve, or several as one: manhattan+hamming; repeatable")
      ->type_name("ID[@W][:K=V,..][+ID..]")
      ->allow_extra_args(false);
  command
      ->add_option("--config", options->configs.configs,
                   "One configuration: an algorithm and, after a blank, its heuristics; repeatable")
      ->type_name("'ALGORITHM HEURISTICS'")
      ->allow_extra_args(false);
  AddSearchFlags(command, &options->solve);
  command->add_option("--repeat", options->repeats, "Runs of each; times are their medians")
      ->check(CLI::Range(1, 1000))
      ->type_name("N");
  auto* const climbs = command->add_option_function<std::string>(
      "--climbs",
      [options](const std::string& text) {
        const std::optional<int64_t> count = ParseCount(text);
        if (!count || *count < 1) {
          throw CLI::ValidationError("'" + text +
                                     "' is not a value for --climbs; expected a whole number such as 1000 or 1M");
        }
        options->climbs = *count;
      },
      "Local search: that many climbs of each instance, solved or stuck, and their figures");
  climbs->type_name("N");
  command
      ->add_option_function<std::string>(
          "--group-by", [options](const std::string&) { options->by_length = true; },
          "length: means over the instances of each solution length, as the table in textbooks")
      ->check(CLI::IsMember({"length"}))
      ->excludes(climbs)
      ->type_name("WHAT");
  command->callback([session, options] {
    options->configs.combine = options->solve.combine;
    session->prints_csv = true;
    session->command = [=] { return Bench(*session, *options); };
  });
}

}  // namespace astrolabe::cli
