#include "daemon/server/listening_socket.h"

#include <netdb.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <sys/socket.h>
#include <sys/un.h>

#include <cerrno>
#include <cstring>
#include <memory>
#include <utility>

#include "daemon/server/address.h"

namespace astrolabe::server {
namespace {

constexpr int kSocketFlags = SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK;

Error CannotListen(const std::string& address, const std::string& why) {
  return MakeError(ErrorCode::kFailedPrecondition, "ADDRESS_UNUSABLE", "cannot listen at " + address + ": " + why);
}

bool BindAndListen(const Fd& fd, const sockaddr* address, socklen_t size) {
  return fd.valid() && ::bind(fd.get(), address, size) == 0 && ::listen(fd.get(), SOMAXCONN) == 0;
}

Result<Listening> ListenUnix(const std::string& path) {
  sockaddr_un address = {};
  address.sun_family = AF_UNIX;
  if (path.size() >= sizeof address.sun_path) return CannotListen("unix:" + path, "the path is too long");
  std::memcpy(address.sun_path, path.data(), path.size());
  Listening out;
  Fd fd(::socket(AF_UNIX, kSocketFlags, 0));
  if (!BindAndListen(fd, reinterpret_cast<sockaddr*>(&address), sizeof address)) {
    return CannotListen("unix:" + path, std::strerror(errno));
  }
  out.sockets.push_back(std::move(fd));
  return out;
}

void SetPort(sockaddr* address, int port) {
  const in_port_t wire = htons(static_cast<uint16_t>(port));
  if (address->sa_family == AF_INET) reinterpret_cast<sockaddr_in*>(address)->sin_port = wire;
  if (address->sa_family == AF_INET6) reinterpret_cast<sockaddr_in6*>(address)->sin6_port = wire;
}

int BoundPort(const Fd& fd) {
  sockaddr_storage bound = {};
  socklen_t size = sizeof bound;
  if (::getsockname(fd.get(), reinterpret_cast<sockaddr*>(&bound), &size) != 0) return 0;
  return ntohs(bound.ss_family == AF_INET6 ? reinterpret_cast<sockaddr_in6*>(&bound)->sin6_port
                                           : reinterpret_cast<sockaddr_in*>(&bound)->sin_port);
}

Result<Listening> ListenTcp(const Address& address) {
  addrinfo hints = {};
  hints.ai_socktype = SOCK_STREAM;
  addrinfo* found = nullptr;
  if (const int error = ::getaddrinfo(address.host.c_str(), nullptr, &hints, &found); error != 0) {
    return CannotListen(address.ToString(), ::gai_strerror(error));
  }
  const std::unique_ptr<addrinfo, decltype(&::freeaddrinfo)> owner(found, &::freeaddrinfo);
  Listening out;
  out.port = address.port;
  int why = 0;
  for (addrinfo* one = found; one != nullptr; one = one->ai_next) {
    SetPort(one->ai_addr, out.port);
    Fd fd(::socket(one->ai_family, kSocketFlags, 0));
    const int on = 1;
    if (fd.valid()) {
      // Connections of an earlier daemon that linger are no hindrance; accepted ones inherit the second.
      ::setsockopt(fd.get(), SOL_SOCKET, SO_REUSEADDR, &on, sizeof on);
      ::setsockopt(fd.get(), IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
    }
    if (!BindAndListen(fd, one->ai_addr, one->ai_addrlen)) {
      why = errno;
      continue;
    }
    out.port = BoundPort(fd);
    out.sockets.push_back(std::move(fd));
  }
  if (out.sockets.empty()) return CannotListen(address.ToString(), std::strerror(why));
  return out;
}

}  // namespace

Result<Listening> Listen(const std::string& address) {
  if (address.starts_with("unix:")) return ListenUnix(address.substr(5));
  const Result<Address> tcp = ParseAddress(address);
  if (!tcp.ok()) return tcp.error();
  return ListenTcp(*tcp);
}

}  // namespace astrolabe::server
