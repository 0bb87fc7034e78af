// Keepalive as a client on the wire sees it: HTTP/2 pings without a call.
#include <poll.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include <chrono>
#include <cstring>
#include <string>

#include "daemon/base/fd.h"
#include "tests/daemon/server/harness.h"

namespace astrolabe::server {
namespace {

using Clock = std::chrono::steady_clock;
using std::chrono::milliseconds;
using std::chrono::seconds;

constexpr char kSettings = 4, kPing = 6, kGoAway = 7;
constexpr char kAck = 1;

// As much of HTTP/2 as it takes to ping.
class PingingClient {
 public:
  explicit PingingClient(const std::string& path) : socket_(::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0)) {
    sockaddr_un address = {};
    address.sun_family = AF_UNIX;
    std::memcpy(address.sun_path, path.data(), path.size());
    EXPECT_EQ(::connect(socket_.get(), reinterpret_cast<sockaddr*>(&address), sizeof address), 0);
    Send("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n");
    SendFrame(kSettings, 0, "");
  }

  void Ping() { SendFrame(kPing, 0, "12345678"); }
  int acknowledged() const { return acknowledged_; }

  // Reads until then. False when the server says that it goes away, or hangs up.
  bool ReadUntil(Clock::time_point end) {
    for (;;) {
      while (TakeFrame()) {
      }
      if (gone_) return false;
      const auto left = std::chrono::duration_cast<milliseconds>(end - Clock::now());
      if (left.count() <= 0) return true;
      pollfd ready{socket_.get(), POLLIN, 0};
      if (::poll(&ready, 1, static_cast<int>(left.count())) <= 0) continue;
      char bytes[4096];
      const ssize_t n = ::recv(socket_.get(), bytes, sizeof bytes, 0);
      if (n <= 0) return false;
      received_.append(bytes, static_cast<size_t>(n));
    }
  }

 private:
  static constexpr size_t kHeader = 9;

  void Send(const std::string& bytes) { (void)::send(socket_.get(), bytes.data(), bytes.size(), MSG_NOSIGNAL); }
  void SendFrame(char type, char flags, const std::string& payload) {
    Send(std::string("\0\0", 2) + static_cast<char>(payload.size()) + type + flags + std::string(4, '\0') + payload);
  }
  // One whole frame of what was received; false when there is none.
  bool TakeFrame() {
    if (received_.size() < kHeader) return false;
    size_t size = 0;
    for (int i = 0; i < 3; ++i) size = size << 8 | static_cast<unsigned char>(received_[static_cast<size_t>(i)]);
    if (received_.size() < kHeader + size) return false;
    const char type = received_[3];
    const bool is_ack = (received_[4] & kAck) != 0;
    const std::string payload = received_.substr(kHeader, size);
    received_.erase(0, kHeader + size);
    gone_ |= type == kGoAway;
    acknowledged_ += type == kPing && is_ack;
    if (type == kSettings && !is_ack) SendFrame(kSettings, kAck, "");
    if (type == kPing && !is_ack) SendFrame(kPing, kAck, payload);
    return true;
  }

  Fd socket_;
  std::string received_;
  int acknowledged_ = 0;
  bool gone_ = false;
};

TEST(Keepalive, AClientMayPingEveryTenSecondsWithoutACall) {
  Harness h;
  PingingClient client(h.folder / "u.sock");
  // The fourth is the first that gRPC would refuse when all came too soon.
  for (int ping = 1; ping <= 4; ++ping) {
    client.Ping();
    ASSERT_TRUE(client.ReadUntil(Clock::now() + milliseconds(10'100))) << "sent away after ping " << ping;
    EXPECT_EQ(client.acknowledged(), ping);
  }
}

TEST(Keepalive, AClientThatPingsWithoutAPauseIsSentAway) {
  Harness h;
  PingingClient client(h.folder / "u.sock");
  for (int ping = 0; ping < 5; ++ping) client.Ping();
  EXPECT_FALSE(client.ReadUntil(Clock::now() + seconds(20)));
}

}  // namespace
}  // namespace astrolabe::server
