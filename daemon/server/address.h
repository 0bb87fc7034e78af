// Where to listen: a unix socket, or loopback TCP.
#ifndef ASTROLABE_DAEMON_SERVER_ADDRESS_H_
#define ASTROLABE_DAEMON_SERVER_ADDRESS_H_

#include <cstddef>
#include <string>
#include <string_view>

#include "daemon/base/result.h"

namespace astrolabe::server {

// A path of this length leaves room for the ".<pid>" of the name it is bound under (sun_path holds 108 bytes).
inline constexpr size_t kMaxSocketPath = 99;

struct Address {
  enum class Kind { kUnix, kTcp };
  Kind kind = Kind::kUnix;
  std::string path;  // kUnix: absolute
  std::string host;  // kTcp: "127.0.0.1", "::1" or "localhost"
  int port = 0;      // kTcp: 0 lets the system choose

  // "unix:/path" or "host:port": what clients dial and gRPC listens on.
  std::string ToString() const;
};

// "unix:PATH", "unix:///PATH", "/PATH", "HOST:PORT", "[IPV6]:PORT". A relative path is made absolute. TCP that is
// not loopback is refused: it would need TLS, which this version has not.
Result<Address> ParseAddress(std::string_view text);

}  // namespace astrolabe::server

#endif  // ASTROLABE_DAEMON_SERVER_ADDRESS_H_
