#include "daemon/worker/process_setup.h"

#include <malloc.h>
#include <pthread.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/resource.h>

#include <cstdio>
#include <memory>

#include "daemon/worker/crash_reporter.h"

namespace astrolabe::worker {
namespace {

constexpr int kMapFrom = 2 << 20;
constexpr int kKeep = 4 << 20;
constexpr size_t kStackSize = 64 << 20;
constexpr size_t kGuardSize = 1 << 20;  // one large frame must not jump over it

struct Start {
  void (*main)(void* arg);
  void* arg;
};

void* WorkThreadMain(void* raw) {
  const std::unique_ptr<Start> start(static_cast<Start*>(raw));
  const ThreadCrashScope crash_scope;
  start->main(start->arg);
  return nullptr;
}

}  // namespace

void SetUpProcess() {
  const rlimit no_core{0, 0};
  ::setrlimit(RLIMIT_CORE, &no_core);
  ::prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0);
  ::prctl(PR_SET_NAME, "astrolabe-work", 0, 0, 0);  // started by descriptor, it would be called by its number
  ::mallopt(M_ARENA_MAX, 2);
  // Kept between jobs, so that small searches do not fault in their pages again and again; larger pieces go back.
  ::mallopt(M_MMAP_THRESHOLD, kMapFrom);
  ::mallopt(M_TRIM_THRESHOLD, kKeep);
  std::setvbuf(stdout, nullptr, _IOLBF, 4096);
  sigset_t none;
  ::sigemptyset(&none);
  ::pthread_sigmask(SIG_SETMASK, &none, nullptr);
  // The parent's dispositions are not ours; SIGKILL and its like refuse, which is fine.
  for (int signal = 1; signal < NSIG; ++signal) ::signal(signal, SIG_DFL);
  ::signal(SIGPIPE, SIG_IGN);
  ::signal(SIGXFSZ, SIG_IGN);  // a file as large as the system allows is an error like a full disk
  // A terminal's Ctrl-C is for the daemon, which tells us what to do.
  ::signal(SIGINT, SIG_IGN);
  ::signal(SIGHUP, SIG_IGN);
}

std::optional<pthread_t> StartWorkThread(void (*main)(void* arg), void* arg) {
  auto start = std::make_unique<Start>(Start{main, arg});
  pthread_attr_t attributes;
  ::pthread_attr_init(&attributes);
  ::pthread_attr_setstacksize(&attributes, kStackSize);
  ::pthread_attr_setguardsize(&attributes, kGuardSize);
  pthread_t thread;
  const bool made = ::pthread_create(&thread, &attributes, WorkThreadMain, start.get()) == 0;
  ::pthread_attr_destroy(&attributes);
  if (!made) return std::nullopt;
  start.release();  // NOLINT(bugprone-unused-return-value): the thread owns it
  ::pthread_detach(thread);
  return thread;
}

}  // namespace astrolabe::worker
