// What the service benchmarks share: a daemon of their own, a solve through the client library, medians.
#ifndef ASTROLABE_TESTS_BENCH_SERVICE_BENCH_SUPPORT_H_
#define ASTROLABE_TESTS_BENCH_SERVICE_BENCH_SUPPORT_H_

#include <chrono>
#include <functional>
#include <string>
#include <vector>

#include "astrolabe/client/client.h"
#include "tests/bench/service/baseline.h"
#include "tests/support/live_daemon.h"

namespace astrolabe::bench {

// Korf's instances used here, goal blank-first.
inline constexpr Board kKorf1 = {14, 13, 15, 7, 11, 12, 9, 5, 6, 0, 2, 1, 4, 8, 10, 3};
inline constexpr Board kKorf12 = {14, 1, 9, 6, 4, 8, 12, 5, 7, 2, 3, 0, 10, 11, 13, 15};
inline constexpr Board kKorf38 = {7, 15, 8, 2, 13, 6, 3, 12, 11, 0, 4, 10, 9, 5, 1, 14};

std::string BoardText(const Board& board);

// A request for a 15-puzzle with goal blank-first.
client::SolveRequest Request(const Board& board, const std::string& algorithm, const std::string& heuristic);

// Ends the program, and the daemon it started, with this message.
[[noreturn]] void Die(const std::string& message);

// Ends the program with a message when the call fails or the outcome is not SOLVED.
client::Client ConnectOrDie(const testing::LiveDaemon& daemon);
client::Result SolveOrDie(client::Client& client, const client::SolveRequest& request);

double Seconds(std::chrono::nanoseconds duration);
double SecondsOf(const std::function<void()>& work);
double Median(std::vector<double> values);
double Quantile(std::vector<double> values, double q);

// The median of over[i] / under[i]: of runs made in turn.
double MedianRatio(const std::vector<double>& over, const std::vector<double>& under);

// One row: name, figure with unit, the goal of the design, and the ratio to the baseline of the same run (0: none).
void PrintRow(const std::string& name, double figure, const std::string& unit, const std::string& goal,
              double ratio = 0, const std::string& baseline = "");
// Below a row: its speed relative to a baseline, with a goal of its own.
void PrintRatio(double ratio, const std::string& goal, const std::string& baseline);

}  // namespace astrolabe::bench

#endif  // ASTROLABE_TESTS_BENCH_SERVICE_BENCH_SUPPORT_H_
