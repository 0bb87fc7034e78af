// What every command shares: the options that may stand anywhere, and the connection they lead to.
#ifndef ASTROLABE_CLIENT_CLI_SESSION_H_
#define ASTROLABE_CLIENT_CLI_SESSION_H_

#include <functional>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "astrolabe/client/client.h"
#include "client/cli/autostart.h"
#include "client/cli/output.h"
#include "client/cli/params.h"

namespace astrolabe::cli {

struct Session {
  std::string server;  // --server or ASTROLABE_SERVER; empty: the user's own daemon
  bool no_autostart = false;
  bool quiet = false;
  OutputForm form = OutputForm::kText;
  bool prints_csv = false;  // the chosen command knows -o csv
  // Of a command that takes parameters of a problem: where words --NAME[=VALUE] go that are no options.
  std::vector<ParamFlag>* param_flags = nullptr;
  // What the chosen command does; returns the exit code. Set by its parser callback, run by main.
  std::function<int()> command;

  bool json() const { return form == OutputForm::kJson || form == OutputForm::kNdjson; }
  // The user's own daemon, which may be started.
  bool own_daemon() const { return server.empty(); }
  std::string address() const;
  AutostartOptions autostart() const;

  // Connects as the options say.
  absl::StatusOr<client::Client> Connect() const;
  // The same, but only to a server that runs already.
  absl::StatusOr<client::Client> ConnectRunning() const;

  // Adds to a lost connection where the reason may be found.
  absl::Status Explained(const absl::Status& status) const;
  int Fail(const absl::Status& status) const { return ReportError(Explained(status), form); }
};

}  // namespace astrolabe::cli

#endif  // ASTROLABE_CLIENT_CLI_SESSION_H_
