#ifndef ASTROLABE_DAEMON_SERVER_LISTENING_SOCKET_H_
#define ASTROLABE_DAEMON_SERVER_LISTENING_SOCKET_H_

#include <string>
#include <vector>

#include "daemon/base/fd.h"
#include "daemon/base/result.h"

namespace astrolabe::server {

struct Listening {
  std::vector<Fd> sockets;  // not blocking; "localhost" may have one a protocol family
  int port = 0;             // of TCP: the one that was bound
};

// "unix:PATH", at which nothing may be, or "HOST:PORT"; port 0 lets the system choose. Nobody else can bind the same.
Result<Listening> Listen(const std::string& address);

}  // namespace astrolabe::server

#endif  // ASTROLABE_DAEMON_SERVER_LISTENING_SOCKET_H_
