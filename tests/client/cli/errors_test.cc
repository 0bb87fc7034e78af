#include <nlohmann/json.hpp>

#include "tests/client/cli/cli_process.h"

namespace astrolabe::testing {
namespace {

using nlohmann::json;

class CliErrors : public CliProcess {
 protected:
  void Refuse(grpc::Status status) {
    Serve({.solve = [=](const v1::SolveRequest&, EventSink&) { return status; }});
  }
};

TEST_F(CliErrors, ARejectedInstanceNamesFileLineAndColumn) {
  Serve({.solve = [](const v1::SolveRequest&, EventSink& sink) {
    v1::Result result;
    result.set_outcome(v1::OUTCOME_REJECTED);
    for (int line = 2; line < 4; ++line) {
      v1::Violation* violation = result.add_violations();
      violation->set_field("instance");
      violation->set_line(line);
      violation->set_column(5);
      violation->set_message("4 stands here twice");
      violation->set_expected("each tile once");
      violation->set_hint("remove one");
    }
    sink.Write(Accepted());
    sink.Write(ResultEvent(2, result));
    return grpc::Status::OK;
  }});
  const std::string file = folder_.Write("board.txt", "x");
  const CommandResult run = Run({"solve", file});
  EXPECT_EQ(run.exit_code, 6);
  EXPECT_EQ(run.err, file + ":2:5: 4 stands here twice; expected each tile once; remove one\n" + file +
                         ":3:5: 4 stands here twice; expected each tile once; remove one\n");
  const CommandResult as_json = Run({"solve", file, "-o", "json"});
  EXPECT_EQ(as_json.exit_code, 6);
  EXPECT_EQ(json::parse(as_json.out)["violations"].size(), 2u);
}

TEST_F(CliErrors, AWordThatIsNoCommandIsNamed) {
  const auto error_of = [&](const std::vector<std::string>& words) {
    const CommandResult run = Run(words);
    EXPECT_EQ(run.exit_code, 2) << run.err;
    return run.err.substr(0, run.err.find('\n'));
  };
  EXPECT_EQ(error_of({"solv", "board.txt"}), "astrolabe: there is no command \"solv\"; did you mean \"solve\"?");
  EXPECT_EQ(error_of({"pdb", "buld"}), "astrolabe: there is no command \"buld\"; did you mean \"build\"?");
  EXPECT_EQ(error_of({"pdb", "bogus"}),
            "astrolabe: there is no command \"bogus\"; expected one of build, ls, rm, verify");
  EXPECT_NE(error_of({"bogus"}).find("\"bogus\"; expected one of solve, validate, "), std::string::npos);
  EXPECT_EQ(error_of({"--bogus"}), "astrolabe: there is no option --bogus");
}

TEST_F(CliErrors, AWordThatIsNeitherAnOptionNorAParameterIsAUsageError) {
  Serve({});
  const std::string file = folder_.Write("board.txt", "x");
  const CommandResult slip = Run({"solve", file, "--algoritm=astar"});
  EXPECT_EQ(slip.exit_code, 2) << slip.err;
  EXPECT_NE(slip.err.find("there is no option --algoritm, and problem sliding_tile has no such parameter (it has goal"),
            std::string::npos)
      << slip.err;
  EXPECT_NE(slip.err.find("did you mean --algorithm?"), std::string::npos) << slip.err;
  // A value behind a blank is a word too many, which nobody need be asked about.
  const CommandResult apart = Run({"solve", "--symmetric", "off", file});
  EXPECT_EQ(apart.exit_code, 2) << apart.err;
  EXPECT_NE(apart.err.find("in one word, --NAME=VALUE"), std::string::npos) << apart.err;
  for (const std::vector<std::string>& other : {std::vector<std::string>{"jobs", "ls", "--symmetric"},
                                                {"pdb", "ls", "--symmetric=on"},
                                                {"solve", file, "-s"}}) {
    const CommandResult run = Run(other);
    EXPECT_EQ(run.exit_code, 2) << other.back() << run.err;
    EXPECT_EQ(run.err.find("NAME=VALUE"), std::string::npos) << run.err;
  }
}

TEST_F(CliErrors, AnEmptyWordIsNoWayToAskForTheDefault) {
  const std::string file = folder_.Write("board.txt", "1 2/3 0");
  for (const std::string option : {"--goal", "--problem"}) {
    const CommandResult run = Run({"solve", file, option, ""});
    EXPECT_EQ(run.exit_code, 2) << run.err;
    EXPECT_EQ(run.err.find("astrolabe: " + option + ": is empty; expected "), 0u) << run.err;
  }
}

TEST_F(CliErrors, ARefutedClaimIsAWarning) {
  Serve({.solve = [](const v1::SolveRequest&, EventSink& sink) {
    v1::Result result = SolvedBoard();
    result.set_proof(v1::PROOF_FEASIBLE);
    result.add_refuted_claims()->set_heuristic("my_h");
    result.mutable_refuted_claims(0)->set_claim("admissible");
    result.mutable_refuted_claims(0)->set_state("1 2\n3 0");
    sink.Write(Accepted());
    sink.Write(ResultEvent(2, result));
    return grpc::Status::OK;
  }});
  const CommandResult run = Run({"solve", "-"});
  EXPECT_EQ(run.exit_code, 0);
  EXPECT_NE(run.err.find("warning: heuristic my_h claims to be admissible but is not: at state 1 2/3 0"),
            std::string::npos)
      << run.err;
}

TEST_F(CliErrors, AllWrongFieldsArePrintedInBothForms) {
  Refuse(RichError(grpc::StatusCode::INVALID_ARGUMENT, "2 fields are wrong", "BAD_SPEC",
                   {{"spec.threads", "must be at least 0"}, {"spec.seed", "is odd"}}));
  const CommandResult text = Run({"solve", "-"});
  EXPECT_EQ(text.exit_code, 6);
  EXPECT_NE(text.err.find("spec.threads: must be at least 0\n"), std::string::npos) << text.err;
  EXPECT_NE(text.err.find("spec.seed: is odd\n"), std::string::npos) << text.err;
  EXPECT_EQ(text.out, "");
  for (const char* form : {"json", "ndjson"}) {
    const CommandResult run = Run({"solve", "-", "-o", form});
    EXPECT_EQ(run.exit_code, 6);
    const json error = json::parse(run.out)["error"];
    EXPECT_EQ(error["code"], "INVALID_ARGUMENT");
    EXPECT_EQ(error["reason"], "BAD_SPEC");
    EXPECT_EQ(error["exitCode"], 6);
    EXPECT_EQ(error["fieldViolations"][1]["field"], "spec.seed");
    EXPECT_EQ(error["metadata"]["from"], "fake");
  }
}

TEST_F(CliErrors, CodesOfTheServerBecomeExitCodes) {
  const std::pair<grpc::StatusCode, int> cases[] = {{grpc::StatusCode::NOT_FOUND, 5},
                                                    {grpc::StatusCode::PERMISSION_DENIED, 4},
                                                    {grpc::StatusCode::FAILED_PRECONDITION, 6},
                                                    {grpc::StatusCode::INTERNAL, 1}};
  for (const auto& [code, exit_code] : cases) {
    Refuse(RichError(code, "said no", "NO"));
    const CommandResult run = Run({"solve", "-"});
    EXPECT_EQ(run.exit_code, exit_code);
    EXPECT_EQ(run.err, "astrolabe: said no\n");
    server_.reset();
  }
}

TEST_F(CliErrors, AFullQueueSaysWhenToTryAgain) {
  Refuse(RichError(grpc::StatusCode::UNAVAILABLE, "the queue is full", "QUEUE_FULL", {}, std::chrono::seconds(3)));
  const CommandResult run = Run({"solve", "-"});
  EXPECT_EQ(run.exit_code, 7);
  EXPECT_EQ(run.err, "astrolabe: the queue is full\nTry again in 3.00 s.\n");
}

TEST_F(CliErrors, NoServerIsExitCode3) {
  const CommandResult run = Run({"solve", "-"});
  EXPECT_EQ(run.exit_code, 3);
  EXPECT_NE(run.err.find("no server is running at unix:" + folder_ / "s"), std::string::npos) << run.err;
  EXPECT_EQ(json::parse(Run({"solve", "-", "-o", "json"}).out)["error"]["reason"], "CANNOT_CONNECT");
}

TEST_F(CliErrors, ALostServerIsExitCode7AndTheLogIsNamed) {
  folder_.Write("astrolabed.log", "something\n");
  std::unique_ptr<FakeServer>* server = &server_;
  std::thread killer;
  Serve({.solve = [&, server](const v1::SolveRequest&, EventSink& sink) {
    sink.Write(Accepted());
    if (!killer.joinable()) killer = std::thread([server] { (*server)->Kill(); });
    while (!sink.cancelled()) std::this_thread::yield();
    return grpc::Status::CANCELLED;
  }});
  const CommandResult run = Run({"solve", "-"});
  killer.join();
  EXPECT_EQ(run.exit_code, 7) << run.err;
  EXPECT_NE(run.err.find("lost the connection"), std::string::npos) << run.err;
  EXPECT_NE(run.err.find(folder_ / "astrolabed.log"), std::string::npos) << run.err;
}

TEST_F(CliErrors, ANegativeSeedIsNotALargeOne) {
  Serve();
  const CommandResult run = Run({"solve", "-", "--seed", "-1"});
  EXPECT_EQ(run.exit_code, 2) << run.err;
  EXPECT_NE(run.err.find("'-1' is not a value for --seed; expected a number from 0 to 2^64 - 1"), std::string::npos)
      << run.err;
}

TEST_F(CliErrors, BadValuesAreExitCode6AndSayWhatWasExpected) {
  Serve();
  const std::pair<std::vector<std::string>, const char*> cases[] = {
      {{"--heuristic", "manhattan:size=99"}, "a whole number from 1 to 8"},
      {{"--heuristic", "manhattan:zize=1"}, "no parameter \"zize\"; it has size"},
      {{"--heuristic", "manhattan@much"}, "expected a ratio"},
      {{"--time-limit", "soon"}, "expected a duration"},
      {{"--memory-limit", "2 elephants"}, "expected a size"},
      {{"--max-expansions", "1.5"}, "expected a whole number"},
      {{"--param", "goal"}, "expected NAME=VALUE"},
      {{"--events", "nodes", "--node-kinds", "expanding,expnding"}, "expected some of source"},
      {{"--trace", "/no/such/folder/x"}, "cannot write /no/such/folder/x"}};
  for (const auto& [arguments, words] : cases) {
    std::vector<std::string> all = {"solve", "-"};
    all.insert(all.end(), arguments.begin(), arguments.end());
    const CommandResult run = Run(all);
    EXPECT_EQ(run.exit_code, 6) << run.err;
    EXPECT_NE(run.err.find(words), std::string::npos) << run.err;
  }
  EXPECT_EQ(Run({"solve", folder_ / "none"}).exit_code, 6);
  EXPECT_EQ(Run({"solve", "-", "--heuristic", "nope:a=1"}).exit_code, 5);
}

TEST_F(CliErrors, UsageIsExitCode2) {
  for (const std::vector<std::string>& arguments : {std::vector<std::string>{},
                                                    {"solve"},
                                                    {"sovle", "-"},
                                                    {"jobs", "ls", "--no-such"},
                                                    {"solve", "-", "-o", "xml"},
                                                    {"solve", "-", "--threads", "0"},
                                                    {"solve", "-", "--combine", "min"},
                                                    {"list", "everything"}}) {
    const CommandResult run = Run(arguments);
    EXPECT_EQ(run.exit_code, 2) << (arguments.empty() ? "" : arguments[0]);
    EXPECT_NE(run.err, "");
  }
  EXPECT_EQ(json::parse(Run({"-o", "json", "solve"}).out)["error"]["exitCode"], 2);
  const CommandResult help = Run({"solve", "--help"});
  EXPECT_EQ(help.exit_code, 0);
  EXPECT_NE(help.out.find("--heuristic"), std::string::npos);
  EXPECT_TRUE(Run({"--version"}).out.starts_with("astrolabe "));
}

TEST_F(CliErrors, ARequestThatIsTooLargeNamesSizeAndLimit) {
  Serve({.max_request_bytes = 100});
  const CommandResult run = Run({"solve", folder_.Write("big", std::string(200, '1'))});
  EXPECT_EQ(run.exit_code, 6);
  EXPECT_NE(run.err.find("(100 bytes)"), std::string::npos) << run.err;
}

TEST_F(CliErrors, AnInstanceFaultInValidateNamesTheFile) {
  Serve({.validate = [](const v1::ValidateInstanceRequest&, v1::ValidateInstanceResponse*) {
    return RichError(grpc::StatusCode::INVALID_ARGUMENT, "1 fault", "BAD_INSTANCE",
                     {{"instance:2:5", "4 stands here twice"},
                      {"instance", "line 3, column 1: x is no number"},
                      {"params.goal", "no blank"}});
  }});
  const std::string file = folder_.Write("board.txt", "x");
  const CommandResult run = Run({"validate", file});
  EXPECT_EQ(run.exit_code, 6);
  EXPECT_EQ(run.err, file + ":2:5: 4 stands here twice\n" + file + ":3:1: x is no number\n" + "--goal: no blank\n");
}

}  // namespace
}  // namespace astrolabe::testing
