#include "client/cli/units.h"

#include <gtest/gtest.h>

namespace astrolabe::cli {
namespace {

using std::chrono::nanoseconds;

TEST(Units, DurationsAreReadAsPeopleWriteThem) {
  EXPECT_EQ(ParseDuration("10s"), std::chrono::seconds(10));
  EXPECT_EQ(ParseDuration("1.5s"), std::chrono::milliseconds(1500));
  EXPECT_EQ(ParseDuration("500ms"), std::chrono::milliseconds(500));
  EXPECT_EQ(ParseDuration("2m"), std::chrono::minutes(2));
  EXPECT_EQ(ParseDuration("1h30m"), std::chrono::minutes(90));
  EXPECT_EQ(ParseDuration("1h 30min"), std::chrono::minutes(90));
  EXPECT_EQ(ParseDuration("90"), std::chrono::seconds(90));
  EXPECT_EQ(ParseDuration("0"), nanoseconds(0));
}

TEST(Units, OtherDurationsAreRefused) {
  for (const char* text : {"", "s", "-1s", "10 parsecs", "1h30", "nan", "inf", "1e400s", "10s!", "99999999999h"}) {
    EXPECT_FALSE(ParseDuration(text).has_value()) << text;
  }
}

TEST(Units, SizesAreReadInBothKindsOfUnits) {
  EXPECT_EQ(ParseSize("2GiB"), int64_t{2} << 30);
  EXPECT_EQ(ParseSize("2 GiB"), int64_t{2} << 30);
  EXPECT_EQ(ParseSize("1.5M"), 3 << 19);
  EXPECT_EQ(ParseSize("2GB"), 2'000'000'000);
  EXPECT_EQ(ParseSize("4096"), 4096);
  for (const char* text : {"", "GiB", "-1", "2 GIB", "9999999TiB"}) EXPECT_FALSE(ParseSize(text).has_value()) << text;
}

TEST(Units, CountsAreWholeNumbers) {
  EXPECT_EQ(ParseCount("1_000_000"), 1'000'000);
  EXPECT_EQ(ParseCount("10k"), 10'000);
  EXPECT_EQ(ParseCount("2.5M"), 2'500'000);
  EXPECT_EQ(ParseCount("1e6"), 1'000'000);
  EXPECT_EQ(ParseCount("9223372036854775807"), INT64_MAX) << "exact";
  for (const char* text : {"", "-5", "1.5", "ten", "1e300", "5 apples"}) {
    EXPECT_FALSE(ParseCount(text).has_value()) << text;
  }
}

TEST(Units, RatiosAreExact) {
  EXPECT_EQ(ParseRatio("1/2")->denominator, 2);
  EXPECT_EQ(ParseRatio("3")->numerator, 3);
  EXPECT_EQ(ParseRatio("0.75")->numerator, 75);
  EXPECT_EQ(ParseRatio("0.75")->denominator, 100);
  EXPECT_EQ(ParseRatio("0.1")->denominator, 10);
  for (const char* text : {"", "1/0", "-1/2", "1/", "/2", "1.", "a", "1/2/3", "1.0000000000000001"}) {
    EXPECT_FALSE(ParseRatio(text).has_value()) << text;
  }
}

TEST(Units, DurationsAreWrittenShort) {
  EXPECT_EQ(FormatDuration(nanoseconds(350'000)), "350 us");
  EXPECT_EQ(FormatDuration(nanoseconds(2'100'000)), "2.10 ms");
  EXPECT_EQ(FormatDuration(std::chrono::milliseconds(12'340)), "12.3 s");
  EXPECT_EQ(FormatDuration(std::chrono::seconds(200)), "3 min 20 s");
  EXPECT_EQ(FormatDuration(std::chrono::milliseconds(59'990)), "1 min 0 s");
  EXPECT_EQ(FormatDuration(std::chrono::minutes(125)), "2 h 5 min");
}

TEST(Units, SizesAndCountsAreWrittenShort) {
  EXPECT_EQ(FormatSize(812), "812 B");
  EXPECT_EQ(FormatSize(1536), "1.5 KiB");
  EXPECT_EQ(FormatSize(int64_t{3} << 30), "3.0 GiB");
  EXPECT_EQ(FormatSize((1 << 20) - 1), "1.0 MiB");
  EXPECT_EQ(FormatCount(999), "999");
  EXPECT_EQ(FormatCount(36'302'808), "36.3 M");
  EXPECT_EQ(FormatCount(1.5e9), "1.5 G");
  EXPECT_EQ(FormatCount(999'999'999), "1.0 G");
}

TEST(Units, OneOfAKindTakesNoS) {
  EXPECT_EQ(Counted(0, "move"), "0 moves");
  EXPECT_EQ(Counted(1, "move"), "1 move");
  EXPECT_EQ(Counted(2, "move"), "2 moves");
}

}  // namespace
}  // namespace astrolabe::cli
