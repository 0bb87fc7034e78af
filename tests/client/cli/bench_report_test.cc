#include "client/cli/bench_report.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "client/cli/csv.h"
#include "client/cli/table.h"

namespace astrolabe::cli {
namespace {

using nlohmann::json;

BenchReportOptions Options(bool by_length = false) {
  BenchReportOptions options;
  options.configs = {{"breadth_first", {}, ""}, {"astar", {"a", "b"}, "max(a, b)"}};
  options.instance_width = 4;
  options.by_length = by_length;
  return options;
}

client::Result Solved(int64_t generated, int64_t milliseconds = 2) {
  client::Result result;
  result.outcome = client::Outcome::kSolved;
  result.proof = client::Proof::kOptimal;
  result.cost = 5;
  result.lower_bound = 5;
  result.path.length = 5;
  result.statistics.generated = generated;
  result.statistics.expanded = generated / 2;
  result.statistics.search_time = std::chrono::milliseconds(milliseconds);
  result.statistics.prepare_time = std::chrono::milliseconds(1);
  return result;
}

BenchRow Row(const std::string& instance, size_t config, const client::Result& result) {
  BenchRow row = MakeBenchRow(std::span(&result, 1));
  row.instance = instance;
  row.config = config;
  return row;
}

BenchRow Rejected() {
  client::Result result;
  result.outcome = client::Outcome::kRejected;
  result.explanation = "4 twice, \"5\" never";
  return Row("c,d", 1, result);
}

BenchRow Failed() {
  BenchRow row;
  row.instance = "e";
  row.error = absl::InvalidArgumentError("cannot read e: no\nreason");
  return row;
}

// All of a report.
std::string All(BenchReport* report, const std::vector<std::vector<BenchRow>>& instances, bool complete = true) {
  BenchTotals totals(2);
  std::string text = report->Head();
  for (const auto& rows : instances) {
    for (const BenchRow& row : rows) text += report->Row(row);
    totals.AddInstance(rows);
  }
  return text + report->Tail(totals, complete);
}

std::vector<std::vector<BenchRow>> Sample() {
  return {{Row("a", 0, Solved(53)), Row("a", 1, Solved(11))},
          {Row("b", 0, Solved(63)), Row("b", 1, Solved(21))},
          {Rejected()},
          {Failed()}};
}

TEST(BenchRow, TimesAreMediansOfTheRuns) {
  const std::vector<client::Result> runs = {Solved(53, 9), Solved(53, 2), Solved(53, 4)};
  const BenchRow row = MakeBenchRow(runs);
  EXPECT_EQ(row.search_time, std::chrono::milliseconds(4));
  EXPECT_EQ(row.time, std::chrono::milliseconds(5));
  EXPECT_EQ(row.repeats, 3);
  EXPECT_EQ(row.length, 5);
  EXPECT_NEAR(row.branching.value(), 1.92, 0.005);
}

TEST(BenchRow, OutcomesAreToldInWords) {
  client::Result result = Solved(53);
  EXPECT_EQ(OutcomeWords(Row("a", 0, result)), "optimal");
  result.proof = client::Proof::kFeasible;
  EXPECT_EQ(OutcomeWords(Row("a", 0, result)), "solved, not proven optimal");
  result.proof = client::Proof::kBounded;
  result.bound_factor = 1.5;
  EXPECT_EQ(OutcomeWords(Row("a", 0, result)), "at most 1.5 x optimal");
  result.outcome = client::Outcome::kLimitReached;
  result.limit = client::LimitKind::kMemory;
  EXPECT_EQ(OutcomeWords(Row("a", 0, result)), "memory limit");
  EXPECT_EQ(OutcomeWords(Rejected()), "rejected: 4 twice, \"5\" never");
}

TEST(BenchText, RowsAreAlignedAndFollowedByTheSummary) {
  const std::string text = All(MakeBenchText(Options()).get(), Sample());
  EXPECT_NE(text.find("instance  configuration      length    cost     expanded    generated       time      b*  "
                      "outcome\n"
                      "a         breadth_first           5       5           26           53    3.00 ms    1.92  "
                      "optimal\n"),
            std::string::npos)
      << text;
  EXPECT_NE(text.find("rejected: 4 twice"), std::string::npos);
  EXPECT_NE(text.find("error: cannot read e: no reason\n"), std::string::npos) << "a row is one line";
  EXPECT_NE(text.find("breadth_first         2/3        2"), std::string::npos) << text;
  EXPECT_NE(text.find("astar + max(a, b)     2/3        2"), std::string::npos) << text;
  EXPECT_EQ(text.find("not complete"), std::string::npos);
  EXPECT_NE(All(MakeBenchText(Options()).get(), Sample(), false).find("not complete"), std::string::npos);
}

TEST(BenchText, ByLengthIsTheTableOfTheTextbook) {
  auto sample = Sample();
  client::Result stopped = Solved(7);
  stopped.outcome = client::Outcome::kLimitReached;
  sample.push_back({Row("f", 0, Solved(33)), Row("f", 1, stopped)});
  const std::string text = All(MakeBenchText(Options(true)).get(), sample);
  EXPECT_NE(text.find("                       generated  generated             b*         b*\n"
                      "                   breadth_first      astar  breadth_first      astar\n"
                      "length  instances                 max(a, b)                 max(a, b)\n"
                      "     5          3           49.7   16.0 (2)           1.87       1.37\n"),
            std::string::npos)
      << text;
  EXPECT_NE(text.find("(N): the mean is over the N instances that were solved"), std::string::npos);
  EXPECT_EQ(text.find("optimal\na "), std::string::npos) << "no rows";
}

TEST(BenchCsv, HasOneRecordARun) {
  const std::string text = All(MakeBenchCsv(Options()).get(), Sample());
  EXPECT_TRUE(text.starts_with("instance,configuration,algorithm,heuristics,outcome,proof,bound_factor,limit,length,"))
      << text;
  EXPECT_NE(text.find("\na,breadth_first,breadth_first,,SOLVED,OPTIMAL,,,5,5,5,1,0,26,53,1.91"), std::string::npos)
      << text;
  EXPECT_NE(text.find(",0.001,0.002,0.003,0,1,\n"), std::string::npos);
  EXPECT_NE(text.find("\n\"c,d\",\"astar + max(a, b)\",astar,\"max(a, b)\",REJECTED,"), std::string::npos) << text;
  EXPECT_NE(text.find(",\"4 twice, \"\"5\"\" never\"\n"), std::string::npos);
  EXPECT_NE(text.find("\ne,breadth_first,breadth_first,,ERROR,,,,,,,,,,,,,,,,,\"cannot read e: no\nreason\"\n"),
            std::string::npos)
      << text;
}

TEST(BenchCsv, EveryRecordHasTheColumnsOfTheHead) {
  const auto report = MakeBenchCsv(Options());
  const auto commas = [](const std::string& line) { return std::count(line.begin(), line.end(), ','); };
  EXPECT_EQ(commas(report->Row(Row("a", 0, Solved(53)))), commas(report->Head()));
  EXPECT_EQ(commas(report->Row(Failed())), commas(report->Head()));
  const std::string groups = All(MakeBenchCsv(Options(true)).get(), {{Row("a", 0, Solved(53))}});
  const size_t end = groups.find('\n');
  const std::string record = groups.substr(end + 1, groups.find('\n', end + 1) - end - 1);
  EXPECT_EQ(commas(record), commas(groups.substr(0, end))) << groups;
}

TEST(BenchJson, IsOneObject) {
  const json all = json::parse(All(MakeBenchJson(Options(true), false).get(), Sample()));
  ASSERT_EQ(all["runs"].size(), 6u);
  const json& run = all["runs"][0];
  EXPECT_EQ(run["instance"], "a");
  EXPECT_EQ(run["algorithm"], "breadth_first");
  EXPECT_FALSE(run.contains("heuristics"));
  EXPECT_EQ(run["generated"], 53);
  EXPECT_TRUE(run["generated"].is_number_integer());
  EXPECT_NEAR(run["effectiveBranchingFactor"].get<double>(), 1.92, 0.005);
  EXPECT_EQ(run["seconds"], 0.003);
  EXPECT_EQ(all["runs"][5]["error"]["code"], "INVALID_ARGUMENT");
  EXPECT_EQ(all["groups"][0]["length"], 5);
  EXPECT_EQ(all["groups"][0]["configurations"][1]["meanGenerated"], 16.0);
  EXPECT_EQ(all["summary"]["instances"], 4);
  EXPECT_EQ(all["summary"]["complete"], true);
  EXPECT_EQ(all["summary"]["configurations"][0]["solved"], 2);
  EXPECT_FALSE(json::parse(All(MakeBenchJson(Options(), false).get(), Sample())).contains("groups"));
}

TEST(BenchJson, WithoutARunIsStillAnObject) {
  const json all = json::parse(All(MakeBenchJson(Options(), false).get(), {}, false));
  EXPECT_TRUE(all["runs"].empty());
  EXPECT_EQ(all["summary"]["complete"], false);
}

TEST(BenchJson, KeepsLargeNumbersExact) {
  client::Result result = Solved(53);
  result.statistics.generated = (int64_t{1} << 60) + 1;
  const json all = json::parse(All(MakeBenchJson(Options(), false).get(), {{Row("a", 0, result)}}));
  EXPECT_EQ(all["runs"][0]["generated"].get<int64_t>(), (int64_t{1} << 60) + 1);
}

TEST(BenchNdjson, IsOneObjectALine) {
  const std::string text = All(MakeBenchJson(Options(true), true).get(), Sample());
  std::vector<std::string> kinds;
  for (size_t at = 0; at < text.size();) {
    const size_t end = text.find('\n', at);
    const json line = json::parse(text.substr(at, end - at));
    ASSERT_EQ(line.size(), 1u);
    kinds.push_back(line.begin().key());
    at = end + 1;
  }
  EXPECT_EQ(kinds, (std::vector<std::string>{"run", "run", "run", "run", "run", "run", "group", "summary"}));
}

TEST(Csv, QuotesWhatNeedsIt) {
  EXPECT_EQ(CsvLine({"a", "", "b c"}), "a,,b c\n");
  EXPECT_EQ(CsvLine({"a,b", "say \"x\"", "two\nlines", " edge", "cr\r"}),
            "\"a,b\",\"say \"\"x\"\"\",\"two\nlines\",\" edge\",\"cr\r\"\n");
}

TEST(Table, ColumnsAreAlignedAsAskedFor) {
  EXPECT_EQ(Table({{"a", "bb", "c"}, {"aaa", "b", ""}}), "a    bb  c\naaa  b\n");
  EXPECT_EQ(Table({{"a", "bb"}, {"aaa", "b"}}, {Align::kRight, Align::kRight}), "  a  bb\naaa   b\n");
}

client::Result Climbed() {
  client::Result result;
  result.outcome = client::Outcome::kSolved;
  result.proof = client::Proof::kFeasible;
  result.objective = 0;
  result.statistics.local = client::LocalStatistics{
      .climbs = 10, .solved = 5, .stuck = 5, .steps = 35, .steps_solved = 20, .steps_stuck = 15};
  result.statistics.search_time = std::chrono::milliseconds(5);
  return result;
}

TEST(BenchClimbs, TextHasRateIntervalStepsAndSpeed) {
  const auto report = MakeBenchClimbsText(Options());
  const std::string text = All(report.get(), {{Row("q", 0, Climbed()), Row("q", 1, Climbed())}});
  EXPECT_NE(text.find("50.00 %"), std::string::npos) << text;
  EXPECT_NE(text.find("23.66 to 76.34"), std::string::npos) << text;
  EXPECT_NE(text.find("4.00"), std::string::npos) << text;
  EXPECT_NE(text.find("3.00"), std::string::npos) << text;
  EXPECT_NE(text.find(" 2000  "), std::string::npos) << text;
  EXPECT_EQ(text.find("all"), std::string::npos) << "one instance needs no sum: " << text;
}

TEST(BenchClimbs, SeveralInstancesAreAddedUp) {
  const auto report = MakeBenchClimbsText(Options());
  const std::string text = All(report.get(), {{Row("q", 0, Climbed())}, {Row("r", 0, Climbed())}});
  const size_t all = text.find("\nall");
  ASSERT_NE(all, std::string::npos) << text;
  EXPECT_NE(text.find(" 20 ", all), std::string::npos) << text;
}

TEST(BenchClimbs, CsvHasAColumnForEachFigureAlsoWithoutThem) {
  const auto report = MakeBenchClimbsCsv(Options());
  const std::string text = All(report.get(), {{Row("q", 0, Climbed()), Failed()}, {Rejected()}});
  const auto columns = [](const std::string& line) { return std::ranges::count(line, ','); };
  const std::string head = text.substr(0, text.find('\n'));
  EXPECT_EQ(columns(head), 18);
  const size_t row = text.find("\nq,");
  ASSERT_NE(row, std::string::npos);
  const std::string line = text.substr(row + 1, text.find('\n', row + 1) - row - 1);
  EXPECT_EQ(columns(line), 18) << line;
  EXPECT_NE(line.find(",SOLVED,0,1,10,5,5,0.5,"), std::string::npos) << line;
}

TEST(BenchClimbs, JsonTellsTheFiguresOfLocalSearch) {
  const auto report = MakeBenchJson(Options(), false);
  const json all = json::parse(All(report.get(), {{Row("q", 0, Climbed())}}));
  const json& local = all["runs"][0]["local"];
  EXPECT_EQ(local["climbs"], 10);
  EXPECT_EQ(local["successRate"], 0.5);
  EXPECT_NEAR(local["successInterval95"][0].get<double>(), 0.2366, 5e-5);
  EXPECT_EQ(local["meanStepsSolved"], 4);
  EXPECT_EQ(local["meanStepsStuck"], 3);
  EXPECT_EQ(local["climbsPerSecond"], 2000);
  EXPECT_EQ(all["runs"][0]["objective"], 0);
  EXPECT_EQ(all["summary"]["configurations"][0]["local"]["climbs"], 10);
}

}  // namespace
}  // namespace astrolabe::cli
