#include "client/cli/progress_line.h"

#include <gtest/gtest.h>

namespace astrolabe::cli {
namespace {

TEST(ProgressLine, TellsWhatIsKnown) {
  client::Progress progress;
  progress.expanded = 36'302'808;
  progress.generated = 100'000'000;
  progress.generated_per_second = 284e6;
  progress.f_bound = 57;
  progress.best_h = 3;
  progress.open = 1200;
  progress.memory_bytes = 3 << 20;
  EXPECT_EQ(DescribeProgress(progress, std::chrono::milliseconds(12'340)),
            "12.3 s  36.3 M expanded  100 M generated (284 M/s)  bound 57  best h 3  open 1200  3.0 MiB");
}

TEST(ProgressLine, LeavesOutWhatIsNot) {
  client::Progress progress;
  progress.best_h = -1;
  progress.incumbent = 40;
  EXPECT_EQ(DescribeProgress(progress, std::chrono::seconds(1)),
            "1.00 s  0 expanded  0 generated (0/s)  best so far 40");
}

}  // namespace
}  // namespace astrolabe::cli
