#include "daemon/worker/process_snapshot.h"

#include <dirent.h>
#include <pthread.h>
#include <string.h>
#include <unistd.h>

#if defined(__x86_64__)
#include <xmmintrin.h>
#else
#include <fenv.h>
#endif

namespace astrolabe::worker {
namespace {

int CountEntries(const char* folder) {
  DIR* dir = ::opendir(folder);
  if (dir == nullptr) return 0;
  int count = 0;
  while (const dirent* entry = ::readdir(dir)) {
    if (entry->d_name[0] != '.') ++count;
  }
  ::closedir(dir);
  return count;
}

int CountThreads() { return CountEntries("/proc/self/task"); }
int CountDescriptors() { return CountEntries("/proc/self/fd"); }

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

// As a bit set: the C library fills only the kernel's part of a sigset_t, so its bytes cannot be compared.
std::bitset<ProcessSnapshot::kSignals> ProcessSnapshot::SignalsBlockedNow() {
  sigset_t mask;
  ::sigemptyset(&mask);
  ::pthread_sigmask(SIG_SETMASK, nullptr, &mask);
  std::bitset<kSignals> blocked;
  for (int signal = 1; signal < kSignals; ++signal) blocked[signal] = ::sigismember(&mask, signal) == 1;
  return blocked;
}

void ProcessSnapshot::Block(const std::bitset<kSignals>& blocked) {
  sigset_t mask;
  ::sigemptyset(&mask);
  for (int signal = 1; signal < kSignals; ++signal) {
    if (blocked[signal]) ::sigaddset(&mask, signal);
  }
  ::pthread_sigmask(SIG_SETMASK, &mask, nullptr);
}

ProcessSnapshot ProcessSnapshot::Take() {
  ProcessSnapshot snapshot;
  snapshot.floating_point_ = FloatingPointControl();
  for (int signal = 1; signal < kSignals; ++signal) ::sigaction(signal, nullptr, &snapshot.actions_[signal]);
  snapshot.blocked_ = SignalsBlockedNow();
  snapshot.threads_ = CountThreads();
  snapshot.descriptors_ = CountDescriptors();
  return snapshot;
}

std::vector<std::string> ProcessSnapshot::Restore() const {
  std::vector<std::string> warnings;
  for (int signal = 1; signal < kSignals; ++signal) {
    struct sigaction now {};
    if (::sigaction(signal, nullptr, &now) != 0 || SameAction(now, actions_[signal])) continue;
    ::sigaction(signal, &actions_[signal], nullptr);
    warnings.push_back("it replaced the handler of " + NameOf(signal) + "; the host's is back in place");
  }
  if (SignalsBlockedNow() != blocked_) {
    Block(blocked_);
    warnings.emplace_back("it changed the mask of blocked signals; the host's is back in place");
  }
  if (FloatingPointControl() != floating_point_) {
    SetFloatingPointControl(floating_point_);
    warnings.emplace_back(
        "it changed the floating-point mode (flush to zero, from -Ofast or -ffast-math?); the host's is back in place");
  }
  return warnings;
}

bool ProcessSnapshot::SignalsChanged() const {
  for (int signal = 1; signal < kSignals; ++signal) {
    struct sigaction now {};
    if (::sigaction(signal, nullptr, &now) == 0 && !SameAction(now, actions_[signal])) return true;
  }
  return SignalsBlockedNow() != blocked_;
}

std::vector<std::string> ProcessSnapshot::Leaks() const {
  std::vector<std::string> warnings;
  int threads = CountThreads() - threads_;
  // A joined thread stays in /proc for a moment longer.
  for (int i = 0; i < 20 && threads > 0; ++i) {
    ::usleep(1000);
    threads = CountThreads() - threads_;
  }
  if (threads > 0) warnings.push_back("it left " + std::to_string(threads) + " thread(s) running");
  const int descriptors = CountDescriptors() - descriptors_;
  if (descriptors > 0) warnings.push_back("it left " + std::to_string(descriptors) + " descriptor(s) open");
  return warnings;
}

}  // namespace astrolabe::worker
