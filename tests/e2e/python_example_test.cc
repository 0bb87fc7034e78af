// A client in another language: the Python example against the live daemon.
#include <gtest/gtest.h>

#include <sstream>
#include <string>

#include "tests/support/live_daemon.h"

namespace astrolabe::testing {
namespace {

TEST(PythonExample, StreamsExpandedNodesAndThePath) {
  LiveDaemon daemon;
  TempFolder folder;
  const std::string board = folder.Write("board.txt", "3\n8 1 3\n4 0 2\n7 6 5\n");
  const auto run = RunCommand({std::string(SOURCE_ROOT) + "/examples/python/run.sh", board, daemon.address()});
  ASSERT_EQ(run.exit_code, 0) << run.out << run.err << daemon.log();
  int expanded = 0;
  std::string line, path;
  std::istringstream lines(run.out);
  while (std::getline(lines, line)) {
    expanded += line.rfind("expanded ", 0) == 0;
    if (line.rfind("path: ", 0) == 0) path = line.substr(6);
  }
  EXPECT_NE(run.out.find("expanded ['8', '1', '3', '4', '0', '2', '7', '6', '5'] g=0 h=10"), std::string::npos)
      << "the start is the first: " << run.out;
  EXPECT_GE(expanded, 14) << run.out;
  std::istringstream words(path);
  std::string word;
  int moves = 0;
  while (words >> word) ++moves;
  EXPECT_EQ(moves, 14) << path;
  EXPECT_NE(run.out.find("OUTCOME_SOLVED"), std::string::npos);
}

}  // namespace
}  // namespace astrolabe::testing
