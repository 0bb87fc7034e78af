// Text to board: every spelling, and every fault with its place.
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "astrolabe/sdk/testing/under_test.h"
#include "functions.h"

namespace queens {
namespace {

using astro::testing::FakeHost;
using astro::testing::FakeParams;
using astro::testing::Fault;
using astro::testing::ProblemUnderTest;

std::string Canonical(std::string_view text, FakeParams* params = nullptr) {
  FakeHost host;
  const ProblemUnderTest problem(Functions(), host, text, params);
  return problem.ok() ? problem.CanonicalText() : problem.faults.Text();
}

std::vector<Fault> FaultsOf(std::string_view text, FakeParams* params = nullptr) {
  FakeHost host;
  const ProblemUnderTest problem(Functions(), host, text, params);
  EXPECT_EQ(problem.status(), ASTRO_INVALID) << text;
  return problem.faults.list;
}

std::string Faults(std::string_view text, FakeParams* params = nullptr) {
  std::string faults;
  for (const Fault& fault : FaultsOf(text, params)) {
    EXPECT_FALSE(fault.expected.empty()) << fault.message;
    EXPECT_EQ(fault.field, "instance");
    faults += std::to_string(fault.line) + ":" + std::to_string(fault.column) + " " + fault.message + "\n";
  }
  return faults;
}

TEST(QueensReader, ReadsEverySpellingOfOneBoard) {
  for (const std::string_view text : {
           std::string_view("4\n1 3 0 2\n"),
           std::string_view("1 3 0 2"),
           std::string_view("1, 3, 0, 2\n"),
           std::string_view("\xEF\xBB\xBF# four\r\n\r\n4 # queens\r\n1\t3\r\n0 2"),
           std::string_view("1 3\n0\n2\n"),
           std::string_view("..Q.\nQ...\n...Q\n.Q..\n"),
           std::string_view(". . Q .\nq . . .\n. . . Q\n. Q . .\n"),
           std::string_view("4\n..Q.\nQ...\n...Q\n.Q.."),
           std::string_view("{\"n\": 4, \"rows\": [1, 3, 0, 2]}"),
           std::string_view("{\"rows\": [1, 3, 0, 2]}"),
           std::string_view("[1, 3, 0, 2]"),
           std::string_view("{\"formulation\": \"complete\", \"rows\": [1, 3, 0, 2], \"n\": 4}"),
       }) {
    EXPECT_EQ(Canonical(text), "4\n1 3 0 2\n") << text;
  }
}

TEST(QueensReader, ANumberAloneIsTheNumberOfQueens) {
  for (const std::string_view text : {"8", " 8\n", "# eight\n8\n\n", "{\"n\": 8}"}) EXPECT_EQ(Canonical(text), "8\n");
  EXPECT_EQ(Canonical("1"), "1\n");
  EXPECT_EQ(Canonical("1000000"), "1000000\n");
  EXPECT_EQ(Canonical("1\n0"), "1\n0\n");  // one queen, in row 0
  EXPECT_EQ(Canonical("[0]"), "1\n0\n");
  EXPECT_EQ(Canonical("Q"), "1\n0\n");
  EXPECT_EQ(Canonical("1 0"), "2\n1 0\n");  // in one line: rows
}

TEST(QueensReader, ReadsTheIncrementalFormulation) {
  FakeParams incremental;
  incremental.SetText("formulation", "incremental");
  EXPECT_EQ(Canonical("6", &incremental), "{\"n\": 6, \"formulation\": \"incremental\", \"rows\": []}\n");
  const std::string two = "{\"n\": 6, \"formulation\": \"incremental\", \"rows\": [1, 3]}\n";
  EXPECT_EQ(Canonical(two), two);
  EXPECT_EQ(Canonical("6\n1 3", &incremental), two);
  EXPECT_EQ(Canonical("{\"n\": 6, \"rows\": [1, 3], \"formulation\": \"complete\"}", &incremental), two);
  EXPECT_EQ(Canonical("......\nQ.....\n......\n.Q....\n......\n......\n", &incremental), two);
  FakeParams complete;
  complete.SetText("formulation", "complete");
  EXPECT_EQ(Canonical("{\"n\": 6, \"formulation\": \"incremental\"}", &complete), "6\n");
}

TEST(QueensReader, RefusesWhatIsNoNumberOfQueens) {
  EXPECT_EQ(Faults("0"), "1:1 a board of 0 queens\n");
  EXPECT_EQ(Faults("-3"), "1:1 '-3' is not a number of queens\n");
  EXPECT_EQ(Faults("abc"), "1:1 'abc' is not a number of queens\n");
  EXPECT_EQ(Faults("\n  8.5\n"), "2:3 '8.5' is not a number of queens\n");
  EXPECT_EQ(Faults("x\n1 3 0 2"), "1:1 'x' is not a number of queens\n");
  EXPECT_EQ(Faults("1000001"), "1:1 1000001 queens are too many\n");
  EXPECT_EQ(Faults("99999999999999999999999"), "1:1 so many queens are too many\n");
  EXPECT_EQ(Faults("{\"n\": 0}"), "1:7 a board of 0 queens\n");
  EXPECT_EQ(FaultsOf("0")[0].expected, "a number of queens from 1 to 1000000");
  EXPECT_EQ(FaultsOf("0")[0].hint, "a number alone, or alone in the first line, is the number of queens");
  FakeParams incremental;
  incremental.SetText("formulation", "incremental");
  EXPECT_EQ(Faults("1001", &incremental), "1:1 1001 queens are too many for the incremental formulation\n");
  EXPECT_EQ(FaultsOf("1001", &incremental)[0].hint, "the complete formulation takes up to 1000000");
}

TEST(QueensReader, NamesAnEmptyInstance) {
  EXPECT_EQ(Faults(""), "0:0 the instance is empty\n");
  EXPECT_EQ(Faults(" \n# nothing\n"), "0:0 the instance is empty\n");
  EXPECT_EQ(Faults("{}"), "1:3 there is no number of queens and no row\n");
  EXPECT_EQ(Faults("[]"), "1:3 there is no number of queens and no row\n");
}

TEST(QueensReader, NamesRowsThatDoNotFit) {
  EXPECT_EQ(Faults("4\n1 4 -1 q"), "2:3 row 4 is outside the board\n2:5 '-1' is not a row\n2:8 'q' is not a row\n");
  EXPECT_EQ(FaultsOf("1 2 3 4")[0].message, "row 4 is outside the board");
  EXPECT_EQ(FaultsOf("1 2 3 4")[0].expected, "a row from 0 to 3");
  EXPECT_EQ(FaultsOf("1 2 3 4")[0].hint, "rows are counted from 0");
  EXPECT_EQ(Faults("4\n1 3 0"), "2:5 3 rows for 4 queens\n");
  EXPECT_EQ(Faults("4\n1"), "2:1 1 row for 4 queens\n");
  EXPECT_EQ(Faults("4\n1 3 0 2 2"), "2:9 5 rows for 4 queens\n");
  EXPECT_EQ(Faults("3\n0\n4\n7\n5\n2\n6\n1\n"), "5:1 7 rows for 3 queens\n");
  EXPECT_EQ(Faults("{\"n\": 4, \"rows\": [1, 3]}"), "1:24 2 rows for 4 queens\n");
  EXPECT_EQ(Faults("{\"n\": 4, \"rows\": []}"), "1:20 0 rows for 4 queens\n");
  EXPECT_NE(FaultsOf("4\n1 3 0")[0].hint.find("formulation=incremental"), std::string::npos);
  // Not a message for each of a million.
  std::string many = "1000000\n";
  for (int i = 0; i < 1'000'000; ++i) many += "-1 ";
  EXPECT_EQ(FaultsOf(many).size(), 6u);
}

TEST(QueensReader, NamesWhatIsWrongWithADrawing) {
  EXPECT_EQ(Faults("..Q.\nQ...\n...Q\nQ...\n"), "4:1 column 0 has a second queen\n");
  EXPECT_EQ(FaultsOf("..Q.\nQ...\n...Q\nQ...\n")[0].hint,
            "the first one is in row 1; rows and columns are counted from 0");
  EXPECT_EQ(Faults("..Q.\nQ...\n...Q\n....\n"), "1:1 column 1 has no queen\n");
  EXPECT_EQ(Faults(". . Q .\nQ . . .\n. . x Q\n. Q . .\n"), "3:5 'x' in a drawing of a board\n");
  EXPECT_EQ(Faults("..Q.\nQ..\n...Q\n.Q...\n"), "2:1 a line of 3 squares\n4:1 a line of 5 squares\n");
  EXPECT_EQ(Faults("5\n..Q.\nQ...\n...Q\n.Q..\n"), "5:1 a drawing of 4 lines\n");
  EXPECT_EQ(Faults("."), "1:1 column 0 has no queen\n");
  FakeParams incremental;
  incremental.SetText("formulation", "incremental");
  EXPECT_EQ(Faults("..Q.\nQ...\n....\n....\n", &incremental), "1:1 column 1 is empty, and column 2 is not\n");
}

TEST(QueensReader, NamesWhatIsWrongWithJson) {
  EXPECT_EQ(Faults("{\"n\": 4, \"rows\": [1, 3"), "1:23 the JSON ends early\n");
  EXPECT_EQ(Faults("{\"n\": 4, \"n\": 4}"), "1:10 'n' twice\n");
  EXPECT_EQ(Faults("{\"rows\": [0], \"rows\": [0]}"), "1:15 'rows' twice\n");
  EXPECT_EQ(Faults("{\"queens\": 4}"), "1:2 unknown member 'queens'\n");
  EXPECT_EQ(Faults("{\"n\": 4} 5"), "1:10 text after the end of the JSON\n");
  EXPECT_EQ(Faults("{\"n\": 4, \"formulation\": \"greedy\"}"), "1:25 'greedy' is no formulation\n");
}

TEST(QueensReader, ReadsStates) {
  FakeHost host;
  ProblemUnderTest four(Functions(), host, "4");
  const auto state = four.ParseState("1 3 0 2");
  ASSERT_TRUE(state);
  EXPECT_EQ(four.Values(*state), (std::vector<uint32_t>{1, 3, 0, 2}));
  for (const std::string_view text : {"..Q.\nQ...\n...Q\n.Q..", "[1, 3, 0, 2]", "4\n1 3 0 2"}) {
    EXPECT_EQ(*four.ParseState(text), *state) << text;
  }
  EXPECT_TRUE(four.faults.list.empty());
  for (const std::string_view text : {"4", "1 3 0", "5\n1 3 0 2 4", "1 3 0 2 4", "1 3 0 4", "..Q\nQ..\n...", ""}) {
    four.faults.list.clear();
    EXPECT_FALSE(four.ParseState(text)) << text;
    ASSERT_FALSE(four.faults.list.empty()) << text;
    EXPECT_EQ(four.faults.list[0].field, "state");
  }
  ProblemUnderTest one(Functions(), host, "1");
  EXPECT_TRUE(one.ParseState("0"));
  EXPECT_TRUE(one.ParseState("Q"));
}

}  // namespace
}  // namespace queens
