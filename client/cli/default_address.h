// Where the user's own daemon lives when no server is named.
#ifndef ASTROLABE_CLIENT_CLI_DEFAULT_ADDRESS_H_
#define ASTROLABE_CLIENT_CLI_DEFAULT_ADDRESS_H_

#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"

namespace astrolabe::cli {

// $XDG_RUNTIME_DIR/astrolabe/astrolabed.sock, else /tmp/astrolabe-UID/astrolabed.sock.
std::string DefaultSocket();

// The path of "unix:PATH"; empty for other addresses.
std::string SocketPath(const std::string& address);

// The log of a daemon that the command starts: astrolabed.log beside the socket.
std::string DaemonLog(const std::string& socket);

// Makes the socket's folder (0700) if it is missing. FAILED_PRECONDITION, with what to do, when it is a link, belongs
// to somebody else, may be entered by others, or the path is too long for a socket.
absl::Status PrepareFolder(const std::string& socket);

}  // namespace astrolabe::cli

#endif  // ASTROLABE_CLIENT_CLI_DEFAULT_ADDRESS_H_
