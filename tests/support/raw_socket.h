// A connection to a unix socket without any protocol.
#ifndef ASTROLABE_TESTS_SUPPORT_RAW_SOCKET_H_
#define ASTROLABE_TESTS_SUPPORT_RAW_SOCKET_H_

#include <sys/socket.h>
#include <sys/un.h>

#include <algorithm>
#include <cstring>
#include <string>

#include "daemon/base/fd.h"

namespace astrolabe::testing {

// Not valid, with errno, when nobody listens there.
inline Fd ConnectTo(const std::string& path) {
  Fd fd(::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0));
  sockaddr_un address = {};
  address.sun_family = AF_UNIX;
  std::memcpy(address.sun_path, path.data(), std::min(path.size(), sizeof address.sun_path - 1));
  if (::connect(fd.get(), reinterpret_cast<sockaddr*>(&address), sizeof address) != 0) fd.Reset();
  return fd;
}

}  // namespace astrolabe::testing

#endif  // ASTROLABE_TESTS_SUPPORT_RAW_SOCKET_H_
