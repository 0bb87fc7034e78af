#include <unistd.h>

#include <CLI/CLI.hpp>
#include <cstdio>
#include <iostream>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "astrolabe/client/json.h"
#include "client/cli/ask_board.h"
#include "client/cli/commands.h"
#include "client/cli/daemon_process.h"
#include "client/cli/exit_code.h"
#include "client/cli/instance_flags.h"
#include "client/cli/interrupts.h"
#include "client/cli/search_flags.h"
#include "client/cli/show_stream.h"
#include "client/cli/solve_options.h"

namespace astrolabe::cli {
namespace {

// No file is named: a board can be asked for when somebody is there, and it is a board that is wanted. Else what to do.
std::string WhyNotAsked(const InstanceOptions& options) {
  if (isatty(STDIN_FILENO) != 1 || isatty(STDERR_FILENO) != 1) return "FILE is required; - reads standard input";
  if (options.problem.empty() || options.problem == "sliding_tile") return "";
  return "FILE is required; only a board of sliding_tile is asked for row by row. Write the instance into a file, or "
         "type it after\n  astrolabe solve - --problem " +
         options.problem + "\nand end it with Ctrl-D; what an instance looks like: astrolabe describe " +
         options.problem;
}

absl::StatusOr<LoadedInstance> AskInstance(const InstanceOptions& options) {
  const Dialogue dialogue = {[](std::string_view text) { std::fwrite(text.data(), 1, text.size(), stderr); },
                             []() -> std::optional<std::string> {
                               std::string line;
                               if (!std::getline(std::cin, line)) return std::nullopt;
                               return line;
                             }};
  std::optional<std::string> text = AskBoard(dialogue, options.goal.empty());
  if (!text.has_value()) {
    std::fputc('\n', stderr);  // ends the line of the question
    return absl::InvalidArgumentError("the input ended before the board was whole");
  }
  return LoadInstance(options, {"<terminal>", *std::move(text)});
}

int Detach(const Session& session, client::Client* client, const client::JobSpec& spec) {
  const auto job = client->CreateJob({spec, "", false});
  if (!job.ok()) return session.Fail(job.status());
  PrintLine(session.json() ? client::ToJson(*job) : job->name);
  if (!session.quiet && !session.json()) std::fprintf(stderr, "See it with: astrolabe watch %s\n", job->name.c_str());
  return kExitSolved;
}

int Solve(const Session& session, const SolveOptions& given) {
  SolveOptions options = given;
  // Nodes of which a trace alone is wanted are not for the screen.
  const bool print_nodes = options.events == EventsWanted::kNodes;
  if (options.events == EventsWanted::kDefault) {
    options.events = options.trace.empty() ? EventsWanted::kProgress : EventsWanted::kNodes;
  }
  // A line a node on a screen is for reading; a program wants the bytes.
  if (options.node_detail.empty() && session.form == OutputForm::kText) options.node_detail = "text";
  if (options.instance.file.empty() && !options.instance.flags.empty()) {
    // Told before anything is asked: a slip must not cost a board that was typed.
    const ParamFlag& flag = options.instance.flags.front();
    return session.Fail(UsageFault("there is no option --" + flag.name +
                                   (flag.near_option.empty() ? "" : ", did you mean " + flag.near_option + "?") +
                                   "; a parameter of the problem needs a FILE beside it"));
  }
  const auto instance = options.instance.file.empty() ? AskInstance(options.instance) : LoadInstance(options.instance);
  if (!instance.ok()) return session.Fail(instance.status());

  // Before gRPC makes its threads, so that they leave the signals alone.
  Interrupts interrupts;
  absl::StatusOr<client::Client> client = session.Connect();
  if (!client.ok()) return session.Fail(client.status());
  auto request = BuildRequest(options, *instance, &*client);
  if (!request.ok()) return session.Fail(request.status());
  if (options.detach) return Detach(session, &*client, request->spec);

  absl::StatusOr<Trace> trace = Trace::Open(options.trace);
  if (!trace.ok()) return session.Fail(trace.status());
  ShowOptions show;
  show.progress = options.events != EventsWanted::kNone;
  show.print_nodes = print_nodes;
  show.names = instance->names;
  if (isatty(STDERR_FILENO) == 1) request->watch.progress_interval = std::chrono::milliseconds(250);

  absl::StatusOr<client::EventStream> stream = StartSolve(session, &*client, *request);
  if (!stream.ok()) return session.Fail(stream.status());
  interrupts.OnFirst([&stream] { stream->Cancel().IgnoreError(); });
  const int exit_code = ShowStream(session, show, &*client, &*stream, &*trace);
  interrupts.Reset();
  return exit_code;
}

}  // namespace

void AddSolve(CLI::App* app, Session* session) {
  auto options = std::make_shared<SolveOptions>();
  CLI::App* command = app->add_subcommand("solve", "Solve an instance");
  command->fallthrough();
  AddInstanceFlags(command, session, &options->instance)
      ->required(false)
      ->description("File with the instance; - reads standard input; on a terminal, without it, a board is asked for");
  command
      ->add_option(
          "--heuristic", options->heuristics,
          "Heuristic with parameters and weight, such as manhattan, pdb:tiles=1-5 or manhattan@1/2; repeatable")
      ->type_name("ID[@W][:K=V,..]")
      ->allow_extra_args(false);
  CLI::Option* const algorithm =
      command->add_option("--algorithm", options->algorithm, "Search algorithm with parameters")
          ->type_name("ID[:K=V,..]");
  command
      ->add_flag_callback(
          "--all", [options] { options->algorithm = kAllSolutions; },
          "Count all solutions (--algorithm all_solutions); with --events nodes each is told")
      ->excludes(algorithm);
  AddSearchFlags(command, options.get());
  command
      ->add_option_function<std::string>(
          "--events",
          [options](const std::string& events) {
            options->events = events == "nodes"  ? EventsWanted::kNodes
                              : events == "none" ? EventsWanted::kNone
                                                 : EventsWanted::kProgress;
          },
          "nodes (each expanded node), progress (the default) or none")
      ->check(CLI::IsMember({"nodes", "progress", "none"}))
      ->type_name("WHAT");
  command
      ->add_option("--node-kinds", options->node_kinds,
                   "With --events nodes: the kinds, such as expanding,generating,goal; default: expanding, of local "
                   "search source,expanding,restart,closing,goal, of --all goal")
      ->type_name("KINDS");
  command->add_option("--node-detail", options->node_detail, "With --events nodes: ids, costs, state or text")
      ->check(CLI::IsMember({"ids", "costs", "state", "text"}))
      ->type_name("HOW");
  command->add_option("--trace", options->trace, "Write every event, one JSON object a line; nodes by default")
      ->type_name("FILE");
  command->add_flag("--detach", options->detach, "Print the job's name and leave it to the server");
  command->callback([session, options] {
    const std::string why_not = options->instance.file.empty() ? WhyNotAsked(options->instance) : "";
    if (!why_not.empty()) throw CLI::RequiredError(why_not, CLI::ExitCodes::RequiredError);
    session->command = [=] { return Solve(*session, *options); };
  });
}

}  // namespace astrolabe::cli
