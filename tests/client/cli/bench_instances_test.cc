#include "client/cli/bench_instances.h"

#include <gtest/gtest.h>
#include <sys/stat.h>

#include "tests/support/process.h"

namespace astrolabe::cli {
namespace {

using testing::TempFolder;

std::vector<std::string> NamesOf(const absl::StatusOr<std::vector<BenchInstance>>& found) {
  std::vector<std::string> names;
  EXPECT_TRUE(found.ok()) << found.status();
  for (const BenchInstance& instance : found.ok() ? *found : std::vector<BenchInstance>()) {
    names.push_back(instance.name);
  }
  return names;
}

TEST(BenchInstances, AFileIsOneInstance) {
  TempFolder folder;
  const std::string file = folder.Write("a", "1 2\n0 3\n");
  const auto found = FindBenchInstances({file}, false);
  EXPECT_EQ(NamesOf(found), std::vector{file});
  const auto loaded = LoadBenchInstance(found->at(0), {});
  ASSERT_TRUE(loaded.ok());
  EXPECT_EQ(loaded->ref.instance, "1 2\n0 3\n");
  EXPECT_EQ(loaded->ref.problem, "sliding_tile");
}

TEST(BenchInstances, AFolderIsItsVisibleFilesByName) {
  TempFolder folder;
  ASSERT_EQ(mkdir((folder / "d").c_str(), 0700), 0);
  ASSERT_EQ(mkdir((folder / "d/deeper").c_str(), 0700), 0);
  for (const std::string name : {"d/b", "d/a", "d/.hidden", "d/deeper/c"}) folder.Write(name, "x");
  EXPECT_EQ(NamesOf(FindBenchInstances({folder / "d"}, false)), (std::vector{folder / "d/a", folder / "d/b"}));
}

TEST(BenchInstances, LinesAreInstancesNamedByTheirNumber) {
  TempFolder folder;
  const std::string file = folder.Write("k", "# two\n\n 1 2/0 3 \r\n#\n3 2/1 0");
  const auto found = FindBenchInstances({file}, true);
  EXPECT_EQ(NamesOf(found), (std::vector{file + ":3", file + ":5"}));
  EXPECT_EQ(found->at(0).text, "1 2/0 3");
  EXPECT_EQ(LoadBenchInstance(found->at(1), {})->ref.instance, "3 2/1 0");
}

TEST(BenchInstances, TheProblemOfTheFileIsThatOfItsLines) {
  TempFolder folder;
  const std::string file = folder.Write("q", "\xEF\xBB\xBF#problem: queens\n8\n9\n");
  const auto found = FindBenchInstances({file}, true);
  ASSERT_EQ(NamesOf(found), (std::vector{file + ":2", file + ":3"}));
  EXPECT_EQ(LoadBenchInstance(found->at(0), {})->ref.problem, "queens");
  InstanceOptions options;
  options.problem = "other";
  EXPECT_EQ(LoadBenchInstance(found->at(0), options)->ref.problem, "other") << "--problem is stronger";
}

TEST(BenchInstances, AllFaultsAreToldAtOnce) {
  TempFolder folder;
  ASSERT_EQ(mkdir((folder / "empty").c_str(), 0700), 0);
  const auto found = FindBenchInstances({folder / "none", folder / "empty", "-", "-"}, false);
  EXPECT_EQ(found.status().code(), absl::StatusCode::kInvalidArgument);
  EXPECT_EQ(found.status().message(), "cannot read " + folder / "none" + ": No such file or directory\nfolder " +
                                          folder / "empty" +
                                          " has no files; expected instances\n- (standard input) is given twice");
}

TEST(BenchInstances, AFileWithoutALineIsAFault) {
  TempFolder folder;
  const std::string file = folder.Write("c", "# nothing\n");
  EXPECT_EQ(FindBenchInstances({file}, true).status().message(), file + " has no instance; expected one a line");
}

}  // namespace
}  // namespace astrolabe::cli
