// The user's own daemon: found, or started when nobody answers.
#ifndef ASTROLABE_CLIENT_CLI_AUTOSTART_H_
#define ASTROLABE_CLIENT_CLI_AUTOSTART_H_

#include <chrono>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "astrolabe/client/client.h"

namespace astrolabe::cli {

struct AutostartOptions {
  std::string socket;
  std::string program = "";            // empty: astrolabed beside this program
  std::string idle_timeout = "15m";    // of a daemon that is started
  std::vector<std::string> arguments;  // more for it
  bool quiet = false;
  std::chrono::milliseconds start_timeout{10000};
  std::chrono::milliseconds stop_timeout{30000};
};

// Connects to the daemon at the socket, starting it if need be. Two callers at once start one daemon: a lock file
// beside the socket is held while starting. A daemon of an older version is replaced when it is idle; one that is
// stopping is waited for. UNAVAILABLE with kReasonCannotConnect, and the end of its log, when it cannot be started,
// with reason DRAINING when there is one that was drained and goes on.
absl::StatusOr<client::Client> ConnectOrStart(const AutostartOptions& options);

// Ends the daemon at the socket and waits until it is gone. NOT_FOUND when none is running; PERMISSION_DENIED when it
// is somebody else's.
absl::Status StopDaemon(const std::string& socket, std::chrono::milliseconds timeout);

// "0.9.0" is older than "0.10.0".
bool OlderVersion(const std::string& version, const std::string& than);

}  // namespace astrolabe::cli

#endif  // ASTROLABE_CLIENT_CLI_AUTOSTART_H_
