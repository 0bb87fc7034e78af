#include "daemon/registry/load_error.h"

#include <gtest/gtest.h>

#include "astrolabe/v1/plugin.pb.h"

namespace astrolabe::registry {
namespace {

TEST(LoadCode, HasTheNumbersAndNamesOfTheProto) {
  for (int number = 1; number <= static_cast<int>(LoadCode::kContractViolation); ++number) {
    const auto name = astrolabe::v1::LoadCode_Name(static_cast<astrolabe::v1::LoadCode>(number));
    EXPECT_EQ("LOAD_CODE_" + std::string(LoadCodeName(static_cast<LoadCode>(number))), name);
  }
  EXPECT_EQ(static_cast<int>(LoadCode::kContractViolation), static_cast<int>(astrolabe::v1::LoadCode_MAX));
}

TEST(LoadCode, IsFoundByName) {
  EXPECT_EQ(ParseLoadCode("PROBE_TIMEOUT"), LoadCode::kProbeTimeout);
  EXPECT_EQ(ParseLoadCode("NONE"), std::nullopt);
  EXPECT_EQ(ParseLoadCode(""), std::nullopt);
}

TEST(DescribeLoadError, IsOneLineWithEverything) {
  EXPECT_EQ(DescribeLoadError(MakeLoadError(LoadCode::kNotElf, "elf", "no library", "ELF", "text", "remove it")),
            "NOT_ELF (elf): no library; expected: ELF; found: text; hint: remove it");
}

}  // namespace
}  // namespace astrolabe::registry
