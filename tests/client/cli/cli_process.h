// The built `astrolabe` as a process against a fake server.
#ifndef ASTROLABE_TESTS_CLIENT_CLI_CLI_PROCESS_H_
#define ASTROLABE_TESTS_CLIENT_CLI_CLI_PROCESS_H_

#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <vector>

#include "tests/client/fake_server.h"
#include "tests/support/process.h"

namespace astrolabe::testing {

class CliProcess : public ::testing::Test {
 protected:
  void Serve(FakeBehaviour behaviour = {}) {
    server_ = std::make_unique<FakeServer>(folder_ / "s", std::move(behaviour));
  }
  // Runs it against the server, with a board on standard input.
  CommandResult Run(std::vector<std::string> arguments) {
    arguments.insert(arguments.begin(), ASTROLABE_CLI);
    CommandOptions options;
    options.env = {{"ASTROLABE_SERVER", "unix:" + folder_ / "s"}};
    options.stdin_text = "3\n0 1 3\n4 2 5\n7 8 6\n";
    options.timeout = std::chrono::seconds(120);
    return RunCommand(arguments, options);
  }

  TempFolder folder_;
  std::unique_ptr<FakeServer> server_;
};

}  // namespace astrolabe::testing

#endif  // ASTROLABE_TESTS_CLIENT_CLI_CLI_PROCESS_H_
