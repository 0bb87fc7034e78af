#include "daemon/workers/worker_process.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <signal.h>

#include <algorithm>

namespace astrolabe::workers {
namespace {

TEST(WorkerProcess, TellsTheExitCode) {
  Fd binary(::open("/bin/false", O_RDONLY | O_CLOEXEC));
  Result<WorkerProcess> process = WorkerProcess::Start(binary.get(), {});
  ASSERT_TRUE(process.ok()) << process.error().message;
  const ExitStatus status = process->Reap();
  EXPECT_TRUE(status.known);
  EXPECT_EQ(status.exit_code, 1);
  EXPECT_EQ(status.signal, 0);
}

TEST(WorkerProcess, TellsTheSignalAndKillAfterReapIsHarmless) {
  Fd binary(::open(FAKE_WORKER, O_RDONLY | O_CLOEXEC));
  Result<WorkerProcess> process = WorkerProcess::Start(binary.get(), WorkerEnvironment(""));
  ASSERT_TRUE(process.ok()) << process.error().message;
  EXPECT_FALSE(process->Exited());
  process->Kill();
  const ExitStatus status = process->Reap();
  EXPECT_EQ(status.signal, SIGKILL);
  EXPECT_TRUE(process->Exited());
  process->Kill();
  EXPECT_FALSE(process->Reap().known);
}

TEST(WorkerProcess, SaysWhyAProgramCannotBeStarted) {
  Fd text(::open("/etc/passwd", O_RDONLY | O_CLOEXEC));
  Result<WorkerProcess> process = WorkerProcess::Start(text.get(), {});
  ASSERT_FALSE(process.ok());
  EXPECT_EQ(process.error().reason, "SPAWN_FAILED");
  EXPECT_NE(process.error().message.find("Permission denied"), std::string::npos) << process.error().message;
}

TEST(WorkerEnvironment, HasOnlyWhatWorkersNeed) {
  ::setenv("ASTROLABE_SECRET", "x", 1);
  const std::vector<std::string> environment = WorkerEnvironment("/some/cache");
  const auto has = [&](const std::string& entry) {
    return std::find(environment.begin(), environment.end(), entry) != environment.end();
  };
  EXPECT_TRUE(has("ASTROLABE_CACHE_DIR=/some/cache"));
  EXPECT_TRUE(has("MALLOC_ARENA_MAX=2"));
  EXPECT_TRUE(has(std::string("PATH=") + ::getenv("PATH")));
  EXPECT_FALSE(has("ASTROLABE_SECRET=x"));
}

}  // namespace
}  // namespace astrolabe::workers
