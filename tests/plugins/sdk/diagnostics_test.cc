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

TEST(Diagnostics, OfOneKindAreReportedAFewTimesThenCounted) {
  Faults faults;
  {
    astro::Diagnostics diagnostics(faults.get());
    for (uint32_t i = 1; i <= 8; ++i) {
      diagnostics.Error("instance", i, 2 * i).Message("bad").Expected("good").OfKind("bad things");
      diagnostics.Error("params.goal", i).Message("bad too").OfKind(i < 5 ? "bad things" : "worse things");
    }
    diagnostics.Error("instance").Message("something else");
    EXPECT_EQ(diagnostics.errors(), 17u);
  }
  ASSERT_EQ(faults.list.size(), 5u + 8u + 1u + 1u);
  EXPECT_EQ(faults.list[13].message, "something else");
  const astro::testing::Fault& count = faults.list.back();
  EXPECT_EQ(count.severity, static_cast<uint32_t>(ASTRO_SEVERITY_ERROR));
  EXPECT_EQ(count.field, "instance");
  EXPECT_EQ(count.line, 6u);
  EXPECT_EQ(count.column, 12u);
  EXPECT_EQ(count.message, "bad things: and 3 more");
  EXPECT_EQ(count.expected, "good");
}

TEST(Diagnostics, OfKindsLeaveRoomForOthers) {
  Faults faults;
  {
    astro::Diagnostics diagnostics(faults.get());
    for (int i = 0; i < 1000; ++i) diagnostics.Error("instance").Message("bad").OfKind("bad things");
    for (int i = 0; i < 97; ++i) diagnostics.Error("instance").Message("bad in its own way");
  }
  ASSERT_EQ(faults.list.size(), 5u + 95u + 2u);
  EXPECT_EQ(faults.list[100].message, "bad things: and 995 more");
  EXPECT_EQ(faults.list[101].message, "2 more errors, not shown");
}

}  // namespace
