// A program that stands in for astrolabed in tests of the command's autostart. FAKE_DAEMON tells it what to be.
#include <poll.h>
#include <sys/file.h>
#include <sys/signalfd.h>
#include <unistd.h>

#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <string>

#include "tests/client/fake_server.h"

int main(int argc, char** argv) {
  sigset_t stop;
  sigemptyset(&stop);
  sigaddset(&stop, SIGTERM);
  sigprocmask(SIG_BLOCK, &stop, nullptr);
  std::string socket;
  for (int i = 1; i + 1 < argc; ++i) {
    if (std::string(argv[i]) == "--address") socket = std::string(argv[i + 1]).substr(5);
  }
  // Every start leaves a line, with the arguments and whether the session is its own.
  std::ofstream starts(socket + ".starts", std::ios::app);
  starts << (getsid(0) == getpid() ? "own-session" : "foreign-session");
  for (int i = 1; i < argc; ++i) starts << ' ' << argv[i];
  starts << std::endl;
  const char* mode = std::getenv("FAKE_DAEMON");
  std::fprintf(stderr, "fake daemon %s\n", mode == nullptr ? "" : mode);
  if (mode != nullptr && std::string(mode) == "exit") {
    std::fprintf(stderr, "no plugins anywhere\n");
    return 3;
  }
  astrolabe::testing::FakeBehaviour behaviour;
  if (mode != nullptr && std::string(mode) == "old") behaviour.version = "0.0.9";
  if (mode != nullptr && std::string(mode) == "old-busy") {
    behaviour.version = "0.0.9";
    behaviour.running_jobs = 1;
  }
  behaviour.draining = mode != nullptr && std::string(mode) == "draining";
  astrolabe::testing::FakeServer server(socket, behaviour);
  const int fd = signalfd(-1, &stop, SFD_CLOEXEC);
  // A test that fails must not leave it behind.
  pollfd wait{fd, POLLIN, 0};
  poll(&wait, 1, 60'000);
}
