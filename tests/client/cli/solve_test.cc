#include <nlohmann/json.hpp>
#include <sstream>

#include "tests/client/cli/cli_process.h"

namespace astrolabe::testing {
namespace {

using nlohmann::json;

class CliSolve : public CliProcess {
 protected:
  // What the command asked for.
  v1::SolveRequest Asked(std::vector<std::string> arguments) {
    v1::SolveRequest seen;
    Serve({.solve = [&](const v1::SolveRequest& request, EventSink& sink) {
      seen = request;
      sink.Write(Accepted());
      sink.Write(ResultEvent(2, SolvedBoard()));
      return grpc::Status::OK;
    }});
    arguments.insert(arguments.begin(), {"solve", "-"});
    const CommandResult run = Run(arguments);
    EXPECT_EQ(run.exit_code, 0) << run.err;
    server_.reset();
    return seen;
  }
};

TEST_F(CliSolve, PrintsTheBoardsStepByStep) {
  Serve();
  const CommandResult run = Run({"solve", "-"});
  EXPECT_EQ(run.exit_code, 0);
  EXPECT_EQ(run.err, "") << "a pipe gets the answer and nothing else";
  EXPECT_TRUE(run.out.starts_with("Minimum number of moves = 4\n\n3\n0 1 3\n4 2 5\n7 8 6\n\nRIGHT\n3\n1 0 3\n"))
      << run.out;
  EXPECT_NE(run.out.find("DOWN\n3\n1 2 3\n4 5 6\n7 8 0\n"), std::string::npos) << run.out;
}

TEST_F(CliSolve, SendsEveryOption) {
  const v1::SolveRequest request = Asked({"--heuristic",      "manhattan@1/2:size=3",
                                          "--heuristic",      "hamming",
                                          "--combine",        "sum",
                                          "--algorithm",      "astar",
                                          "--goal",           "blank-first",
                                          "--seed",           "7",
                                          "--threads",        "2",
                                          "--time-limit",     "1.5s",
                                          "--memory-limit",   "2GiB",
                                          "--max-expansions", "10k",
                                          "--max-generated",  "5",
                                          "--max-cost",       "0",
                                          "--queue-timeout",  "2m",
                                          "--tier",           "generic"});
  const v1::JobSpec& spec = request.spec();
  EXPECT_EQ(spec.problem(), "sliding_tile");
  EXPECT_EQ(spec.text(), "3\n0 1 3\n4 2 5\n7 8 6\n");
  EXPECT_EQ(spec.params().at("goal").string_value(), "blank-first");
  ASSERT_EQ(spec.heuristics_size(), 2);
  EXPECT_EQ(spec.heuristics(0).weight().denominator(), 2);
  EXPECT_EQ(spec.heuristics(0).params().at("size").int_value(), 3);
  EXPECT_EQ(spec.combine(), v1::COMBINE_SUM);
  EXPECT_EQ(spec.algorithm().id(), "astar");
  EXPECT_EQ(spec.seed(), 7u);
  EXPECT_EQ(spec.threads(), 2);
  EXPECT_EQ(spec.limits().wall_time().nanos(), 500'000'000);
  EXPECT_EQ(spec.limits().max_memory_bytes(), int64_t{2} << 30);
  EXPECT_EQ(spec.limits().max_expansions(), 10'000);
  EXPECT_EQ(spec.limits().max_generated(), 5);
  EXPECT_TRUE(spec.limits().has_max_cost());
  EXPECT_EQ(spec.limits().max_cost(), 0);
  EXPECT_EQ(spec.limits().queue_timeout().seconds(), 120);
  EXPECT_EQ(spec.tier(), v1::ENGINE_TIER_GENERIC);
  EXPECT_TRUE(request.watch().without_nodes());
  EXPECT_EQ(spec.events().kinds_size(), 0);
}

TEST_F(CliSolve, FlagsMayStandAnywhere) {
  Serve();
  for (const std::vector<std::string>& arguments : {std::vector<std::string>{"-o", "moves", "solve", "-"},
                                                    {"solve", "-o", "moves", "-"},
                                                    {"solve", "-", "-q", "-o", "moves"},
                                                    {"solve", "--heuristic", "manhattan", "-", "-o", "moves"}}) {
    const CommandResult run = Run(arguments);
    EXPECT_EQ(run.exit_code, 0) << run.err;
    EXPECT_EQ(run.out, "RIGHT\nDOWN\nRIGHT\nDOWN\n");
  }
}

TEST_F(CliSolve, JsonIsTheResult) {
  Serve();
  const CommandResult run = Run({"solve", "-", "-o", "json"});
  EXPECT_EQ(run.exit_code, 0);
  const json result = json::parse(run.out);
  EXPECT_EQ(result["outcome"], "OUTCOME_SOLVED");
  EXPECT_EQ(result["cost"], "4");
  EXPECT_EQ(result["path"]["opNames"].size(), 4u);
}

TEST_F(CliSolve, NdjsonIsOneEventALineAndTheResultLast) {
  Serve({.solve = [](const v1::SolveRequest& request, EventSink& sink) {
    EXPECT_EQ(request.spec().events().kinds(0), v1::NODE_KIND_EXPANDING);
    EXPECT_FALSE(request.watch().without_nodes());
    sink.Write(Accepted());
    sink.Write(ProgressEvent(10));
    sink.Write(Nodes(2, 0, 2));
    sink.Write(ResultEvent(3, SolvedBoard()));
    return grpc::Status::OK;
  }});
  const CommandResult run = Run({"solve", "-", "-o", "ndjson", "--events", "nodes"});
  EXPECT_EQ(run.exit_code, 0);
  std::istringstream lines(run.out);
  std::vector<json> events;
  for (std::string line; std::getline(lines, line);) events.push_back(json::parse(line));
  ASSERT_EQ(events.size(), 4u);
  EXPECT_TRUE(events[0].contains("accepted"));
  EXPECT_EQ(events[1]["progress"]["expanded"], "10");
  EXPECT_EQ(events[2]["nodes"]["nodes"].size(), 2u);
  EXPECT_EQ(events[3]["result"]["outcome"], "OUTCOME_SOLVED");
}

TEST_F(CliSolve, EventsAreWrittenToTheTrace) {
  Serve({.solve = [](const v1::SolveRequest& request, EventSink& sink) {
    EXPECT_EQ(request.spec().events().kinds_size(), 1) << "a trace is for nodes unless told otherwise";
    sink.Write(Accepted());
    sink.Write(Nodes(2, 0, 2));
    sink.Write(ResultEvent(3, SolvedBoard()));
    return grpc::Status::OK;
  }});
  const CommandResult run = Run({"solve", "-", "--trace", folder_ / "trace", "-o", "moves"});
  EXPECT_EQ(run.exit_code, 0) << run.err;
  std::istringstream lines(ReadFile(folder_ / "trace"));
  int count = 0;
  for (std::string line; std::getline(lines, line); ++count) EXPECT_TRUE(json::accept(line)) << line;
  EXPECT_EQ(count, 3);
  const CommandResult text = Run({"solve", "-", "--trace", folder_ / "trace"});
  EXPECT_EQ(text.out.find("EXPANDING"), std::string::npos) << "nodes of the trace are not for the screen: " << text.out;
}

TEST_F(CliSolve, ATraceThatCannotBeWrittenCostsTheExitCodeButNotTheSolution) {
  Serve();
  for (const char* form : {"moves", "json", "ndjson", "text"}) {
    SCOPED_TRACE(form);
    const CommandResult plain = Run({"solve", "-", "-o", form});
    const CommandResult run = Run({"solve", "-", "--trace", "/dev/full", "-o", form});
    EXPECT_EQ(run.exit_code, 1);
    EXPECT_EQ(run.out, plain.out);
    EXPECT_NE(run.err.find("cannot write the whole of /dev/full: No space left on device"), std::string::npos)
        << run.err;
  }
}

TEST_F(CliSolve, NodesAreLinesForPeople) {
  Serve({.solve = [](const v1::SolveRequest& request, EventSink& sink) {
    EXPECT_EQ(request.spec().events().detail(), v1::NODE_DETAIL_TEXT);
    sink.Write(Accepted());
    sink.Write(Nodes(2, 0, 1));
    sink.Write(ResultEvent(3, SolvedBoard()));
    return grpc::Status::OK;
  }});
  const CommandResult run = Run({"solve", "-", "--events", "nodes"});
  EXPECT_TRUE(run.out.starts_with("expanding  #00000000000003e8  g 0  h 5  f 5  depth 0  1 2/3 0\nMinimum")) << run.out;
}

TEST_F(CliSolve, MovesThatDidNotFitAreFetched) {
  v1::Result result = SolvedBoard();
  result.mutable_path()->clear_ops();
  result.mutable_path()->clear_op_names();
  result.mutable_path()->clear_states();
  result.mutable_path()->set_truncated(true);
  FakeBehaviour behaviour;
  behaviour.solve = [&](const v1::SolveRequest&, EventSink& sink) {
    sink.Write(Accepted());
    sink.Write(ResultEvent(2, result));
    return grpc::Status::OK;
  };
  behaviour.content = [](const v1::ReadContentRequest& request) {
    EXPECT_EQ(request.name(), "jobs/fake");
    EXPECT_EQ(request.part(), v1::CONTENT_PART_PATH);
    // The second move comes in two chunks.
    const std::string bytes("\2\0\0\0\0\1\0\0\3\0\0\0\4\0\0\0", 16);
    return std::vector<std::string>{bytes.substr(0, 6), bytes.substr(6)};
  };
  Serve(behaviour);
  EXPECT_EQ(Run({"solve", "-", "-o", "moves"}).out, "2\n256\n3\n4\n");
  EXPECT_NE(Run({"solve", "-"}).out.find("2 256 3 4\n"), std::string::npos);
}

TEST_F(CliSolve, MovesThatTheServerNoLongerHasAreAnError) {
  v1::Result result = SolvedBoard();
  result.clear_path();
  result.mutable_path()->set_length(4);
  result.mutable_path()->set_truncated(true);
  FakeBehaviour behaviour;
  behaviour.solve = [&](const v1::SolveRequest&, EventSink& sink) {
    sink.Write(Accepted());
    sink.Write(ResultEvent(2, result));
    return grpc::Status::OK;
  };
  Serve(behaviour);
  const CommandResult run = Run({"solve", "-", "-o", "moves"});
  EXPECT_EQ(run.exit_code, 5);
  EXPECT_NE(run.err.find("no longer has the moves of jobs/fake: there is no job"), std::string::npos) << run.err;
}

TEST_F(CliSolve, DetachPrintsTheName) {
  Serve();
  const CommandResult run = Run({"solve", "-", "--detach"});
  EXPECT_EQ(run.exit_code, 0);
  EXPECT_EQ(run.out, "jobs/fake\n");
  EXPECT_NE(run.err.find("astrolabe watch jobs/fake"), std::string::npos);
}

TEST_F(CliSolve, TheProblemLineOfTheFileCounts) {
  v1::SolveRequest seen;
  Serve({.solve = [&](const v1::SolveRequest& request, EventSink& sink) {
    seen = request;
    sink.Write(Accepted());
    sink.Write(ResultEvent(2, SolvedBoard()));
    return grpc::Status::OK;
  }});
  Run({"solve", folder_.Write("q", "#problem: queens\n8\n")});
  EXPECT_EQ(seen.spec().problem(), "queens");
  EXPECT_EQ(seen.spec().text(), "\n8\n");
}

struct OutcomeCase {
  v1::Outcome outcome;
  bool solution;
  int exit_code;
  const char* words;
};

TEST_F(CliSolve, EveryOutcomeHasItsExitCode) {
  for (const OutcomeCase& c : std::vector<OutcomeCase>{{v1::OUTCOME_UNSOLVABLE, false, 10, "no solution: because"},
                                                       {v1::OUTCOME_LIMIT_REACHED, true, 11, "Number of moves = 4"},
                                                       {v1::OUTCOME_LIMIT_REACHED, false, 12, "no solution was found"},
                                                       {v1::OUTCOME_CANCELLED, true, 13, "cancelled"},
                                                       {v1::OUTCOME_PLUGIN_FAILED, false, 14, "plugin failed"},
                                                       {v1::OUTCOME_EXHAUSTED_LOCAL, false, 15, "because"},
                                                       {v1::OUTCOME_INTERRUPTED, true, 16, "interrupted"},
                                                       {v1::OUTCOME_REJECTED, false, 6, "rejected"}}) {
    v1::Result result = c.solution ? SolvedBoard() : v1::Result();
    result.set_outcome(c.outcome);
    result.set_proof(v1::PROOF_NONE);
    result.set_explanation("because");
    Serve({.solve = [&](const v1::SolveRequest&, EventSink& sink) {
      sink.Write(Accepted());
      sink.Write(ResultEvent(2, result));
      return grpc::Status::OK;
    }});
    const CommandResult text = Run({"solve", "-"});
    EXPECT_EQ(text.exit_code, c.exit_code) << c.words;
    EXPECT_NE(text.out.find(c.words), std::string::npos) << text.out;
    EXPECT_EQ(text.out.find("Minimum"), std::string::npos) << text.out;
    EXPECT_EQ(text.out.find("Number of moves = -1") != std::string::npos, c.outcome == v1::OUTCOME_UNSOLVABLE);
    EXPECT_EQ(Run({"solve", "-", "-o", "json"}).exit_code, c.exit_code);
    server_.reset();
  }
}

}  // namespace
}  // namespace astrolabe::testing
