#include "daemon/server/signals.h"

#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <sys/eventfd.h>
#include <sys/signalfd.h>
#include <unistd.h>

#include <cerrno>
#include <cstdint>
#include <cstring>
#include <utility>

namespace astrolabe::server {
namespace {

sigset_t HandledSignals() {
  sigset_t set;
  sigemptyset(&set);
  sigaddset(&set, SIGTERM);
  sigaddset(&set, SIGINT);
  sigaddset(&set, SIGHUP);
  return set;
}

}  // namespace

void BlockSignals() {
  const sigset_t set = HandledSignals();
  pthread_sigmask(SIG_BLOCK, &set, nullptr);
  ::signal(SIGPIPE, SIG_IGN);
  ::signal(SIGXFSZ, SIG_IGN);
}

Result<std::unique_ptr<SignalThread>> SignalThread::Start(Handlers handlers) {
  const sigset_t set = HandledSignals();
  Fd signals(::signalfd(-1, &set, SFD_CLOEXEC | SFD_NONBLOCK));
  Fd stop(::eventfd(0, EFD_CLOEXEC));
  if (!signals.valid() || !stop.valid()) {
    return MakeError(ErrorCode::kInternal, "SIGNALS", std::string("cannot receive signals: ") + std::strerror(errno));
  }
  return std::unique_ptr<SignalThread>(new SignalThread(std::move(handlers), std::move(signals), std::move(stop)));
}

SignalThread::SignalThread(Handlers handlers, Fd signals, Fd stop)
    : handlers_(std::move(handlers)),
      signals_(std::move(signals)),
      stop_(std::move(stop)),
      thread_([this] { Loop(); }) {}

SignalThread::~SignalThread() {
  const uint64_t one = 1;
  [[maybe_unused]] const ssize_t written = ::write(stop_.get(), &one, sizeof one);
  thread_.join();
}

void SignalThread::Loop() {
  int stops = 0;
  for (;;) {
    pollfd fds[] = {{signals_.get(), POLLIN, 0}, {stop_.get(), POLLIN, 0}};
    if (::poll(fds, 2, -1) < 0) continue;
    if (fds[1].revents != 0) return;
    signalfd_siginfo info;
    while (::read(signals_.get(), &info, sizeof info) == static_cast<ssize_t>(sizeof info)) {
      if (info.ssi_signo == SIGHUP) {
        handlers_.on_hangup();
      } else {
        handlers_.on_stop(++stops);
      }
    }
  }
}

}  // namespace astrolabe::server
