#include "astrolabe/sdk/diagnostics.h"

#include <gtest/gtest.h>

#include "astrolabe/sdk/testing/under_test.h"

namespace {

using astro::testing::Faults;

TEST(Diagnostics, ReportEveryPart) {
  Faults faults;
  {
    astro::Diagnostics diagnostics(faults.get());
    diagnostics.Error("instance", 2, 5).Message("4 twice").Expected("0..8, each once").Hint("look");
    diagnostics.Note("params.goal").Message("ignored");
    EXPECT_EQ(diagnostics.errors(), 1u);
  }
  ASSERT_EQ(faults.list.size(), 2u);
  EXPECT_EQ(faults.list[0].severity, static_cast<uint32_t>(ASTRO_SEVERITY_ERROR));
  EXPECT_EQ(faults.list[0].field, "instance");
  EXPECT_EQ(faults.list[0].line, 2u);
  EXPECT_EQ(faults.list[0].column, 5u);
  EXPECT_EQ(faults.list[0].message, "4 twice");
  EXPECT_EQ(faults.list[0].expected, "0..8, each once");
  EXPECT_EQ(faults.list[0].hint, "look");
  EXPECT_EQ(faults.list[1].severity, static_cast<uint32_t>(ASTRO_SEVERITY_NOTE));
  EXPECT_EQ(faults.list[1].line, 0u);
}

TEST(Diagnostics, OfADamagedFileEndWithACount) {
  Faults faults;
  {
    astro::Diagnostics diagnostics(faults.get());
    for (int i = 0; i < 1000; ++i) diagnostics.Error("instance").Message("bad");
    EXPECT_EQ(diagnostics.errors(), 1000u);
  }
  ASSERT_EQ(faults.list.size(), 101u);
  EXPECT_EQ(faults.list.back().message, "900 more errors, not shown");
}

}  // namespace
