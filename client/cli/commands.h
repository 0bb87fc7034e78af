// The commands. Each Add... declares one with its options; when it is chosen, it sets Session::command.
#ifndef ASTROLABE_CLIENT_CLI_COMMANDS_H_
#define ASTROLABE_CLIENT_CLI_COMMANDS_H_

#include "client/cli/session.h"

namespace CLI {
class App;
}

namespace astrolabe::cli {

void AddSolve(CLI::App* app, Session* session);
void AddEval(CLI::App* app, Session* session);
void AddValidate(CLI::App* app, Session* session);
void AddVerify(CLI::App* app, Session* session);
void AddBench(CLI::App* app, Session* session);
void AddWatch(CLI::App* app, Session* session);
void AddJobs(CLI::App* app, Session* session);
void AddList(CLI::App* app, Session* session);
void AddDescribe(CLI::App* app, Session* session);
void AddPlugin(CLI::App* app, Session* session);
void AddPdb(CLI::App* app, Session* session);
void AddServer(CLI::App* app, Session* session);

}  // namespace astrolabe::cli

#endif  // ASTROLABE_CLIENT_CLI_COMMANDS_H_
