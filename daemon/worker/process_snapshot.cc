#include "daemon/worker/process_snapshot.h"

#include <dirent.h>
#include <fcntl.h>
#include <pthread.h>
#include <string.h>
#include <unistd.h>

#include <charconv>
#include <string_view>

#include "daemon/base/fd.h"

#if defined(__x86_64__)
#include <xmmintrin.h>
#else
#include <fenv.h>
#endif

namespace astrolabe::worker {
namespace {

int CountDescriptors() {
  DIR* dir = ::opendir("/proc/self/fd");
  if (dir == nullptr) return 0;
  int count = 0;
  while (const dirent* entry = ::readdir(dir)) {
    if (entry->d_name[0] != '.') ++count;
  }
  ::closedir(dir);
  return count;
}

bool SameAction(const struct sigaction& a, const struct sigaction& b) {
  const bool info = (a.sa_flags & SA_SIGINFO) != 0;
  if (info != ((b.sa_flags & SA_SIGINFO) != 0)) return false;
  return info ? a.sa_sigaction == b.sa_sigaction : a.sa_handler == b.sa_handler;
}

std::string NameOf(int signal) {
  const char* name = ::sigabbrev_np(signal);
  return name != nullptr ? "SIG" + std::string(name) : "signal " + std::to_string(signal);
}

}  // namespace

uint32_t FloatingPointControl() {
#if defined(__x86_64__)
  return _mm_getcsr() & ~0x3Fu;
#else
  return static_cast<uint32_t>(::fegetround());
#endif
}

void SetFloatingPointControl(uint32_t control) {
#if defined(__x86_64__)
  _mm_setcsr(control);
#else
  ::fesetround(static_cast<int>(control));
#endif
}

// One read of a small file instead of a system call for each signal. Bit n - 1 is signal n.
ProcessSnapshot::Status ProcessSnapshot::ReadStatus() {
  Status status;
  const Fd file(::open("/proc/thread-self/status", O_RDONLY | O_CLOEXEC));
  std::array<char, 4096> buffer;
  const ssize_t size = ::read(file.get(), buffer.data(), buffer.size());
  const std::string_view text(buffer.data(), size > 0 ? static_cast<size_t>(size) : 0);
  const auto field = [&](std::string_view name, auto& value, int base) {
    const size_t at = text.find(name);
    if (at == std::string_view::npos) return;
    const char* begin = text.data() + at + name.size();
    while (begin < text.data() + text.size() && (*begin == ' ' || *begin == '\t')) ++begin;
    std::from_chars(begin, text.data() + text.size(), value, base);
  };
  field("\nThreads:", status.threads, 10);
  field("\nSigBlk:", status.blocked, 16);
  field("\nSigIgn:", status.ignored, 16);
  field("\nSigCgt:", status.caught, 16);
  return status;
}

ProcessSnapshot ProcessSnapshot::Take() {
  ProcessSnapshot snapshot;
  snapshot.floating_point_ = FloatingPointControl();
  snapshot.status_ = ReadStatus();
  for (int signal = 1; signal < kSignals; ++signal) {
    if (snapshot.status_.Caught(signal)) ::sigaction(signal, nullptr, &snapshot.actions_[signal]);
  }
  snapshot.descriptors_ = CountDescriptors();
  return snapshot;
}

std::vector<int> ProcessSnapshot::ChangedHandlers(const Status& now) const {
  std::vector<int> changed;
  for (int signal = 1; signal < kSignals; ++signal) {
    if (!status_.Caught(signal) && !now.Caught(signal)) {
      if (status_.Ignored(signal) != now.Ignored(signal)) changed.push_back(signal);
      continue;
    }
    struct sigaction action {};
    if (::sigaction(signal, nullptr, &action) != 0) continue;  // one of the C library's own
    if (status_.Caught(signal) != now.Caught(signal) || !SameAction(action, actions_[signal]))
      changed.push_back(signal);
  }
  return changed;
}

std::vector<std::string> ProcessSnapshot::Restore() const {
  std::vector<std::string> warnings;
  const Status now = ReadStatus();
  for (const int signal : ChangedHandlers(now)) {
    struct sigaction before = actions_[signal];
    if (!status_.Caught(signal)) before.sa_handler = status_.Ignored(signal) ? SIG_IGN : SIG_DFL;
    ::sigaction(signal, &before, nullptr);
    warnings.push_back("it replaced the handler of " + NameOf(signal) + "; the host's is back in place");
  }
  if (now.blocked != status_.blocked) {
    Block(status_);
    warnings.emplace_back("it changed the mask of blocked signals; the host's is back in place");
  }
  if (FloatingPointControl() != floating_point_) {
    SetFloatingPointControl(floating_point_);
    warnings.emplace_back(
        "it changed the floating-point mode (flush to zero, from -Ofast or -ffast-math?); the host's is back in place");
  }
  return warnings;
}

void ProcessSnapshot::Block(const Status& status) {
  sigset_t mask;
  ::sigemptyset(&mask);
  for (int signal = 1; signal < kSignals; ++signal) {
    if (status.Blocked(signal)) ::sigaddset(&mask, signal);
  }
  ::pthread_sigmask(SIG_SETMASK, &mask, nullptr);
}

bool ProcessSnapshot::SignalsChanged() const {
  const Status now = ReadStatus();
  return now.blocked != status_.blocked || !ChangedHandlers(now).empty();
}

std::vector<std::string> ProcessSnapshot::Leaks() const {
  std::vector<std::string> warnings;
  int threads = ReadStatus().threads - status_.threads;
  // A joined thread stays in /proc for a moment longer.
  for (int i = 0; i < 20 && threads > 0; ++i) {
    ::usleep(1000);
    threads = ReadStatus().threads - status_.threads;
  }
  if (threads > 0) warnings.push_back("it left " + std::to_string(threads) + " thread(s) running");
  const int descriptors = CountDescriptors() - descriptors_;
  if (descriptors > 0) warnings.push_back("it left " + std::to_string(descriptors) + " descriptor(s) open");
  return warnings;
}

}  // namespace astrolabe::worker
