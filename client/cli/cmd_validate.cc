#include <CLI/CLI.hpp>
#include <cstdio>
#include <memory>

#include "astrolabe/client/errors.h"
#include "astrolabe/client/json.h"
#include "client/cli/board_text.h"
#include "client/cli/commands.h"
#include "client/cli/exit_code.h"
#include "client/cli/instance_flags.h"
#include "client/cli/solve_options.h"

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
  if (instance.state_bytes > 0) text += "State:       " + std::to_string(instance.state_bytes) + " bytes\n";
  if (!instance.fingerprint.empty()) text += "Fingerprint: " + instance.fingerprint + "\n";
  if (!instance.initial_state.empty()) text += "\nStart\n" + BoardText(instance.initial_state);
  if (!instance.goal_state.empty()) text += "\nGoal\n" + BoardText(instance.goal_state);
  return text;
}

// The server tells a place in words or as "instance:LINE:COLUMN"; here all faults begin with FILE:LINE:COLUMN.
absl::Status Named(const absl::Status& status, const SourceNames& names) {
  std::string text;
  for (const auto& [field, description] : client::FieldViolations(status)) {
    const size_t end = std::min(field.find(':'), field.size());
    const std::string what = field.substr(0, end);
    std::string place = field;
    if (what == "instance" || what == "instance.text") place = names.instance + field.substr(end);
    if (what == "goal" || what == "params.goal") place = names.goal + field.substr(end);
    int line = 0;
    int column = 0;
    int length = 0;
    if (std::sscanf(description.c_str(), "line %d, column %d: %n", &line, &column, &length) == 2 && length > 0) {
      place += ":" + std::to_string(line) + ":" + std::to_string(column);
    }
    text += (text.empty() ? "" : "\n") + (place.empty() ? "" : place + ": ") + description.substr(length);
  }
  return text.empty() ? status : absl::Status(status.code(), text);
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
    std::fprintf(stderr, "%s\n", std::string(Named(checked.status(), instance->names).message()).c_str());
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
  AddInstanceFlags(command, options.get());
  command->callback([session, options] { session->command = [=] { return Validate(*session, *options); }; });
}

}  // namespace astrolabe::cli
