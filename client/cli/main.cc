// The `astrolabe` command.
#include <CLI/CLI.hpp>
#include <csignal>
#include <cstdlib>
#include <exception>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "astrolabe/client/version.h"
#include "client/cli/commands.h"
#include "client/cli/exit_code.h"
#include "client/cli/nearest.h"
#include "client/cli/params.h"
#include "client/cli/session.h"

namespace astrolabe::cli {
namespace {

constexpr char kFooter[] =
    "-o, --server, --no-autostart and -q may stand after any command; see: astrolabe --help\n\n"
    "Exit codes: 0 solved, 1 internal error, 2 usage, 3 cannot connect, 4 not authorised, 5 not found,\n"
    "6 bad instance or parameter, 7 unavailable, 10 proven unsolvable, 11 limit reached (best so far printed),\n"
    "12 limit reached (nothing found), 13 cancelled, 14 plugin failed, 15 local optimum, 16 interrupted,\n"
    "17 path is wrong or does not reach the goal, 18 data of the server is damaged.";

void AddCommonOptions(CLI::App* app, Session* session) {
  app->add_option_function<std::string>(
         "-o,--output",
         [session](const std::string& form) {
           session->form = form == "json"     ? OutputForm::kJson
                           : form == "ndjson" ? OutputForm::kNdjson
                           : form == "moves"  ? OutputForm::kMoves
                           : form == "state"  ? OutputForm::kState
                           : form == "csv"    ? OutputForm::kCsv
                                              : OutputForm::kText;
         },
         "What is printed: text, one JSON object (proto JSON of the Result), one event a line, the moves, the "
         "final state, or csv (bench)")
      ->check(CLI::IsMember({"text", "json", "ndjson", "moves", "state", "csv"}))
      ->type_name("FORM")
      ->default_str("text")
      ->trigger_on_parse();
  app->add_option("--server", session->server, "Server to use, unix:PATH or HOST:PORT, instead of your own daemon")
      ->envname("ASTROLABE_SERVER")
      ->type_name("ADDR");
  app->add_flag("--no-autostart", session->no_autostart, "Do not start your daemon when it is not running");
  app->add_flag("-q,--quiet", session->quiet, "No progress, notes or hints on stderr");
  app->set_version_flag("--version", std::string("astrolabe ") + client::Version());
}

// What stands where a command should, when that is no command; empty: something else is wrong.
std::string UnknownCommand(const CLI::ParseError& error, const CLI::App& app, const Session& session) {
  if (dynamic_cast<const CLI::RequiredError*>(&error) == nullptr) return "";
  const CLI::App* at = &app;
  while (!at->get_subcommands().empty()) at = at->get_subcommands().front();
  // Words fall through to the commands above, which have the common options.
  const std::vector<std::string> words = app.remaining(true);
  if (words.empty()) return "";
  const std::string& word = words.front();
  if (session.param_flags != nullptr && ParseParamFlag(word)) return "";
  if (word.starts_with('-')) return "there is no option " + word;
  std::vector<std::string> names;
  for (const CLI::App* command : at->get_subcommands([](const CLI::App*) { return true; })) {
    names.push_back(command->get_name());
  }
  if (names.empty()) return "";
  std::string all;
  for (const std::string& name : names) all += (all.empty() ? "" : ", ") + name;
  const std::string nearest = Nearest(word, names);
  return "there is no command \"" + word + "\"" +
         (nearest.empty() ? "; expected one of " + all : "; did you mean \"" + nearest + "\"?");
}

const CLI::App* ChosenCommand(const CLI::App& app) {
  const CLI::App* at = &app;
  while (!at->get_subcommands().empty()) at = at->get_subcommands().front();
  return at;
}

// The option of the chosen command that a word may be a slip of; empty: none.
std::string NearOption(const std::string& name, const CLI::App& app) {
  std::vector<std::string> names;
  for (const CLI::App* level : {ChosenCommand(app), &app}) {
    for (const CLI::Option* option : level->get_options()) {
      names.insert(names.end(), option->get_lnames().begin(), option->get_lnames().end());
    }
  }
  const std::string nearest = Nearest(name, names);
  return nearest.empty() ? "" : "--" + nearest;
}

// Gives the words that no option took to the command, if they may be parameters of its problem. Else a usage error:
// what takes no parameters, or a word that is neither.
void TakeParamFlags(const CLI::App& app, const Session& session) {
  const std::vector<std::string> words = app.remaining(true);
  if (words.empty()) return;
  std::vector<ParamFlag> flags;
  for (const std::string& word : words) {
    std::optional<ParamFlag> flag = session.param_flags != nullptr ? ParseParamFlag(word) : std::nullopt;
    if (!flag) throw CLI::ExtrasError(words);
    flag->near_option = NearOption(flag->name, app);
    flags.push_back(*std::move(flag));
  }
  *session.param_flags = std::move(flags);
}

// Where a value was written after a blank, it stands there as a word too many.
std::string ParamHint(const CLI::ParseError& error, const Session& session) {
  const bool extras = dynamic_cast<const CLI::ExtrasError*>(&error) != nullptr;
  if (!extras || session.param_flags == nullptr ||
      std::string_view(error.what()).find("--") == std::string_view::npos) {
    return "";
  }
  return "\nA parameter of the problem is given in one word, --NAME=VALUE.";
}

// A file that is missing need not be one.
std::string InputHint(const CLI::ParseError& error) {
  return std::string_view(error.what()) == "FILE is required" ? "; - reads standard input" : "";
}

int UsageError(const CLI::ParseError& error, const CLI::App& app, const Session& session) {
  if (error.get_exit_code() == 0) return app.exit(error);  // --help, --version
  const std::string unknown = UnknownCommand(error, app, session);
  const std::string what = unknown.empty() ? error.what() + ParamHint(error, session) + InputHint(error) : unknown;
  return ReportError(absl::InvalidArgumentError(what + "\nRun with --help for more."), session.form, kExitUsage);
}

int Main(int argc, char** argv) {
  // `astrolabe ... | head` ends quietly, also under a parent that ignores the signal.
  std::signal(SIGPIPE, SIG_DFL);
  // What gRPC says of itself is not for users; failures come as statuses. Who wants it sets the variable.
  ::setenv("GRPC_VERBOSITY", "NONE", 0);

  Session session;
  CLI::App app("Astrolabe: heuristic search as a service", "astrolabe");
  app.footer(kFooter);
  app.require_subcommand(1);
  app.allow_extras();  // TakeParamFlags judges them
  AddCommonOptions(&app, &session);
  AddSolve(&app, &session);
  AddValidate(&app, &session);
  AddEval(&app, &session);
  AddVerify(&app, &session);
  AddBench(&app, &session);
  AddWatch(&app, &session);
  AddJobs(&app, &session);
  AddList(&app, &session);
  AddDescribe(&app, &session);
  AddPlugin(&app, &session);
  AddPdb(&app, &session);
  AddServer(&app, &session);
  try {
    app.parse(argc, argv);
    TakeParamFlags(app, session);
  } catch (const CLI::ParseError& error) {
    return UsageError(error, app, session);
  }
  if (session.form == OutputForm::kCsv && !session.prints_csv) {
    return ReportError(absl::InvalidArgumentError("-o csv is for bench; expected text, json, ndjson, moves or state"),
                       session.form, kExitUsage);
  }
  const int exit_code = session.command();
  FlushOutput();
  return exit_code;
}

}  // namespace
}  // namespace astrolabe::cli

int main(int argc, char** argv) {
  try {
    return astrolabe::cli::Main(argc, argv);
  } catch (const std::exception& error) {
    return astrolabe::cli::ReportError(absl::InternalError(error.what()), astrolabe::cli::OutputForm::kText);
  }
}
