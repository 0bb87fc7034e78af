#include "client/cli/interrupts.h"

#include <poll.h>
#include <sys/eventfd.h>
#include <sys/signalfd.h>
#include <unistd.h>

#include <csignal>
#include <cstdint>
#include <utility>

#include "client/cli/exit_code.h"

namespace astrolabe::cli {
namespace {

constexpr int kAborted = 128 + SIGINT;

sigset_t Handled() {
  sigset_t set;
  sigemptyset(&set);
  for (const int signal : {SIGINT, SIGTERM, SIGHUP}) sigaddset(&set, signal);
  return set;
}

}  // namespace

Interrupts::Interrupts() {
  const sigset_t set = Handled();
  pthread_sigmask(SIG_BLOCK, &set, nullptr);
  signals_ = signalfd(-1, &set, SFD_CLOEXEC);
  stop_ = eventfd(0, EFD_CLOEXEC);
  watcher_ = std::thread([this] { Watch(); });
}

Interrupts::~Interrupts() {
  Reset();
  const uint64_t one = 1;
  [[maybe_unused]] const ssize_t written = write(stop_, &one, sizeof one);
  watcher_.join();
  close(signals_);
  close(stop_);
  const sigset_t set = Handled();
  pthread_sigmask(SIG_UNBLOCK, &set, nullptr);
}

void Interrupts::OnFirst(std::function<void()> action) {
  const std::lock_guard lock(mutex_);
  action_ = std::move(action);
  if (requested_) Start();
}

void Interrupts::Reset() {
  std::thread runner;
  {
    const std::lock_guard lock(mutex_);
    action_ = nullptr;
    runner = std::move(runner_);
  }
  if (runner.joinable()) runner.join();
}

void Interrupts::Start() {
  if (!runner_.joinable()) runner_ = std::thread(action_);
}

void Interrupts::Watch() {
  pollfd fds[] = {{signals_, POLLIN, 0}, {stop_, POLLIN, 0}};
  while (true) {
    if (poll(fds, 2, -1) < 0) continue;
    if (fds[1].revents != 0) return;
    signalfd_siginfo info;
    if (read(signals_, &info, sizeof info) != sizeof info) continue;
    const std::lock_guard lock(mutex_);
    if (requested_) {
      constexpr char kText[] = "\nastrolabe: aborted\n";
      [[maybe_unused]] const ssize_t written = write(STDERR_FILENO, kText, sizeof kText - 1);
      _exit(kAborted);
    }
    // Nothing to print yet, nothing to ask: just end. A job that is being created ends with the connection.
    if (!action_) _exit(kExitCancelled);
    requested_ = true;
    Start();
  }
}

}  // namespace astrolabe::cli
