#include "client/cli/input.h"

#include <gtest/gtest.h>

#include "client/cli/solve_options.h"
#include "tests/support/process.h"

namespace astrolabe::cli {
namespace {

using testing::TempFolder;

TEST(Input, AFileIsReadWhole) {
  TempFolder folder;
  const std::string text("a\0b\n", 4);
  const auto input = ReadInput(folder.Write("f", text));
  ASSERT_TRUE(input.ok());
  EXPECT_EQ(input->text, text);
  EXPECT_EQ(input->name, folder / "f");
}

TEST(Input, AFileThatCannotBeReadIsNamedWithTheReason) {
  TempFolder folder;
  EXPECT_EQ(ReadInput(folder / "none").status().message(),
            "cannot read " + folder / "none" + ": No such file or directory");
  EXPECT_FALSE(ReadInput(folder.path()).ok()) << "a folder";
}

TEST(ResolveText, TakesAFileThatExistsElseTheText) {
  TempFolder folder;
  std::string name;
  const std::string file = folder.Write("s", "1 2 0\n");
  EXPECT_EQ(*ResolveText(file, "--state 2", &name), "1 2 0\n");
  EXPECT_EQ(name, file);
  EXPECT_EQ(*ResolveText("1 0 2", "--state 2", &name), "1 0 2");
  EXPECT_EQ(name, "--state 2");
  EXPECT_EQ(*ResolveText("a.b", "--state", &name), "a.b") << "a node may be called so";
  for (const std::string& path : {folder.path(), folder.path() + "/no", std::string("./no"), std::string("no.txt")}) {
    const absl::StatusOr<std::string> missing = ResolveText(path, "--state", &name);
    ASSERT_FALSE(missing.ok()) << path;
    EXPECT_NE(std::string(missing.status().message()).find(path), std::string::npos) << missing.status();
  }
}

TEST(ProblemLine, NamesTheProblemAndIsBlanked) {
  std::string text = "#problem: queens \r\n8\n";
  EXPECT_EQ(TakeProblemLine(&text), "queens");
  EXPECT_EQ(text, "\n8\n") << "line numbers stay right";
  text = "\xEF\xBB\xBF#problem:queens\n8\n";
  EXPECT_EQ(TakeProblemLine(&text), "queens");
  text = "#problem: x";
  EXPECT_EQ(TakeProblemLine(&text), "x");
}

TEST(ProblemLine, OtherTextIsLeftAlone) {
  for (const std::string original : {"3\n#problem: x\n", "# problem: x\n", "", "#problem"}) {
    std::string text = original;
    EXPECT_EQ(TakeProblemLine(&text), "");
    EXPECT_EQ(text, original);
  }
}

TEST(Goal, IsAKeywordAFileOrText) {
  TempFolder folder;
  std::string name;
  EXPECT_EQ(*ResolveGoal("blank-first", &name), "blank-first");
  EXPECT_EQ(*ResolveGoal("1 2/3 0", &name), "1 2/3 0");
  EXPECT_EQ(name, "--goal");
  EXPECT_EQ(*ResolveGoal(folder.Write("goal", "1 2\n3 0\n"), &name), "1 2\n3 0\n");
  EXPECT_EQ(name, folder / "goal");
}

TEST(LoadInstance, TheProblemIsTheOptionElseTheFilesElseSlidingTile) {
  TempFolder folder;
  const std::string named = folder.Write("named", "#problem: queens\n8\n");
  const std::string plain = folder.Write("plain", "3\n");
  EXPECT_EQ(LoadInstance({named, "", "", {}})->ref.problem, "queens");
  EXPECT_EQ(LoadInstance({named, "other", "", {}})->ref.problem, "other");
  EXPECT_EQ(LoadInstance({plain, "", "", {}})->ref.problem, "sliding_tile");
}

TEST(Goal, OfAnEmptyFileIsAnErrorAndNotTheUsualOne) {
  const TempFolder folder;
  std::string name;
  const std::string file = folder.Write("goal", " \n");
  const absl::StatusOr<std::string> goal = ResolveGoal(file, &name);
  ASSERT_FALSE(goal.ok());
  EXPECT_EQ(goal.status().message(), file + " is empty; expected the rows of the goal");
}

TEST(LoadInstance, GoalAndParametersAreCollected) {
  TempFolder folder;
  const auto loaded = LoadInstance({folder.Write("f", "3\n"), "", "blank-last", {"a=1", "b=x=y"}});
  ASSERT_TRUE(loaded.ok());
  EXPECT_EQ(loaded->params,
            (std::vector<std::pair<std::string, std::string>>{{"a", "1"}, {"b", "x=y"}, {"goal", "blank-last"}}));
  EXPECT_FALSE(LoadInstance({folder / "f", "", "", {"noequals"}}).ok());
}

}  // namespace
}  // namespace astrolabe::cli
