#include "client/cli/eval_text.h"

#include <gtest/gtest.h>

namespace astrolabe::cli {
namespace {

TEST(EvaluationsText, ShowsTheBoardEachHeuristicAndWhereTheMovesLead) {
  client::StateEvaluation state;
  state.state = "1 2 3\n4 0 5\n7 8 6";
  state.values = {{"hamming", 2, "2 tiles"}, {"manhattan", 2, "tile 5: 1\ntile 6: 1"}};
  state.neighbours = {{3, "RIGHT", 1, "1 2 3\n4 5 0\n7 8 6", false, {{"hamming", 1, ""}, {"manhattan", 1, ""}}},
                      {7, "", 12, "1 2 3\n4 5 6\n7 8 0", true, {{"hamming", 0, ""}, {"manhattan", {}, ""}}}};
  state.facts = {{"solvable", "yes"}, {"twin", "2 1 3\n4 0 5\n7 8 6"}};
  EXPECT_EQ(EvaluationsText({{state}, 1, {}}),
            "3\n1 2 3\n4 0 5\n7 8 6\n"
            "\n"
            "heuristic  h\n"
            "hamming    2\n"
            "manhattan  2\n"
            "\n"
            "hamming:\n"
            "  2 tiles\n"
            "\n"
            "manhattan:\n"
            "  tile 5: 1\n"
            "  tile 6: 1\n"
            "\n"
            "solvable: yes\n"
            "twin: 2 1 3/4 0 5/7 8 6\n"
            "\n"
            "move   cost  hamming  manhattan  leads to\n"
            "RIGHT     1        1          1  1 2 3/4 5 0/7 8 6\n"
            "7        12        0   dead end  1 2 3/4 5 6/7 8 0  (goal)\n");
}

TEST(EvaluationsText, SaysWhatIsAGoalAndCountsInTheProblemsUnit) {
  const client::StateEvaluation goal{"at home", true, {{"distance", 0, ""}}, {}, {}};
  const client::StateEvaluation away{"away", false, {{"distance", 150, ""}}, {}, {}};
  EXPECT_EQ(EvaluationsText({{goal, away}, 100, {}}),
            "at home\nIt is a goal.\n\nheuristic  h\ndistance   0\n"
            "\naway\n\nheuristic    h\ndistance   1.5\n");
}

}  // namespace
}  // namespace astrolabe::cli
