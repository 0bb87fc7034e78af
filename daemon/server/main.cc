// astrolabed: the table of contents. Each step is a file of this folder.
#include <grpc/grpc.h>
#include <malloc.h>
#include <sys/stat.h>

#include <cstdio>
#include <cstdlib>
#include <string>
#include <vector>

#include "daemon/server/daemon.h"
#include "daemon/server/logging.h"
#include "daemon/server/memory_limit.h"
#include "daemon/server/options.h"
#include "daemon/server/signals.h"

namespace {

namespace server = astrolabe::server;

constexpr int kFailedToStart = 1;
constexpr int kAlreadyRunning = 7;

// Many threads have a part in each job: with the C library's own bound each gives its last pages back to the system,
// and takes them again for the next job.
constexpr int kKeptByArena = 1 << 20;

// What must be so before gRPC or any thread starts.
void PrepareProcess() {
  ::mallopt(M_TRIM_THRESHOLD, kKeptByArena);
  ::mallopt(M_MMAP_THRESHOLD, kKeptByArena);
  server::SpareAddresses();
  ::umask(077);
  ::setenv("GRPC_ENABLE_FORK_SUPPORT", "0", 1);
  server::BlockSignals();
}

int Fail(const astrolabe::Error& error) {
  std::fprintf(stderr, "astrolabed: %s\n", error.message.c_str());
  return error.reason == "DAEMON_RUNNING" ? kAlreadyRunning : kFailedToStart;
}

}  // namespace

int main(int argc, char** argv) {
  PrepareProcess();
  const std::vector<std::string> args(argv + 1, argv + argc);
  const auto read_options = [&args] { return server::ParseOptions(args, server::ProcessEnvironment); };
  server::ParsedOptions parsed = read_options();
  if (!parsed.options.has_value()) {
    std::fputs(parsed.output.c_str(), parsed.exit_code == 0 ? stdout : stderr);
    return parsed.exit_code;
  }
  const server::Options& options = *parsed.options;
  auto log = server::Log::Create({options.log_level, options.log_format, options.log_file});
  if (!log.ok()) return Fail(log.error());
  (*log)->CaptureGrpc();
  // Never given back: the last one would wait for gRPC's idle threads, for seconds, with the sockets already gone and
  // the lock still held. The process ends right after.
  ::grpc_init();

  server::Daemon daemon(options, read_options, log->get());
  if (const astrolabe::Status started = daemon.Start(); !started.ok()) return Fail(started.error());
  daemon.Run();
  return 0;
}
