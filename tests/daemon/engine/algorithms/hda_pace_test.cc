#include "daemon/engine/algorithms/hda_pace.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <vector>

namespace astrolabe::engine {
namespace {

TEST(Pace, WhoHasTheLeastFMayAlwaysExpand) {
  Pace pace(2);
  pace.Tell(0, 40);
  pace.Tell(1, 50);
  for (int i = 0; i < 1000; ++i) ASSERT_TRUE(pace.MayExpand(0, 40, 16, 0));
}

TEST(Pace, OthersRunAheadByAPartOfTheirWorkOnly) {
  for (const uint64_t expanded : {0, 1000, 160'000}) {
    Pace pace(2);
    pace.Tell(0, 40);
    pace.Tell(1, 50);
    uint64_t ahead = 0;
    while (ahead < expanded + 1000 && pace.MayExpand(1, 50, 16, expanded)) ahead += 16;
    EXPECT_EQ(ahead, std::max<uint64_t>(256, expanded / 16)) << expanded;
    pace.Tell(0, 50);
    EXPECT_TRUE(pace.MayExpand(1, 50, 16, expanded));
    pace.Tell(0, 40);  // with an inconsistent h
    pace.Tell(1, 60);
    EXPECT_TRUE(pace.MayExpand(1, 60, 16, expanded)) << "what it may run ahead is whole again";
  }
}

TEST(Pace, MessagesOnTheirWayCount) {
  Pace pace(2);
  pace.Tell(0, 50);
  pace.Sent(1, 46);
  pace.Sent(1, 48);
  EXPECT_EQ(pace.LeastF(), 46);
  pace.Received(1);
  EXPECT_EQ(pace.LeastF(), 46) << "now as the receiver's own";
  EXPECT_TRUE(pace.Tell(1, 52));
  EXPECT_FALSE(pace.Tell(1, 52));
  EXPECT_EQ(pace.LeastF(), 50);
}

TEST(Pace, WakesThoseThatTheLeastFHasReached) {
  Pace pace(3);
  std::vector<uint32_t> woken;
  const auto wake = [&woken](uint32_t thread) { woken.push_back(thread); };
  pace.Tell(0, 40);
  pace.Tell(1, 44);
  pace.Tell(2, 50);
  pace.BeginWait(1, 44);
  pace.BeginWait(2, 50);
  pace.WakeWaiting(wake);
  EXPECT_TRUE(woken.empty());
  pace.Tell(0, kInfinity);
  pace.WakeWaiting(wake);
  EXPECT_EQ(woken, std::vector<uint32_t>{1});
  pace.EndWait(1);
  pace.Tell(1, kInfinity);
  pace.WakeWaiting(wake);
  EXPECT_EQ(woken, (std::vector<uint32_t>{1, 2}));
}

}  // namespace
}  // namespace astrolabe::engine
