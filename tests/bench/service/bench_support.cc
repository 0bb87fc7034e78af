#include "tests/bench/service/bench_support.h"

#include <signal.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <iostream>

namespace astrolabe::bench {

// Without unwinding: the daemon is told here.
void Die(const std::string& message) {
  std::cerr << "bench: " << message << "\n";
  for (const pid_t child : testing::ChildrenOf(::getpid())) ::kill(child, SIGTERM);
  std::exit(1);
}

std::string BoardText(const Board& board) {
  std::string text = "4";
  for (int tile : board) text.append(" ").append(std::to_string(tile));
  return text + "\n";
}

client::SolveRequest Request(const Board& board, const std::string& algorithm, const std::string& heuristic) {
  client::SolveRequest request;
  request.spec.problem = "sliding_tile";
  request.spec.instance = BoardText(board);
  request.spec.params["goal"] = std::string("blank-first");
  request.spec.algorithm.id = algorithm;
  request.spec.heuristics.push_back({.id = heuristic, .params = {}, .weight = {}});
  return request;
}

client::Client ConnectOrDie(const testing::LiveDaemon& daemon) {
  auto client = client::Client::Connect({.address = daemon.address()});
  if (!client.ok()) Die(std::string(client.status().message()));
  return *client;
}

client::Result SolveOrDie(client::Client& client, const client::SolveRequest& request) {
  auto stream = client.Solve(request);
  if (!stream.ok()) Die(std::string(stream.status().message()));
  auto result = stream->Wait();
  if (!result.ok()) Die(std::string(result.status().message()));
  if (result->outcome != client::Outcome::kSolved) Die(Name(result->outcome) + ": " + result->explanation);
  return *std::move(result);
}

double Seconds(std::chrono::nanoseconds duration) { return std::chrono::duration<double>(duration).count(); }

double SecondsOf(const std::function<void()>& work) {
  const auto start = std::chrono::steady_clock::now();
  work();
  return Seconds(std::chrono::steady_clock::now() - start);
}

double Quantile(std::vector<double> values, double q) {
  if (values.empty()) return 0;
  std::sort(values.begin(), values.end());
  const size_t index = static_cast<size_t>(q * static_cast<double>(values.size() - 1) + 0.5);
  return values[index];
}

double Median(std::vector<double> values) { return Quantile(std::move(values), 0.5); }

double MedianRatio(const std::vector<double>& over, const std::vector<double>& under) {
  std::vector<double> ratios;
  for (size_t i = 0; i < over.size() && i < under.size(); ++i) ratios.push_back(over[i] / under[i]);
  return Median(std::move(ratios));
}

namespace {

// Of a goal like "<= 40" or ">= 1"; others are not judged.
const char* Verdict(double figure, const std::string& goal) {
  const bool at_most = goal.rfind("<= ", 0) == 0;
  if (!at_most && goal.rfind(">= ", 0) != 0) return "";
  const double bound = std::strtod(goal.c_str() + 3, nullptr);
  return (at_most ? figure <= bound : figure >= bound) ? "met" : "MISSED";
}

}  // namespace

void PrintRow(const std::string& name, double figure, const std::string& unit, const std::string& goal, double ratio,
              const std::string& baseline) {
  std::printf("%-58s %10.3f %-10s goal %-14s", name.c_str(), figure, unit.c_str(), goal.c_str());
  std::printf(" %-6s", Verdict(figure, goal));
  if (ratio > 0) std::printf(" x%.2f of %s", ratio, baseline.c_str());
  std::printf("\n");
  std::fflush(stdout);
}

void PrintRatio(double ratio, const std::string& goal, const std::string& baseline) {
  const std::string name = "  relative to " + baseline;
  std::printf("%-58s x%9.2f %-10s goal %-14s %s\n", name.c_str(), ratio, "", goal.c_str(), Verdict(ratio, goal));
  std::fflush(stdout);
}

}  // namespace astrolabe::bench
