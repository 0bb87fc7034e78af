#include "daemon/worker/crash_reporter.h"

#include <execinfo.h>
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <ucontext.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cstdio>
#include <cstring>
#include <exception>
#include <new>
#include <string>

namespace astrolabe::worker {
namespace {

constexpr int kCrashSignals[] = {SIGSEGV, SIGBUS, SIGILL, SIGFPE, SIGABRT, SIGSYS};
constexpr size_t kAlternateStackSize = 128 << 10;
constexpr size_t kMaxStackScan = 256 << 10;
constexpr int kExitStatus = 70;  // EX_SOFTWARE

FrameWriter* reporter_frames = nullptr;
const StageTracker* reporter_stage = nullptr;
const CodeMap* reporter_code = nullptr;

std::atomic<bool> reported{false};
std::atomic<void (*)(void*)> out_of_memory_hook{nullptr};
std::atomic<void*> out_of_memory_arg{nullptr};

thread_local uintptr_t stack_low = 0;
thread_local uintptr_t stack_high = 0;

template <size_t N>
void Put(char (&out)[N], std::string_view text) noexcept {
  const size_t size = std::min(text.size(), N - 1);
  if (size > 0) std::memcpy(out, text.data(), size);
  out[size] = '\0';
}

std::string_view SignalName(int signal) noexcept {
  switch (signal) {
    case SIGSEGV:
      return "SIGSEGV";
    case SIGBUS:
      return "SIGBUS";
    case SIGILL:
      return "SIGILL";
    case SIGFPE:
      return "SIGFPE";
    case SIGABRT:
      return "SIGABRT";
    case SIGSYS:
      return "SIGSYS";
    case SIGALRM:
      return "SIGALRM";
    default:
      return "signal";
  }
}

void FillWhere(CrashRecord& record, const char* plugin) noexcept {
  if (const StageRecord* stage = reporter_stage->current()) {
    Put(record.plugin, stage->plugin);
    Put(record.stage, stage->stage);
  }
  if (plugin != nullptr) Put(record.plugin, plugin);
  if (const char* function = CurrentFunction()) Put(record.function, function);
}

// The first report wins; other threads that die at the same time wait for the end of the process.
void SendOnce(const CrashRecord& record) noexcept {
  if (reported.exchange(true)) {
    for (;;) ::pause();
  }
  reporter_frames->SendCrash(record);
}

uintptr_t StackPointer(const void* ucontext) noexcept {
  const auto* context = static_cast<const ucontext_t*>(ucontext);
#if defined(__x86_64__)
  return static_cast<uintptr_t>(context->uc_mcontext.gregs[REG_RSP]);
#elif defined(__aarch64__)
  return static_cast<uintptr_t>(context->uc_mcontext.sp);
#else
  return 0;
#endif
}

uintptr_t ProgramCounter(const void* ucontext) noexcept {
  const auto* context = static_cast<const ucontext_t*>(ucontext);
#if defined(__x86_64__)
  return static_cast<uintptr_t>(context->uc_mcontext.gregs[REG_RIP]);
#elif defined(__aarch64__)
  return static_cast<uintptr_t>(context->uc_mcontext.pc);
#else
  return 0;
#endif
}

// Where in a plugin's code a thread was.
struct Place {
  const CodeMap::Entry* code = nullptr;  // null: in none
  uintptr_t address = 0;
};

// The innermost plugin that the thread is in or called from, by unwinding. Words on the stack that merely look like
// return addresses, left by calls long over, do not mislead it.
Place PlaceOfFrames() noexcept {
  constexpr int kMostFrames = 64;
  void* frames[kMostFrames];
  const int count = ::backtrace(frames, kMostFrames);
  for (int i = 0; i < count; ++i) {
    const auto address = reinterpret_cast<uintptr_t>(frames[i]);
    if (const CodeMap::Entry* code = reporter_code->FindEntry(address)) return {code, address};
  }
  return {};
}

Place PlaceOfContext(const void* ucontext) noexcept {
  const uintptr_t address = ProgramCounter(ucontext);
  if (const CodeMap::Entry* code = reporter_code->FindEntry(address)) return {code, address};
  return PlaceOfFrames();
}

template <size_t N>
void Append(char (&out)[N], std::string_view text) noexcept {
  const size_t old = ::strnlen(out, N - 1);
  const size_t size = std::min(text.size(), N - 1 - old);
  if (size > 0) std::memcpy(out + old, text.data(), size);
  out[old + size] = '\0';
}

// " at 0x1139 of build 8f3c...": what a debugger needs to name the line.
template <size_t N>
void AppendPlace(char (&out)[N], const Place& place) noexcept {
  if (place.code == nullptr) return;
  char digits[2 * sizeof(uintptr_t)];
  size_t first = sizeof digits;
  for (uintptr_t left = place.address - place.code->base; left != 0 || first == sizeof digits; left >>= 4) {
    digits[--first] = "0123456789abcdef"[left & 15];
  }
  Append(out, " at 0x");
  Append(out, std::string_view(digits + first, sizeof digits - first));
  if (place.code->build_id[0] == '\0') return;
  Append(out, " of build ");
  Append(out, place.code->build_id);
}

void OnCrashSignal(int signal, siginfo_t* info, void* ucontext) {
  CrashRecord record;
  record.signal = signal;
  record.fault_address = reinterpret_cast<uint64_t>(info->si_addr);
  Put(record.code, signal == SIGALRM ? "PROBE_TIMEOUT" : "CRASHED");
  FillWhere(record, PluginOfContext(ucontext));
  const bool overflow = signal == SIGSEGV && stack_low != 0 && StackPointer(ucontext) < stack_low + 4096;
  Put(record.message, SignalName(signal));
  AppendPlace(record.message, PlaceOfContext(ucontext));
  if (overflow) Append(record.message, ": the stack is used up (endless recursion?)");
  SendOnce(record);
  ::signal(signal, SIG_DFL);
  ::raise(signal);  // delivered when this handler returns
}

void OnExit(int status, void*) {
  CrashRecord record;
  Put(record.code, "EXITED");
  const Place place = PlaceOfFrames();
  FillWhere(record, place.code != nullptr ? place.code->name : nullptr);
  std::snprintf(record.message, sizeof record.message, "exit(%d) was called", status);
  AppendPlace(record.message, place);
  SendOnce(record);
  ::_exit(status);
}

void OnQuickExit() { OnExit(0, nullptr); }

[[noreturn]] void OnTerminate() {
  std::string what = "an exception of an unknown type";
  if (const std::exception_ptr current = std::current_exception()) {
    try {
      std::rethrow_exception(current);
    } catch (const std::exception& error) {
      what = error.what();
    } catch (...) {
    }
    const char* function = ThrowingFunction();
    FailProcess("THREW", "", function != nullptr ? function : "", what);
  }
  ::abort();
}

void Handle(int signal) {
  struct sigaction action {};
  action.sa_sigaction = OnCrashSignal;
  action.sa_flags = SA_SIGINFO | SA_ONSTACK;
  sigfillset(&action.sa_mask);
  ::sigaction(signal, &action, nullptr);
}

}  // namespace

void InstallCrashReporter(FrameWriter* frames, const StageTracker* stage, const CodeMap* code) {
  reporter_frames = frames;
  reporter_stage = stage;
  reporter_code = code;
  void* frame;
  ::backtrace(&frame, 1);  // loads the unwinder now: no time for that in a signal handler
  for (int signal : kCrashSignals) Handle(signal);
  ::on_exit(OnExit, nullptr);
  ::at_quick_exit(OnQuickExit);
  std::set_terminate(OnTerminate);
}

std::span<const int> CrashSignals() { return kCrashSignals; }

void ReportAlarmAsTimeout() { Handle(SIGALRM); }

void FailProcess(std::string_view code, std::string_view plugin, std::string_view function, std::string_view message) {
  if (code == "THREW" && message.find("bad_alloc") != std::string_view::npos) {
    if (auto* hook = out_of_memory_hook.load()) hook(out_of_memory_arg.load());
  }
  CrashRecord record;
  Put(record.code, code);
  FillWhere(record, nullptr);
  if (!plugin.empty()) Put(record.plugin, plugin);
  if (!function.empty()) Put(record.function, function);
  Put(record.message, message);
  SendOnce(record);
  ::_exit(kExitStatus);
}

void SetOutOfMemoryHook(void (*hook)(void* arg), void* arg) {
  out_of_memory_arg.store(arg);
  out_of_memory_hook.store(hook);
}

ThreadCrashScope::ThreadCrashScope() {
  pthread_attr_t attributes;
  if (::pthread_getattr_np(::pthread_self(), &attributes) == 0) {
    void* low = nullptr;
    size_t size = 0;
    if (::pthread_attr_getstack(&attributes, &low, &size) == 0) {
      stack_low = reinterpret_cast<uintptr_t>(low);
      stack_high = stack_low + size;
    }
    ::pthread_attr_destroy(&attributes);
  }
  memory_ = ::mmap(nullptr, kAlternateStackSize, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (memory_ == MAP_FAILED) {
    memory_ = nullptr;
    return;
  }
  stack_t stack{};
  stack.ss_sp = memory_;
  stack.ss_size = kAlternateStackSize;
  ::sigaltstack(&stack, nullptr);
}

ThreadCrashScope::~ThreadCrashScope() {
  stack_low = 0;
  stack_high = 0;
  if (memory_ == nullptr) return;
  stack_t off{};
  off.ss_flags = SS_DISABLE;
  ::sigaltstack(&off, nullptr);
  ::munmap(memory_, kAlternateStackSize);
}

const char* PluginOfFrames(const void* ucontext) noexcept {
  const CodeMap::Entry* code = PlaceOfContext(ucontext).code;
  return code != nullptr ? code->name : nullptr;
}

const char* PluginOfContext(const void* ucontext) noexcept {
  if (const CodeMap::Entry* code = PlaceOfContext(ucontext).code) return code->name;
  const uintptr_t sp = StackPointer(ucontext);
  if (stack_high == 0 || sp < stack_low || sp >= stack_high) return nullptr;
  return reporter_code->FindOnStack(sp, std::min<uintptr_t>(stack_high, sp + kMaxStackScan));
}

}  // namespace astrolabe::worker
