#include <nlohmann/json.hpp>

#include "tests/client/cli/cli_process.h"

namespace astrolabe::testing {
namespace {

using nlohmann::json;

class CliCommands : public CliProcess {};

TEST_F(CliCommands, ListShowsTheCatalogue) {
  Serve();
  EXPECT_NE(Run({"list", "problems"}).out.find("sliding_tile  astar + manhattan  Sliding tiles\n"), std::string::npos);
  EXPECT_NE(Run({"list", "heuristics"}).out.find("hamming"), std::string::npos);
  EXPECT_EQ(json::parse(Run({"list", "heuristics", "-o", "json"}).out).size(), 2u);
  EXPECT_EQ(Run({"list", "algorithms", "-o", "ndjson"}).out, "{\"id\":\"astar\"}\n");
}

TEST_F(CliCommands, DescribeShowsParametersAndSyntax) {
  Serve();
  const CommandResult problem = Run({"describe", "sliding_tile"});
  EXPECT_NE(problem.out.find("N, then N rows"), std::string::npos) << problem.out;
  const CommandResult heuristic = Run({"describe", "manhattan"});
  EXPECT_NE(heuristic.out.find("size  a whole number from 1 to 8"), std::string::npos) << heuristic.out;
  EXPECT_EQ(json::parse(Run({"describe", "manhattan", "-o", "json"}).out)["admissible"], true);
}

TEST_F(CliCommands, DescribeSuggestsTheNearestId) {
  Serve();
  const CommandResult run = Run({"describe", "manhatan"});
  EXPECT_EQ(run.exit_code, 5);
  EXPECT_NE(run.err.find("did you mean \"manhattan\"?"), std::string::npos) << run.err;
}

TEST_F(CliCommands, ValidateTellsSizeAndSolvability) {
  Serve();
  const CommandResult good = Run({"validate", "-"});
  EXPECT_EQ(good.exit_code, 0);
  EXPECT_NE(good.out.find("3 x 3 board, 8 tiles"), std::string::npos);
  server_.reset();
  Serve({.validate = [](const v1::ValidateInstanceRequest& request, v1::ValidateInstanceResponse* response) {
    EXPECT_EQ(request.instance().params().at("goal").string_value(), "blank-first");
    response->set_size("3 x 3");
    response->set_solvable(v1::SOLVABLE_NO);
    response->set_reason("odd parity");
    return grpc::Status::OK;
  }});
  const CommandResult odd = Run({"validate", "-", "--goal", "blank-first"});
  EXPECT_EQ(odd.exit_code, 10);
  EXPECT_NE(odd.out.find("no: odd parity"), std::string::npos);
}

TEST_F(CliCommands, EvalSendsStatesAndHeuristicsAndShowsH) {
  Serve({.evaluate = [](const v1::EvaluateStatesRequest& request, v1::EvaluateStatesResponse* response) {
    EXPECT_EQ(request.instance().params().at("goal").string_value(), "blank-first");
    EXPECT_EQ(request.states_size(), 2);
    EXPECT_EQ(request.states(0), "1 2 0");
    EXPECT_EQ(request.states(1), "from a file");
    EXPECT_EQ(request.heuristics(1).params().at("size").int_value(), 3);
    v1::StateEvaluation* state = response->add_evaluations();
    state->set_state("1 2 0");
    for (const v1::HeuristicUse& use : request.heuristics()) {
      v1::HeuristicValue* value = state->add_values();
      value->set_heuristic(use.id());
      value->set_h(7);
    }
    response->add_notes("a remark");
    if (!request.with_neighbours()) return grpc::Status::OK;
    state->add_neighbours()->set_op_name("LEFT");
    return grpc::Status::OK;
  }});
  const std::vector<std::string> args = {
      "eval",   "-",           "--state",     "1 2 0",   "--state",     folder_.Write("board", "from a file"),
      "--goal", "blank-first", "--heuristic", "hamming", "--heuristic", "manhattan:size=3"};
  const CommandResult text = Run(args);
  EXPECT_EQ(text.exit_code, 0) << text.err;
  EXPECT_NE(text.out.find("hamming    7\nmanhattan  7\n"), std::string::npos) << text.out;
  EXPECT_NE(text.out.find("LEFT"), std::string::npos) << text.out;
  EXPECT_EQ(text.err, "note: a remark\n");
  std::vector<std::string> bare = args;
  bare.push_back("--no-neighbours");
  EXPECT_EQ(Run(bare).out.find("LEFT"), std::string::npos);
  std::vector<std::string> as_json = args;
  as_json.insert(as_json.end(), {"-o", "json"});
  EXPECT_EQ(json::parse(Run(as_json).out)["evaluations"][0]["values"][1]["h"], "7") << "proto JSON";
}

TEST_F(CliCommands, EvalNamesTheStateThatIsWrong) {
  Serve({.evaluate = [](const v1::EvaluateStatesRequest&, v1::EvaluateStatesResponse*) {
    return RichError(
        grpc::StatusCode::INVALID_ARGUMENT, "bad", "INSTANCE_REJECTED",
        {{"states[0]", "line 1, column 5: 2 twice"}, {"states[1]", "missing tile: 3"}, {"instance", "odd"}});
  }});
  const std::string file = folder_.Write("state", "1 2 2");
  const CommandResult run = Run({"eval", "-", "--state", file, "--state", "1 2"});
  EXPECT_EQ(run.exit_code, 6);
  EXPECT_EQ(run.err, file + ":1:5: 2 twice\n--state 2: missing tile: 3\n<stdin>: odd\n");
  EXPECT_EQ(Run({"eval", "-", "--state", file, "-o", "json"}).exit_code, 6);
}

TEST_F(CliCommands, PluginsAreListedWithTheirFaults) {
  Serve();
  const CommandResult run = Run({"plugin", "ls"});
  EXPECT_EQ(run.exit_code, 0);
  EXPECT_NE(run.out.find("org.astrolabe.manhattan"), std::string::npos);
  EXPECT_NE(run.out.find("ABI_TOO_NEW (manifest): it is written for a newer Astrolabe; expected ABI 1; found ABI 2"),
            std::string::npos)
      << run.out;
  EXPECT_EQ(json::parse(Run({"plugin", "ls", "-o", "json"}).out).size(), 2u);
  EXPECT_NE(Run({"plugin", "info", "x"}).out.find("generation"), std::string::npos);
}

TEST_F(CliCommands, PluginsAreChanged) {
  std::vector<std::string> calls;
  Serve({.plugin_change = [&](const std::string& call, const std::string& plugin) {
    calls.push_back(call + " " + plugin);
    return grpc::Status::OK;
  }});
  EXPECT_EQ(Run({"plugin", "load", "my_h"}).out, "my_h 1.0  READY  generation 2\n");
  EXPECT_EQ(Run({"plugin", "reload", "my_h"}).exit_code, 0);
  EXPECT_EQ(Run({"plugin", "reload"}).exit_code, 0);
  EXPECT_EQ(Run({"plugin", "unload", "my_h"}).exit_code, 0);
  const std::string file = folder_.Write("my.so", "");
  Run({"plugin", "load", file});
  EXPECT_EQ(calls, (std::vector<std::string>{"load my_h", "reload my_h", "reload ", "unload my_h", "load " + file}));
  const CommandResult broken = Run({"plugin", "load", "broken"});
  EXPECT_EQ(broken.exit_code, 14);
  EXPECT_NE(broken.err.find("ABI_TOO_NEW"), std::string::npos) << broken.err;
}

TEST_F(CliCommands, ServerInfoAndHealth) {
  Serve();
  const CommandResult info = Run({"server", "info"});
  EXPECT_EQ(info.exit_code, 0);
  EXPECT_NE(info.out.find("version          0.1.0"), std::string::npos) << info.out;
  EXPECT_EQ(json::parse(Run({"server", "info", "-o", "json"}).out)["version"], "0.1.0");
  EXPECT_EQ(Run({"server", "health"}).out, "SERVING\n");
  server_->SetServing(false);
  const CommandResult sick = Run({"server", "health"});
  EXPECT_EQ(sick.exit_code, 7);
  EXPECT_EQ(sick.out, "NOT_SERVING\n");
}

TEST_F(CliCommands, ServerStopRefusesAProcessThatIsNotADaemon) {
  Serve();
  const CommandResult run = Run({"server", "stop"});
  EXPECT_EQ(run.exit_code, 6);
  EXPECT_NE(run.err.find("is not astrolabed"), std::string::npos) << run.err;
}

TEST_F(CliCommands, ServerDrainPassesTheTime) {
  std::vector<std::string> seen;
  Serve({.drain = [&](const v1::DrainRequest& request) {
    seen.push_back(request.has_timeout() ? std::to_string(request.timeout().seconds()) : "the server's");
  }});
  EXPECT_EQ(Run({"server", "drain", "--time", "90s"}).exit_code, 0);
  EXPECT_EQ(Run({"server", "drain", "--time", "0s"}).exit_code, 0);
  EXPECT_EQ(Run({"server", "drain"}).exit_code, 0);
  EXPECT_EQ(seen, (std::vector<std::string>{"90", "0", "the server's"}));
  EXPECT_EQ(Run({"server", "drain", "--time", "soon"}).exit_code, 6);
}

TEST_F(CliCommands, JobsAreListedShownAndRemoved) {
  Serve();
  const CommandResult list = Run({"jobs", "ls"});
  EXPECT_NE(list.out.find("jobs/fake"), std::string::npos);
  EXPECT_NE(list.out.find("jobs/other"), std::string::npos) << "the second page";
  EXPECT_NE(Run({"jobs", "get", "jobs/fake"}).out.find("Minimum number of moves = 4"), std::string::npos);
  EXPECT_EQ(Run({"jobs", "cancel", "jobs/fake"}).exit_code, 0);
  EXPECT_EQ(Run({"jobs", "rm", "jobs/fake"}).exit_code, 0);
  EXPECT_EQ(Run({"jobs", "rm", "jobs/none"}).exit_code, 5);
}

TEST_F(CliCommands, ListIsAnotherNameOfLs) {
  Serve();
  for (const char* command : {"jobs", "plugin", "pdb"}) {
    const CommandResult ls = Run({command, "ls", "-o", "json"});
    EXPECT_EQ(ls.exit_code, 0) << command << ls.err;
    EXPECT_EQ(Run({command, "list", "-o", "json"}).out, ls.out) << command;
  }
}

TEST_F(CliCommands, JobsUpdateSendsPriorityAndLimits) {
  std::vector<v1::UpdateJobRequest> seen;
  Serve({.update = [&](const v1::UpdateJobRequest& request, v1::UpdateJobResponse* response) {
    seen.push_back(request);
    response->mutable_job()->set_name(request.name());
    return request.priority() < 0 ? RichError(grpc::StatusCode::FAILED_PRECONDITION, "it has started", "JOB_STARTED")
                                  : grpc::Status::OK;
  }});
  const CommandResult all =
      Run({"jobs", "update", "jobs/1", "--priority", "7", "--time-limit", "10s", "--memory-limit", "2GiB",
           "--max-expansions", "10k", "--max-generated", "20k", "--max-cost", "0", "--queue-timeout", "1m"});
  EXPECT_EQ(all.exit_code, 0) << all.err;
  EXPECT_EQ(all.out, "");
  ASSERT_EQ(seen.size(), 1u);
  EXPECT_EQ(seen[0].name(), "jobs/1");
  EXPECT_EQ(seen[0].priority(), 7);
  const v1::Limits& limits = seen[0].limits();
  EXPECT_EQ(limits.wall_time().seconds(), 10);
  EXPECT_EQ(limits.max_memory_bytes(), int64_t{2} << 30);
  EXPECT_EQ(limits.max_expansions(), 10'000);
  EXPECT_EQ(limits.max_generated(), 20'000);
  EXPECT_TRUE(limits.has_max_cost());
  EXPECT_EQ(limits.queue_timeout().seconds(), 60);
  const CommandResult shown = Run({"jobs", "update", "jobs/1", "--time-limit", "5s", "-o", "json"});
  EXPECT_EQ(json::parse(shown.out)["name"], "jobs/1") << shown.err;
  EXPECT_FALSE(seen[1].has_priority());
  const CommandResult started = Run({"jobs", "update", "jobs/1", "--priority", "-5"});
  EXPECT_EQ(started.exit_code, 6);
  EXPECT_NE(started.err.find("it has started"), std::string::npos) << started.err;
}

TEST_F(CliCommands, JobsUpdateRefusesWhatIsNoChange) {
  Serve({.update = [](const v1::UpdateJobRequest&, v1::UpdateJobResponse*) {
    ADD_FAILURE() << "nothing is sent";
    return grpc::Status::OK;
  }});
  const CommandResult nothing = Run({"jobs", "update", "jobs/1"});
  EXPECT_EQ(nothing.exit_code, 2);
  EXPECT_NE(nothing.err.find("expected --priority or a limit"), std::string::npos) << nothing.err;
  EXPECT_EQ(Run({"jobs", "update", "jobs/1", "--priority", "101"}).exit_code, 2);
  EXPECT_EQ(Run({"jobs", "update", "--priority", "1"}).exit_code, 2);
  const CommandResult time = Run({"jobs", "update", "jobs/1", "--time-limit", "soon"});
  EXPECT_EQ(time.exit_code, 6);
  EXPECT_NE(time.err.find("--time-limit"), std::string::npos) << time.err;
}

TEST_F(CliCommands, WatchShowsAJobFromTheEventAskedFor) {
  int64_t from = 0;
  Serve({.watch = [&](const v1::WatchJobRequest& request, EventSink& sink) {
    from = request.from_sequence();
    sink.Write(ResultEvent(9, SolvedBoard()));
    return grpc::Status::OK;
  }});
  const CommandResult run = Run({"watch", "jobs/fake", "--from", "5"});
  EXPECT_EQ(run.exit_code, 0) << run.err;
  EXPECT_EQ(from, 5);
  EXPECT_NE(run.out.find("Minimum number of moves = 4"), std::string::npos);
}

}  // namespace
}  // namespace astrolabe::testing
