// Stands in for astrolabe-worker and does, on command, what a worker must never do.
//
// The command is the job id of RunJob, the id of Probe's plugin, or the first line of the file `mode` in
// $ASTROLABE_CACHE_DIR for what happens before the first frame.
#include <fcntl.h>
#include <signal.h>
#include <sys/resource.h>
#include <unistd.h>

#include <cstdlib>
#include <cstring>
#include <fstream>
#include <random>
#include <string>
#include <thread>

#include "astrolabe/internal/v1/frames.pb.h"
#include "daemon/base/crash_record.h"
#include "daemon/base/frame_io.h"

namespace {

using astrolabe::CrashRecord;
using astrolabe::Frame;
using astrolabe::FrameType;
using astrolabe::internal::v1::ToDaemon;
using astrolabe::internal::v1::ToWorker;

constexpr int kSocket = 3;

void Send(const ToDaemon& message) {
  if (!astrolabe::WriteFrame(kSocket, FrameType::kToDaemon, message.SerializeAsString()).ok()) ::_exit(0);
}

void WriteRaw(const std::string& bytes) {
  if (::write(kSocket, bytes.data(), bytes.size()) < 0) ::_exit(0);
}

std::string Mode() {
  const char* dir = std::getenv("ASTROLABE_CACHE_DIR");
  std::string mode;
  if (dir != nullptr) std::getline(std::ifstream(std::string(dir) + "/mode") >> std::ws, mode);
  return mode;
}

void SendHello(const std::string& mode) {
  ToDaemon message;
  message.mutable_hello()->set_pid(mode == "hello-wrong-pid" ? 1 : ::getpid());
  message.mutable_hello()->set_abi_major(mode == "hello-abi-2" ? 2 : 1);
  message.mutable_hello()->add_algorithms()->set_id("fake");
  Send(message);
}

void SendResult(const std::string& text, const std::string& recycle) {
  ToDaemon message;
  message.mutable_result()->set_explanation(text);
  message.set_recycle(recycle);
  Send(message);
}

void SendStage(const std::string& plugin, const std::string& stage) {
  ToDaemon message;
  message.mutable_stage()->set_plugin(plugin);
  message.mutable_stage()->set_stage(stage);
  Send(message);
}

void SendCrash(int signal, const char* code) {
  CrashRecord record;
  record.signal = signal;
  std::strncpy(record.code, code, sizeof record.code - 1);
  std::strncpy(record.plugin, "org.test.p", sizeof record.plugin - 1);
  std::strncpy(record.function, "eval", sizeof record.function - 1);
  std::strncpy(record.message, "what() text \xff", sizeof record.message - 1);
  (void)astrolabe::WriteFrame(kSocket, FrameType::kCrash,
                              std::string_view(reinterpret_cast<const char*>(&record), sizeof record));
}

void SendNodes(int64_t first, int64_t count, const std::string& bytes) {
  char header[16];
  std::memcpy(header, &first, 8);
  std::memcpy(header + 8, &count, 8);
  const std::string_view parts[] = {std::string_view(header, sizeof header), bytes};
  (void)astrolabe::WriteFrame(kSocket, FrameType::kNodeBatch, parts);
}

[[noreturn]] void Hang() {
  for (;;) ::pause();
}

// A child of the plugin that keeps every descriptor open.
void LeaveChild() {
  if (::fork() == 0) Hang();
}

std::string OpenDescriptors() {
  std::string found;
  for (int fd = 0; fd < 64; ++fd) {
    if (::fcntl(fd, F_GETFD) >= 0) found += std::to_string(fd) + " ";
  }
  return found;
}

// Up to 4 KiB of anything, behind the header of a frame of that length every second time; then the end.
[[noreturn]] void WriteRandomBytes(unsigned seed) {
  std::mt19937 random(seed);
  std::string bytes(8 + random() % 4096, '\0');
  for (char& byte : bytes) byte = static_cast<char>(random());
  if (seed % 2 == 0) {
    const auto length = static_cast<uint32_t>(bytes.size() - 4);
    std::memcpy(bytes.data(), &length, sizeof length);
    bytes[4] = static_cast<char>(2 + seed / 2 % 3);
  }
  WriteRaw(bytes);
  ::_exit(0);
}

// Commands that jobs and probes share.
void Misbehave(const std::string& command) {
  if (command == "crash") {
    SendStage("org.test.p", "search");
    SendCrash(SIGSEGV, "CRASHED");
    ::signal(SIGSEGV, SIG_DFL);
    ::raise(SIGSEGV);
  }
  if (command == "crash-and-linger") {
    SendCrash(SIGSEGV, "CRASHED");
    Hang();
  }
  if (command == "throw") {
    SendCrash(0, "THREW");
    ::_exit(1);
  }
  if (command == "segv-silent") {
    SendStage("org.test.p", "eval");
    const rlimit none{0, 0};
    ::setrlimit(RLIMIT_CORE, &none);
    ::signal(SIGSEGV, SIG_DFL);
    ::raise(SIGSEGV);
  }
  if (command == "alarm") {
    ::alarm(1);
    Hang();
  }
  if (command == "exit") ::_exit(7);
  if (command == "exit-after-fork") {
    LeaveChild();
    ::_exit(7);
  }
  if (command == "hang") Hang();
  if (command == "garbage") WriteRaw("this is no frame at all, is it?");
  if (command == "huge-length") WriteRaw(std::string("\xff\xff\xff\x7f\x02", 5));
  if (command == "bad-proto") (void)astrolabe::WriteFrame(kSocket, FrameType::kToDaemon, "\xff\xff\xff");
  if (command == "short-crash") (void)astrolabe::WriteFrame(kSocket, FrameType::kCrash, "boo");
  if (command == "half-frame-then-segv") {
    WriteRaw(std::string("\x40\x00\x00\x00\x02half", 9));
    ::signal(SIGSEGV, SIG_DFL);
    ::raise(SIGSEGV);
  }
  if (command.rfind("random-", 0) == 0) WriteRandomBytes(static_cast<unsigned>(std::stoul(command.substr(7))));
  if (command == "close-socket") {
    ::close(kSocket);
    Hang();
  }
}

void RunJob(const std::string& command) {
  Misbehave(command);
  if (command == "print-megabyte") {
    const std::string line(99, 'x');
    for (int i = 0; i < 10000; ++i) ::dprintf(1, "%s\n", line.c_str());
  }
  if (command == "print") {
    ::dprintf(1, "to stdout\n");
    ::dprintf(2, "to stderr \xff\n");
    ::dprintf(1, "unfinished");
  }
  if (command == "nodes") {
    for (int i = 0; i < 100; ++i) SendNodes(i * 10, 10, std::string(1000, static_cast<char>('a' + i % 26)));
  }
  if (command == "bad-nodes") SendNodes(-1, 10, "x");
  if (command == "short-nodes") (void)astrolabe::WriteFrame(kSocket, FrameType::kNodeBatch, "short");
  if (command == "two-results") SendResult("first", "");
  if (command == "hello-again") SendHello("");
  if (command == "descriptors") return SendResult(OpenDescriptors(), "");
  if (command == "environment") {
    std::string all;
    for (char** entry = environ; *entry != nullptr; ++entry) all += std::string(*entry) + "\n";
    return SendResult(all, "");
  }
  if (command == "until-stop") return;  // Stop answers
  SendResult(command, command == "recycle" ? "used much memory" : "");
  if (command == "die-idle") ::_exit(9);
}

void Preload(const astrolabe::internal::v1::Preload& preload) {
  ToDaemon done;
  done.mutable_preloaded();
  for (const auto& plugin : preload.plugins()) {
    if (plugin.id() == "org.test.crash-on-load") Misbehave("crash");
    if (plugin.id() == "org.test.refused") done.mutable_preloaded()->mutable_failure()->set_code("LOAD");
    ToDaemon loaded;
    loaded.mutable_loaded()->set_id(plugin.id());
    Send(loaded);
  }
  Send(done);
}

void Probe(const astrolabe::internal::v1::Probe& probe) {
  ::dprintf(2, "probing %s\n", probe.plugin().id().c_str());
  SendStage(probe.plugin().id(), "load");
  Misbehave(probe.plugin().id());
  ToDaemon done;
  done.mutable_probed()->add_warnings("manifest of " + std::to_string(probe.manifest().size()) + " bytes");
  if (probe.plugin().id() == "refused") {
    done.mutable_probed()->set_code("INIT_FAILED");
    done.mutable_probed()->set_message("no licence");
  }
  Send(done);
  ::_exit(0);
}

}  // namespace

int main() {
  const std::string mode = Mode();
  if (mode == "exit-at-start") {
    ::dprintf(2, "cannot start: no such luck\n");
    return 3;
  }
  if (mode == "silent") Hang();
  if (mode == "garbage-at-start") WriteRaw("garbage!!garbage!!");
  SendHello(mode);
  if (mode == "deaf") Hang();
  std::string job;
  for (;;) {
    astrolabe::Result<Frame> frame = astrolabe::ReadFrame(kSocket);
    if (!frame.ok()) ::_exit(0);
    ToWorker message;
    if (!message.ParseFromString(frame->payload)) ::_exit(100);
    if (message.has_run()) {
      if (message.run().job() == "ignore-eof") Hang();
      RunJob(message.run().job());
    }
    if (message.has_preload()) Preload(message.preload());
    if (message.has_probe()) Probe(message.probe());
    if (message.has_stop()) SendResult("stopped", "");
  }
}
