#include "client/cli/session.h"

#include <unistd.h>

#include "astrolabe/client/errors.h"
#include "client/cli/daemon_process.h"
#include "client/cli/default_address.h"

namespace astrolabe::cli {

std::string Session::address() const { return own_daemon() ? "unix:" + DefaultSocket() : server; }

AutostartOptions Session::autostart() const {
  AutostartOptions options;
  options.socket = SocketPath(address());
  options.quiet = quiet;
  return options;
}

absl::StatusOr<client::Client> Session::Connect() const {
  return own_daemon() && !no_autostart ? ConnectOrStart(autostart()) : ConnectRunning();
}

absl::StatusOr<client::Client> Session::ConnectRunning() const {
  const std::string socket = SocketPath(address());
  if (!socket.empty() && !Listening(socket)) {
    return client::MakeStatus(
        absl::StatusCode::kUnavailable, client::kReasonCannotConnect,
        "no server is running at " + address() + (own_daemon() ? "; start one with: astrolabe server start" : ""));
  }
  client::ClientOptions options;
  options.address = address();
  return client::Client::Connect(options);
}

absl::Status Session::Explained(const absl::Status& status) const {
  if (client::Reason(status) != client::kReasonConnectionLost) return status;
  std::string message(status.message());
  const std::string socket = SocketPath(address());
  if (!socket.empty()) {
    message += Listening(socket) ? "; a server answers there again" : "; the server is gone";
    if (access(DaemonLog(socket).c_str(), F_OK) == 0) message += "; its log is " + DaemonLog(socket);
  }
  return client::MakeStatus(status.code(), client::kReasonConnectionLost, message);
}

}  // namespace astrolabe::cli
