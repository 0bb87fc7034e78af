#include "daemon/workers/abi_version.h"

#include <gtest/gtest.h>

#include <string>

#include "astrolabe/abi/plugin.h"

namespace astrolabe {
namespace {

TEST(AbiVersion, EqualsTheHeadersThatPluginsInclude) {
  EXPECT_EQ(kAbiMajor, static_cast<int>(ASTRO_ABI_MAJOR));
  EXPECT_EQ(kAbiMinor, static_cast<int>(ASTRO_ABI_MINOR));
  EXPECT_STREQ(kEntrySymbol, ASTRO_PLUGIN_SYMBOL);
  EXPECT_EQ(std::string(kEntryPrefix) + std::to_string(kAbiMajor), kEntrySymbol);
  EXPECT_STREQ(kManifestSection, ASTRO_MANIFEST_SECTION);
}

}  // namespace
}  // namespace astrolabe
