#include <CLI/CLI.hpp>
#include <cstdio>
#include <memory>
#include <utility>

#include "astrolabe/client/errors.h"
#include "astrolabe/client/json.h"
#include "client/cli/board_text.h"
#include "client/cli/commands.h"
#include "client/cli/exit_code.h"
#include "client/cli/instance_flags.h"
#include "client/cli/named_faults.h"
#include "client/cli/path_reader.h"
#include "client/cli/result_text.h"
#include "client/cli/solve_options.h"
#include "client/cli/units.h"

namespace astrolabe::cli {
namespace {

struct VerifyOptions {
  InstanceOptions instance;
  std::string moves;
};

// FILE:LINE:COLUMN: what.
std::string AtMove(PathReader& path, int64_t index, const std::string& what) {
  const absl::StatusOr<TextPlace> place = path.PlaceOf(index);
  if (!place.ok()) return path.name() + ": move " + std::to_string(index + 1) + ": " + what;
  return path.name() + ":" + std::to_string(place->line) + ":" + std::to_string(place->column) + ": " + what;
}

// The library knows the bad word by its number.
absl::Status WithPlace(const absl::Status& status, PathReader& path) {
  long long index = 0;
  if (client::Reason(status) != "NOT_UTF8" ||
      std::sscanf(std::string(status.message()).c_str(), "not UTF-8: op_names[%lld]", &index) != 1) {
    return status;
  }
  return absl::InvalidArgumentError(AtMove(path, index, "this word is not UTF-8"));
}

// Reads the first piece before the call: the server's time must not pass while the path is still being made.
absl::StatusOr<client::CheckedPath> Check(client::Client& client, const client::InstanceRef& instance,
                                          PathReader& path) {
  client::PathPiece first;
  absl::StatusOr<bool> has_first = path.Next(&first);
  if (!has_first.ok()) return has_first.status();
  return client.ValidatePath(instance, [&](client::PathPiece* piece) -> absl::StatusOr<bool> {
    if (!*has_first) return path.Next(piece);
    *piece = std::move(first);
    has_first = false;
    return true;
  });
}

std::string CheckedPathText(const client::CheckedPath& path) {
  std::string text = path.valid ? "Valid: " + Counted(path.length, "move") + ", cost "
                                : "Not valid: " + Counted(path.length, "move") + (path.length == 1 ? " is" : " are") +
                                      " possible, cost ";
  text += CostText(path.cost, path.cost_scale) + "\n";
  if (path.reaches_goal) return text + "The goal is reached.\n";
  text += path.valid ? "The goal is not reached.\n" : "";
  if (!path.final_state.empty()) text += "\nLast state\n" + BoardText(path.final_state);
  return text;
}

int Verify(const Session& session, const VerifyOptions& options) {
  auto instance = LoadInstance(options.instance);
  if (!instance.ok()) return session.Fail(instance.status());
  auto path = PathReader::Open(options.moves);
  if (!path.ok()) return session.Fail(path.status());
  auto client = session.Connect();
  if (!client.ok()) return session.Fail(client.status());
  auto params = ProblemParams(*instance, &*client);
  if (!params.ok()) return session.Fail(params.status());
  instance->ref.params = *std::move(params);
  auto checked = Check(*client, instance->ref, *path);
  if (!checked.ok()) {
    const absl::Status status = WithPlace(checked.status(), *path);
    if (session.json() || client::FieldViolations(status).empty()) return session.Fail(status);
    std::fprintf(stderr, "%s\n", std::string(NamedFaults(status, instance->names).message()).c_str());
    return kExitBadInput;
  }
  if (!checked->valid) checked->violation = AtMove(*path, checked->first_violation, checked->violation);
  if (session.json()) {
    PrintLine(client::ToJson(*checked));
  } else {
    Print(CheckedPathText(*checked));
    FlushOutput();
    if (!checked->valid) std::fprintf(stderr, "%s\n", checked->violation.c_str());
    for (const std::string& note : checked->notes) {
      if (!session.quiet) std::fprintf(stderr, "note: %s\n", note.c_str());
    }
  }
  return checked->reaches_goal ? kExitSolved : kExitWrongPath;
}

}  // namespace

void AddVerify(CLI::App* app, Session* session) {
  auto options = std::make_shared<VerifyOptions>();
  CLI::App* command = app->add_subcommand("verify", "Replay a path: is each move possible, is the goal reached?");
  command->fallthrough();
  AddInstanceFlags(command, session, &options->instance);
  command
      ->add_option("MOVES", options->moves,
                   "File with the moves, words or numbers, as solve -o moves writes them; - reads standard input")
      ->required();
  command->callback([session, options] {
    if (options->instance.file == "-" && options->moves == "-") {
      throw CLI::ValidationError("MOVES", "FILE and MOVES cannot both be standard input");
    }
    session->command = [=] { return Verify(*session, *options); };
  });
}

}  // namespace astrolabe::cli
