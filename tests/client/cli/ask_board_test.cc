#include "client/cli/ask_board.h"

#include <gtest/gtest.h>

#include <deque>

namespace astrolabe::cli {
namespace {

// Gives the lines one by one, then the end, and keeps what was said.
class Talk {
 public:
  explicit Talk(std::deque<std::string> lines) : lines_(std::move(lines)) {}

  std::optional<std::string> Ask(bool ask_goal) {
    return AskBoard({[this](std::string_view text) { said_ += text; },
                     [this]() -> std::optional<std::string> {
                       if (lines_.empty()) return std::nullopt;
                       std::string line = std::move(lines_.front());
                       lines_.pop_front();
                       return line;
                     }},
                    ask_goal);
  }
  bool Said(std::string_view text) const { return said_.find(text) != std::string::npos; }
  const std::string& said() const { return said_; }
  size_t left() const { return lines_.size(); }

 private:
  std::deque<std::string> lines_;
  std::string said_;
};

TEST(AskBoard, TakesRowsAndTheUsualGoal) {
  Talk talk({"", "7 2 4", "5,_,6", "8\t3 1", ""});
  EXPECT_EQ(talk.Ask(true), "3 3\n7 2 4\n5 0 6\n8 3 1\n");
  EXPECT_TRUE(talk.Said("Row 3 of 3: "));
  EXPECT_EQ(talk.left(), 0u);
}

TEST(AskBoard, TheSizeIsOneNumberOrTwo) {
  EXPECT_EQ(Talk({"2", "1 2", "3 0"}).Ask(false), "2 2\n1 2\n3 0\n");
  EXPECT_EQ(Talk({"2 3", "1 2 3", "4 5 ."}).Ask(false), "2 3\n1 2 3\n4 5 0\n");
  EXPECT_EQ(Talk({"2x3", "1 2 3", "4 5 0"}).Ask(false), "2 3\n1 2 3\n4 5 0\n");
  EXPECT_EQ(Talk({"3 x 2", "1 2", "3 4", "5 0"}).Ask(false), "3 2\n1 2\n3 4\n5 0\n");
}

TEST(AskBoard, AWrongSizeIsAskedForAgain) {
  for (const char* wrong : {"1", "128", "x", "3 3 3", "three", "-3", "3.5", "99999999999999", "3 x", "3x", "x3", "x 3",
                            "3 x x 3", "3xx3", "3x3x3", "3 3 x"}) {
    Talk talk({wrong, "2", "1 2", "3 0"});
    EXPECT_EQ(talk.Ask(false), "2 2\n1 2\n3 0\n") << wrong;
    EXPECT_TRUE(talk.Said("is not a size: one or two numbers from 2 to 127")) << talk.said();
  }
}

TEST(AskBoard, AWrongRowIsToldAndOnlyThatRowIsAskedForAgain) {
  const std::pair<const char*, const char*> wrong[] = {
      {"4 5", "it has 2 numbers, not 3"},
      {"4", "it has 1 number, not 3"},
      {"", "it is empty; 3 numbers belong into it"},
      {" , ", "it is empty; 3 numbers belong into it"},
      {"4 5 6 7", "it has 4 numbers, not 3"},
      {"4 5 9", "'9' is neither a tile (1 to 8) nor the blank (0, _ or .)"},
      {"4 five 6", "'five' is neither"},
      {"4 -5 6", "'-5' is neither"},
      {"4 5 5", "tile 5 is in it twice"},
      {"4 0 _", "the blank is in it twice"},
      {"4 5 2", "tile 2 is in row 1 already"},
  };
  for (const auto& [row, fault] : wrong) {
    Talk talk({"3", "1 2 3", row, "4 5 6", "7 8 0"});
    EXPECT_EQ(talk.Ask(false), "3 3\n1 2 3\n4 5 6\n7 8 0\n") << row;
    EXPECT_TRUE(talk.Said(std::string("This row cannot be: ") + fault)) << talk.said();
    EXPECT_TRUE(talk.Said("Row 2 of 3: This row")) << talk.said();
  }
}

TEST(AskBoard, TheGoalMayBeTheBlankFirstOrTyped) {
  EXPECT_EQ(Talk({"2 3", "1 2 3", "4 5 0", "first"}).Ask(true), "2 3\n1 2 3\n4 5 0\ngoal\n0 1 2\n3 4 5\n");
  Talk own({"2", "1 2", "3 0", "what", "own", "0 1", "2 2", "2 3"});
  EXPECT_EQ(own.Ask(true), "2 2\n1 2\n3 0\ngoal\n0 1\n2 3\n");
  EXPECT_TRUE(own.Said("'what' is not a goal: last, first or own, or Enter for last"));
  EXPECT_TRUE(own.Said("Goal row 2 of 2: This row cannot be: tile 2 is in it twice"));
}

TEST(AskBoard, TheUsualGoalHasAName) {
  for (const char* last : {"", "last", "blank-last"}) {
    EXPECT_EQ(Talk({"2", "1 2", "3 0", last}).Ask(true), "2 2\n1 2\n3 0\n") << last;
  }
  Talk talk({"2", "1 2", "3 0", "first and last", "blank-first"});
  EXPECT_EQ(talk.Ask(true), "2 2\n1 2\n3 0\ngoal\n0 1\n2 3\n");
  EXPECT_TRUE(talk.Said("'first and last' is not a goal")) << talk.said();
}

TEST(AskBoard, BackTakesBackTheLineBefore) {
  Talk rows({"2", "1 3", "back", "1 2", "3 0"});
  EXPECT_EQ(rows.Ask(false), "2 2\n1 2\n3 0\n") << "the tiles of the row taken back are free again";
  EXPECT_TRUE(rows.Said("Row 2 of 2: Row 1 of 2: ")) << rows.said();
  EXPECT_EQ(Talk({"2", "3 0", "2 1", " back ", "back", "1 2", "3 0", ""}).Ask(true), "2 2\n1 2\n3 0\n") << "twice";
  Talk size({"back", "3", "back", "2", "1 2", "3 0"});
  EXPECT_EQ(size.Ask(false), "2 2\n1 2\n3 0\n");
  EXPECT_TRUE(size.Said("This is the first question")) << size.said();
  Talk goal({"2", "1 2", "0 3", "back", "3 0", "own", "0 1", "back", "back", "own", "0 3", "2 1"});
  EXPECT_EQ(goal.Ask(true), "2 2\n1 2\n3 0\ngoal\n0 3\n2 1\n");
  EXPECT_TRUE(goal.Said("Goal row 2 of 2: Goal row 1 of 2: Goal (")) << goal.said();
}

TEST(AskBoard, AnEndBeforeTheBoardIsWholeIsNoBoard) {
  const std::deque<std::string> lines = {"2", "1 2", "3 0", "own", "1 0", "3 2"};
  for (size_t count = 0; count < lines.size(); ++count) {
    EXPECT_EQ(Talk({lines.begin(), lines.begin() + static_cast<long>(count)}).Ask(true), std::nullopt) << count;
  }
  EXPECT_NE(Talk(lines).Ask(true), std::nullopt);
}

}  // namespace
}  // namespace astrolabe::cli
