// What `bench` prints, in each of its forms. Text comes in pieces, so that rows can be printed as they are made.
#ifndef ASTROLABE_CLIENT_CLI_BENCH_REPORT_H_
#define ASTROLABE_CLIENT_CLI_BENCH_REPORT_H_

#include <memory>
#include <string>
#include <vector>

#include "client/cli/bench_config.h"
#include "client/cli/bench_row.h"
#include "client/cli/bench_stats.h"
#include "client/cli/output.h"

namespace astrolabe::cli {

struct BenchReportOptions {
  std::vector<BenchConfig> configs;
  size_t instance_width = 8;  // of the longest name; for columns
  bool by_length = false;     // means over the instances of each solution length
  bool climbs = false;        // each run is many climbs of a local search: their figures
};

// Head, then each row, then Tail, which tells of the groups and the summary.
class BenchReport {
 public:
  virtual ~BenchReport() = default;
  virtual std::string Head() = 0;
  virtual std::string Row(const BenchRow& row) = 0;
  // `complete` false: it was stopped before all runs were made.
  virtual std::string Tail(const BenchTotals& totals, bool complete) = 0;
};

// For people: rows and a summary; by length: the table of means instead of the rows. Not for climbs.
std::unique_ptr<BenchReport> MakeBenchText(const BenchReportOptions& options);
// RFC 4180 with \n: the rows alone; by length: the means alone. Not for climbs.
std::unique_ptr<BenchReport> MakeBenchCsv(const BenchReportOptions& options);
// The same two for climbs: success rate with its interval, steps of the solved and the stuck, climbs a second.
std::unique_ptr<BenchReport> MakeBenchClimbsText(const BenchReportOptions& options);
std::unique_ptr<BenchReport> MakeBenchClimbsCsv(const BenchReportOptions& options);
// {"runs":[..],"groups":[..],"summary":{..}}, or with `lines` {"run":..}, {"group":..} and {"summary":..},
// one a line. 64-bit integers are JSON numbers.
std::unique_ptr<BenchReport> MakeBenchJson(const BenchReportOptions& options, bool lines);

}  // namespace astrolabe::cli

#endif  // ASTROLABE_CLIENT_CLI_BENCH_REPORT_H_
