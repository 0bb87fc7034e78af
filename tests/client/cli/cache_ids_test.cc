#include "client/cli/cache_ids.h"

#include <gtest/gtest.h>

namespace astrolabe::cli {
namespace {

std::vector<client::CacheFile> Files(const std::vector<std::string>& ids) {
  std::vector<client::CacheFile> files;
  for (const std::string& id : ids) files.emplace_back().id = id;
  return files;
}

TEST(CacheIds, TheFirstDigitsAreEnough) {
  const auto files = Files({"ab12", "ab34", "cd56"});
  EXPECT_EQ(FindCacheFile(files, "c")->id, "cd56");
  EXPECT_EQ(FindCacheFile(files, "AB3")->id, "ab34");
  EXPECT_EQ(FindCacheFile(files, "ab12")->id, "ab12");
}

TEST(CacheIds, WhatFitsNoneOrSeveralIsExplained) {
  const auto files = Files({"ab12", "ab34", "cd56"});
  EXPECT_EQ(FindCacheFile(files, "ef").status().code(), absl::StatusCode::kNotFound);
  EXPECT_EQ(FindCacheFile(files, "ab").status().message(),
            "\"ab\" is the beginning of several ids: ab12, ab34; give more digits");
  for (const char* text : {"", "xyz", "ab ", "../ab"}) {
    EXPECT_EQ(FindCacheFile(files, text).status().code(), absl::StatusCode::kInvalidArgument) << text;
  }
  const auto many = Files({"a1", "a2", "a3", "a4", "a5", "a6"});
  EXPECT_NE(FindCacheFile(many, "a").status().message().find("a5, ...;"), std::string::npos);
}

TEST(CacheIds, AShortIdHasTwelveDigits) { EXPECT_EQ(ShortId(std::string(64, 'a')), std::string(12, 'a')); }

}  // namespace
}  // namespace astrolabe::cli
