#include "daemon/server/option_values.h"

#include <gtest/gtest.h>

namespace astrolabe::server {
namespace {

using std::chrono::milliseconds;

TEST(Durations, AreReadAsPeopleWriteThem) {
  const std::pair<const char*, int64_t> kGood[] = {
      {"0", 0},       {"250ms", 250},      {"10s", 10'000}, {"15m", 900'000}, {"1h30m", 5'400'000},
      {"1.5s", 1500}, {"2d", 172'800'000}, {"0s", 0}};
  for (const auto& [text, ms] : kGood) {
    const auto duration = ParseDuration(text);
    ASSERT_TRUE(duration.ok()) << text;
    EXPECT_EQ(duration->count(), ms) << text;
  }
  for (const char* text : {"", "10", "s", "10 s", "-1s", "1x", "1e3s", "1..5s", "1s ", "99999999d", "0.1ms"}) {
    EXPECT_FALSE(ParseDuration(text).ok()) << text;
  }
}

TEST(Durations, AreWrittenAsTheyAreRead) {
  for (const char* text : {"0", "250ms", "10s", "15m", "1h30m", "1d1ms"}) {
    EXPECT_EQ(FormatDuration(*ParseDuration(text)), text);
  }
}

TEST(Sizes, AreReadAsPeopleWriteThem) {
  const std::pair<const char*, int64_t> kGood[] = {{"0", 0},
                                                   {"4096", 4096},
                                                   {"2GiB", 2ll << 30},
                                                   {"512MiB", 512ll << 20},
                                                   {"64k", 64 << 10},
                                                   {"1.5G", 3ll << 29},
                                                   {"1MB", 1'000'000},
                                                   {"3 GiB", 3ll << 30},
                                                   {"1TiB", 1ll << 40},
                                                   {"7b", 7}};
  for (const auto& [text, bytes] : kGood) {
    const auto size = ParseSize(text);
    ASSERT_TRUE(size.ok()) << text;
    EXPECT_EQ(*size, bytes) << text;
  }
  for (const char* text : {"", "GiB", "-1", "1 apple", "1GiB2", "99999999TiB", "0x10", "1e9"}) {
    EXPECT_FALSE(ParseSize(text).ok()) << text;
  }
  EXPECT_EQ(FormatSize(2ll << 30), "2GiB");
  EXPECT_EQ(FormatSize(1000), "1000");
}

TEST(Integers, StayWithinTheirBounds) {
  EXPECT_EQ(*ParseInteger("42", 1, 100), 42);
  for (const char* text : {"", "0", "101", "4.5", "4x", " 4", "99999999999999999999"}) {
    EXPECT_FALSE(ParseInteger(text, 1, 100).ok()) << text;
  }
}

TEST(Bools, HaveFourSpellings) {
  EXPECT_TRUE(*ParseBool("Yes"));
  EXPECT_FALSE(*ParseBool("off"));
  EXPECT_FALSE(ParseBool("maybe").ok());
}

}  // namespace
}  // namespace astrolabe::server
