#include <CLI/CLI.hpp>
#include <cstdio>
#include <memory>
#include <utility>

#include "astrolabe/client/json.h"
#include "client/cli/commands.h"
#include "client/cli/eval_text.h"
#include "client/cli/exit_code.h"
#include "client/cli/instance_flags.h"
#include "client/cli/named_faults.h"
#include "client/cli/solve_options.h"

namespace astrolabe::cli {
namespace {

struct EvalOptions {
  InstanceOptions instance;
  std::vector<std::string> heuristics;
  std::vector<std::string> states;
  bool without_neighbours = false;
};

absl::StatusOr<client::EvaluateRequest> BuildEvaluate(const EvalOptions& options, LoadedInstance* instance,
                                                      client::Client* client) {
  client::EvaluateRequest request;
  auto params = ProblemParams(*instance, client);
  if (!params.ok()) return params.status();
  request.instance = instance->ref;
  request.instance.params = *std::move(params);
  auto heuristics = ParseHeuristics(options.heuristics, client);
  if (!heuristics.ok()) return heuristics.status();
  request.heuristics = *std::move(heuristics);
  for (const std::string& text : options.states) {
    const std::string number = options.states.size() > 1 ? " " + std::to_string(request.states.size() + 1) : "";
    auto state = ResolveText(text, "--state" + number, &instance->names.states.emplace_back());
    if (!state.ok()) return state.status();
    request.states.push_back(*std::move(state));
  }
  request.with_neighbours = !options.without_neighbours;
  return request;
}

int Eval(const Session& session, const EvalOptions& options) {
  auto instance = LoadInstance(options.instance);
  if (!instance.ok()) return session.Fail(instance.status());
  auto client = session.Connect();
  if (!client.ok()) return session.Fail(client.status());
  const auto request = BuildEvaluate(options, &*instance, &*client);
  if (!request.ok()) return session.Fail(request.status());
  const auto evaluations = client->EvaluateStates(*request);
  if (!evaluations.ok()) {
    if (session.json() || evaluations.status().code() != absl::StatusCode::kInvalidArgument) {
      return session.Fail(evaluations.status());
    }
    std::fprintf(stderr, "%s\n", std::string(NamedFaults(evaluations.status(), instance->names).message()).c_str());
    return kExitBadInput;
  }
  if (session.json()) {
    PrintLine(client::ToJson(*evaluations));
    return kExitSolved;
  }
  Print(EvaluationsText(*evaluations));
  if (!session.quiet) {
    for (const std::string& note : evaluations->notes) std::fprintf(stderr, "note: %s\n", note.c_str());
  }
  return kExitSolved;
}

}  // namespace

void AddEval(CLI::App* app, Session* session) {
  auto options = std::make_shared<EvalOptions>();
  CLI::App* command = app->add_subcommand("eval", "Show what heuristics say of states, without a search");
  command->fallthrough();
  AddInstanceFlags(command, session, &options->instance);
  command
      ->add_option("--state", options->states,
                   "A state to evaluate: an existing file, or the state's text; repeatable; default: the start")
      ->type_name("TEXT|FILE")
      ->allow_extra_args(false);
  command
      ->add_option("--heuristic", options->heuristics,
                   "Heuristic with parameters and weight, as in solve; repeatable; default: the problem's")
      ->type_name("ID[@W][:K=V,..]")
      ->allow_extra_args(false);
  command->add_flag("--no-neighbours", options->without_neighbours, "Do not show where the operators lead");
  command->callback([session, options] { session->command = [=] { return Eval(*session, *options); }; });
}

}  // namespace astrolabe::cli
