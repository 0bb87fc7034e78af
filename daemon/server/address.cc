#include "daemon/server/address.h"

#include <arpa/inet.h>

#include <charconv>
#include <cstdint>
#include <filesystem>

namespace astrolabe::server {
namespace {

Error Bad(std::string message) { return MakeError(ErrorCode::kInvalidArgument, "BAD_ADDRESS", std::move(message)); }

Result<Address> UnixAddress(std::string_view path) {
  if (path.empty()) return Bad("a unix address needs a path: unix:/run/user/1000/astrolabe/astrolabed.sock");
  std::error_code ignored;
  Address out;
  out.path = std::filesystem::absolute(std::filesystem::path(path), ignored).lexically_normal().string();
  if (out.path.empty() || out.path.back() == '/') return Bad("\"" + std::string(path) + "\" names a folder");
  if (out.path.size() > kMaxSocketPath) {
    return Bad("the socket path " + out.path + " has " + std::to_string(out.path.size()) + " bytes; at most " +
               std::to_string(kMaxSocketPath) + " are possible: choose a shorter --address or --admin-address");
  }
  return out;
}

bool IsLoopback(const std::string& host) {
  if (host == "localhost") return true;
  in_addr v4;
  if (::inet_pton(AF_INET, host.c_str(), &v4) == 1) return (ntohl(v4.s_addr) >> 24) == 127;
  in6_addr v6;
  return ::inet_pton(AF_INET6, host.c_str(), &v6) == 1 && IN6_IS_ADDR_LOOPBACK(&v6);
}

Result<Address> TcpAddress(std::string_view text) {
  const size_t colon = text.rfind(':');
  std::string host(text.substr(0, colon));
  const std::string_view port = text.substr(colon + 1);
  const bool brackets = host.size() >= 2 && host.front() == '[' && host.back() == ']';
  if (brackets) host = host.substr(1, host.size() - 2);
  Address out;
  out.kind = Address::Kind::kTcp;
  const auto [end, error] = std::from_chars(port.data(), port.data() + port.size(), out.port);
  if (error != std::errc() || end != port.data() + port.size() || out.port < 0 || out.port > 65535) {
    return Bad("\"" + std::string(text) + "\": the port must be a number from 0 to 65535");
  }
  if (host.find(':') != std::string::npos && !brackets) {
    return Bad("\"" + std::string(text) + "\": write IPv6 addresses in brackets, [::1]:PORT");
  }
  if (!IsLoopback(host)) {
    return Bad("\"" + std::string(text) +
               "\" is not a loopback address: this version has no TLS and serves this machine alone. Use a unix "
               "socket, 127.0.0.1:PORT or [::1]:PORT, with an SSH tunnel for other machines");
  }
  out.host = std::move(host);
  return out;
}

}  // namespace

std::string Address::ToString() const {
  if (kind == Kind::kUnix) return "unix:" + path;
  const std::string shown = host.find(':') == std::string::npos ? host : "[" + host + "]";
  return shown + ":" + std::to_string(port);
}

Result<Address> ParseAddress(std::string_view text) {
  if (text.starts_with("unix-abstract:")) {
    return Bad("abstract sockets have no owner and no mode: use unix:PATH");
  }
  if (text.starts_with("unix://")) return UnixAddress(text.substr(7));
  if (text.starts_with("unix:")) return UnixAddress(text.substr(5));
  if (text.starts_with("/") || text.starts_with("./")) return UnixAddress(text);
  if (text.rfind(':') == std::string_view::npos) {
    return Bad("\"" + std::string(text) + "\" is no address: use unix:PATH or 127.0.0.1:PORT");
  }
  return TcpAddress(text);
}

}  // namespace astrolabe::server
