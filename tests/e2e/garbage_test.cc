// Bytes on the daemon's sockets that are no client's: nobody else notices.
#include <gtest/gtest.h>
#include <poll.h>
#include <sys/socket.h>

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <random>
#include <string>
#include <vector>

#include "daemon/base/fd.h"
#include "tests/support/background_solve.h"
#include "tests/support/live_daemon.h"
#include "tests/support/raw_socket.h"

namespace astrolabe::testing {
namespace {

constexpr char kPreface[] = "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n";
enum FrameType : uint8_t { kData = 0, kHeaders = 1, kSettings = 4, kContinuation = 9 };
constexpr uint8_t kEndHeaders = 4;

// An HTTP/2 frame (RFC 9113, section 4.1) that says it has `length` bytes of payload.
std::string Frame(uint8_t type, uint8_t flags, uint32_t stream, const std::string& payload, size_t length) {
  std::string frame;
  for (int shift = 16; shift >= 0; shift -= 8) frame.push_back(static_cast<char>(length >> shift));
  frame.push_back(static_cast<char>(type));
  frame.push_back(static_cast<char>(flags));
  for (int shift = 24; shift >= 0; shift -= 8) frame.push_back(static_cast<char>(stream >> shift));
  return frame + payload;
}
std::string Frame(uint8_t type, uint8_t flags, uint32_t stream, const std::string& payload) {
  return Frame(type, flags, stream, payload, payload.size());
}
std::string Hello() { return std::string(kPreface) + Frame(kSettings, 0, 0, ""); }

// A header, literal and unindexed (RFC 7541, section 6.2.2).
std::string Header(const std::string& name, const std::string& value) {
  const auto text = [](const std::string& bytes) {
    std::string out;
    size_t rest = bytes.size();
    out.push_back(static_cast<char>(rest < 127 ? rest : 127));
    if (rest >= 127) {
      for (rest -= 127; rest >= 128; rest >>= 7) out.push_back(static_cast<char>(rest % 128 + 128));
      out.push_back(static_cast<char>(rest));
    }
    return out + bytes;
  };
  return std::string(1, '\0') + text(name) + text(value);
}
std::string CallHeaders(const std::string& path) {
  return Header(":method", "POST") + Header(":scheme", "http") + Header(":path", path) + Header(":authority", "x") +
         Header("content-type", "application/grpc") + Header("te", "trailers");
}
// A message as gRPC frames it, that says it has `length` bytes.
std::string Message(const std::string& bytes, size_t length, char compressed = 0) {
  std::string out(1, compressed);
  for (int shift = 24; shift >= 0; shift -= 8) out.push_back(static_cast<char>(length >> shift));
  return out + bytes;
}

std::string RandomBytes(std::mt19937& random, size_t size) {
  std::string bytes(size, '\0');
  for (char& byte : bytes) byte = static_cast<char>(random());
  return bytes;
}

struct Garbage {
  std::string what;
  std::string bytes;
};

std::vector<Garbage> AllGarbage(std::mt19937& random) {
  std::vector<Garbage> all;
  for (int round = 0; round < 20; ++round) {
    const std::string noise = RandomBytes(random, 1 + random() % 5000);
    all.push_back({"noise", noise});
    all.push_back({"HTTP/1.1 and noise", "GET / HTTP/1.1\r\n\r\n" + noise});
    all.push_back({"a preface and noise", kPreface + noise});
    all.push_back({"a preface, settings and noise", Hello() + noise});
  }
  std::string frames = Hello();
  for (int type = 0; type < 12; ++type) {
    frames += Frame(static_cast<uint8_t>(type), static_cast<uint8_t>(random()), static_cast<uint32_t>(random() % 8),
                    RandomBytes(random, random() % 300));
    all.push_back({"frames up to type " + std::to_string(type), frames});
    all.push_back({"half a frame of type " + std::to_string(type),
                   Hello() + Frame(static_cast<uint8_t>(type), 0, 1, RandomBytes(random, 50), 100)});
  }
  all.push_back({"a frame of 16 MiB", Hello() + Frame(kData, 0, 1, "x", (1 << 24) - 1)});
  all.push_back({"half a preface", std::string(kPreface).substr(0, 10)});

  const std::string huge = Header("x-huge", std::string(4 << 20, 'x'));
  std::string headers = Hello() + Frame(kHeaders, 0, 1, CallHeaders("/astrolabe.v1.SolverService/Solve"));
  for (size_t at = 0; at < huge.size(); at += 16000) {
    headers += Frame(kContinuation, at + 16000 < huge.size() ? 0 : kEndHeaders, 1, huge.substr(at, 16000));
  }
  all.push_back({"headers of 4 MiB", headers});
  std::string many = Hello();
  for (uint32_t stream = 1; stream < 2000; stream += 2) many += Frame(kHeaders, 0, stream, CallHeaders("/x"));
  all.push_back({"headers that never end", many});

  for (const char* method : {"Solve", "CreateJob", "WatchJob", "ValidatePath", "NoSuchMethod"}) {
    const std::string call =
        Hello() + Frame(kHeaders, kEndHeaders, 1, CallHeaders(std::string("/astrolabe.v1.SolverService/") + method));
    const std::string noise = RandomBytes(random, 500);
    all.push_back({std::string("noise for ") + method, call + Frame(kData, 0, 1, Message(noise, noise.size()))});
    all.push_back({std::string("half a message for ") + method, call + Frame(kData, 0, 1, Message(noise, 4000))});
    all.push_back({std::string("4 GiB for ") + method, call + Frame(kData, 0, 1, Message(noise, 0xFFFFFFFF))});
    all.push_back(
        {std::string("compressed noise for ") + method, call + Frame(kData, 0, 1, Message(noise, noise.size(), 1))});
  }
  return all;
}

// As much as the daemon takes: it may hang up at any byte, or read no more.
void SendAll(int fd, std::string_view bytes) {
  while (!bytes.empty()) {
    pollfd ready{fd, POLLOUT, 0};
    if (::poll(&ready, 1, 200) <= 0) return;
    const ssize_t n = ::send(fd, bytes.data(), bytes.size(), MSG_NOSIGNAL | MSG_DONTWAIT);
    if (n < 0 && errno != EAGAIN) return;
    if (n > 0) bytes.remove_prefix(static_cast<size_t>(n));
  }
}

int DescriptorsOf(pid_t pid) {
  int count = 0;
  for ([[maybe_unused]] const auto& entry :
       std::filesystem::directory_iterator("/proc/" + std::to_string(pid) + "/fd")) {
    ++count;
  }
  return count;
}

TEST(Garbage, OnTheSocketsHarmsNobody) {
  LiveDaemon daemon;
  ExpectServes(daemon);
  const pid_t pid = daemon.process().pid();
  const int descriptors = DescriptorsOf(pid);
  std::mt19937 random(3);
  std::vector<Fd> open;
  int sent = 0;
  for (const Garbage& garbage : AllGarbage(random)) {
    SCOPED_TRACE(garbage.what);
    Fd fd = ConnectTo(daemon.socket() + (sent % 2 == 0 ? "" : ".admin"));
    ASSERT_TRUE(fd.valid()) << std::strerror(errno);
    SendAll(fd.get(), garbage.bytes);
    if (sent % 5 == 0) ::shutdown(fd.get(), SHUT_WR);
    if (sent % 3 == 0) open.push_back(std::move(fd));  // and waits for what will come
    if (++sent % 25 == 0) ExpectServes(daemon);
    ASSERT_TRUE(daemon.process().running()) << daemon.log();
  }
  ExpectServes(daemon);
  open.clear();
  EXPECT_TRUE(Eventually([&] { return DescriptorsOf(pid) <= descriptors; })) << "connections are left open";
  EXPECT_EQ(daemon.Stop(), 0) << daemon.log();
}

}  // namespace
}  // namespace astrolabe::testing
