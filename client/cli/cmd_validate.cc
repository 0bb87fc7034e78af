#include <CLI/CLI.hpp>
#include <cstdio>
#include <memory>

#include "astrolabe/client/json.h"
#include "client/cli/board_text.h"
#include "client/cli/commands.h"
#include "client/cli/exit_code.h"
#include "client/cli/facts_text.h"
#include "client/cli/instance_flags.h"
#include "client/cli/named_faults.h"
#include "client/cli/solve_options.h"
#include "client/cli/units.h"

namespace astrolabe::cli {
namespace {

std::string CheckedText(const client::CheckedInstance& instance) {
  std::string text = "Valid:       " + instance.size + "\n";
  const char* const words[] = {"", "yes", "no", "not known before a search"};
  const auto solvable = static_cast<size_t>(instance.solvable);
  if (solvable > 0 && solvable < std::size(words)) {
    text +=
        std::string("Solvable:    ") + words[solvable] + (instance.reason.empty() ? "" : ": " + instance.reason) + "\n";
  }
  text += std::string("Start:       ") + (instance.initial_is_goal ? "is a goal" : "is no goal") + "\n";
  if (instance.state_bytes > 0) text += "State:       " + Counted(instance.state_bytes, "byte") + "\n";
  if (!instance.fingerprint.empty()) text += "Fingerprint: " + instance.fingerprint + "\n";
  if (!instance.initial_state.empty()) text += "\nStart\n" + BoardText(instance.initial_state);
  if (!instance.goal_state.empty()) text += "\nGoal\n" + BoardText(instance.goal_state);
  if (!instance.facts.empty()) text += "\nThe start has\n" + FactsText(instance.facts);
  return text;
}

int Validate(const Session& session, const InstanceOptions& options) {
  auto instance = LoadInstance(options);
  if (!instance.ok()) return session.Fail(instance.status());
  auto client = session.Connect();
  if (!client.ok()) return session.Fail(client.status());
  auto params = ProblemParams(*instance, &*client);
  if (!params.ok()) return session.Fail(params.status());
  instance->ref.params = *std::move(params);
  const auto checked = client->ValidateInstance(instance->ref);
  if (!checked.ok()) {
    if (session.json() || checked.status().code() != absl::StatusCode::kInvalidArgument) {
      return session.Fail(checked.status());
    }
    std::fprintf(stderr, "%s\n", std::string(NamedFaults(checked.status(), instance->names).message()).c_str());
    return kExitBadInput;
  }
  if (session.json()) {
    PrintLine(client::ToJson(*checked));
  } else {
    Print(CheckedText(*checked));
    if (!session.quiet) {
      for (const std::string& note : checked->notes) std::fprintf(stderr, "note: %s\n", note.c_str());
    }
  }
  // A well-formed instance of which it is known already that it has no solution.
  return checked->solvable == client::Solvable::kNo ? kExitUnsolvable : kExitSolved;
}

}  // namespace

void AddValidate(CLI::App* app, Session* session) {
  auto options = std::make_shared<InstanceOptions>();
  CLI::App* command = app->add_subcommand("validate", "Check an instance without solving it");
  command->fallthrough();
  AddInstanceFlags(command, session, options.get());
  command->callback([session, options] { session->command = [=] { return Validate(*session, *options); }; });
}

}  // namespace astrolabe::cli
