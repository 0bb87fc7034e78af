#ifndef ASTROLABE_CLIENT_CLI_INSTANCE_FLAGS_H_
#define ASTROLABE_CLIENT_CLI_INSTANCE_FLAGS_H_

#include <CLI/CLI.hpp>
#include <string>

#include "client/cli/session.h"
#include "client/cli/solve_options.h"

namespace astrolabe::cli {

// Refuses an empty word, which a script's unset variable leaves: it is no way to ask for the default.
inline CLI::Validator SaysSomething(const std::string& expected) {
  return CLI::Validator(
      [expected](const std::string& text) {
        const bool empty = text.find_first_not_of(" \t\r\n") == std::string::npos;
        return empty ? "is empty; expected " + expected + ", or no such option" : std::string();
      },
      "");
}

// --problem, --goal, --param, and any --NAME[=VALUE] for a parameter of the problem. `options` lives as long as the
// command.
inline void AddProblemFlags(CLI::App* command, Session* session, InstanceOptions* options) {
  command->preparse_callback([session, options](size_t) { session->param_flags = &options->flags; });
  command
      ->add_option("--problem", options->problem,
                   "Problem; default: the file's first line \"#problem: ID\", else sliding_tile")
      ->check(SaysSomething("an ID of `astrolabe list problems`"))
      ->type_name("ID");
  command
      ->add_option("--goal", options->goal,
                   "blank-last, blank-first, an existing file, or text with / or ; between rows")
      ->check(SaysSomething("blank-last, blank-first, a file, or rows such as \"1 2 3/8 0 4/7 6 5\""))
      ->type_name("GOAL");
  command
      ->add_option(
          "--param", options->params,
          "A parameter of the problem; repeatable. --K=V is the same where no option has that name, and --K alone "
          "turns on what can be on or off; see: astrolabe describe ID")
      ->type_name("K=V")
      ->allow_extra_args(false);
}

// FILE and the flags of its problem. Returns FILE.
inline CLI::Option* AddInstanceFlags(CLI::App* command, Session* session, InstanceOptions* options) {
  CLI::Option* file = command->add_option("FILE", options->file, "File with the instance; - reads standard input");
  AddProblemFlags(command, session, options);
  return file->required();
}

}  // namespace astrolabe::cli

#endif  // ASTROLABE_CLIENT_CLI_INSTANCE_FLAGS_H_
