// Reloads of a plugin while jobs run through it: no job fails, every job runs one version, and nothing is left of the
// versions that are gone.
#include <gtest/gtest.h>
#include <sys/stat.h>

#include <atomic>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <mutex>
#include <optional>
#include <set>
#include <sstream>
#include <string>
#include <thread>
#include <vector>

#include "tests/support/live_daemon.h"
#include "tests/support/result_json.h"

namespace astrolabe::testing {
namespace {

namespace fs = std::filesystem;

constexpr int kClients = 8;
#ifdef ASTROLABE_SANITIZED
constexpr int kReloads = 20;
#else
constexpr int kReloads = 200;
#endif

// The fixture "counter" under another version, in manifest section and memory alike: they are the same bytes.
std::string CounterOfVersion(const std::string& version) {
  std::string bytes = ReadFile(std::string(ASTROLABE_FIXTURE_DIR) + "/counter.so");
  const std::string old = R"("version":"1.0.0")";
  const size_t at = bytes.find(old);
  EXPECT_NE(at, std::string::npos);
  return at == std::string::npos ? bytes : bytes.replace(at, old.size(), R"("version":")" + version + "\"");
}

int64_t Descriptors(pid_t pid) {
  const fs::directory_iterator open("/proc/" + std::to_string(pid) + "/fd");
  return std::distance(fs::begin(open), fs::end(open));
}

// Copies of plugins that the daemon keeps for its workers.
int64_t Copies(const std::string& state) {
  int64_t count = 0;
  std::error_code gone;  // they come and go while they are counted
  for (fs::recursive_directory_iterator entry(state, gone), end; !gone && entry != end; entry.increment(gone)) {
    count += entry->path().extension() == ".so";
  }
  return count;
}

class Reload : public ::testing::Test {
 protected:
  Reload() {
    Install("1.0.1");
    // What it keeps of jobs that have ended is not what is measured.
    daemon_.emplace(std::vector<std::string>{"--plugin-dir", folder_.path(), "--slots", std::to_string(kClients),
                                             "--event-budget", "1MiB"});
  }
  // Written aside and renamed, as installers do.
  void Install(const std::string& version) {
    std::ofstream(folder_ / "aside", std::ios::binary) << CounterOfVersion(version);
    ::chmod((folder_ / "aside").c_str(), 0755);
    fs::rename(folder_ / "aside", folder_ / "counter.so");
  }
  // More than a second, nearly all of it asleep: 600 values of h, each of which takes 2 ms.
  CommandResult Solve() const {
    return daemon_->Solve("0 900", {"--problem", "counter", "--algorithm", "astar", "--heuristic",
                                    "counter_h:eval_us=2000", "-o", "json"});
  }
  pid_t pid() { return daemon_->process().pid(); }

  TempFolder folder_;
  std::optional<LiveDaemon> daemon_;
};

TEST_F(Reload, TwoHundredReloadsDuringEightSolvesFailNoneAndLeaveNothing) {
  const int64_t copies = Copies(daemon_->folder() / "state");
  ASSERT_GT(copies, 0);
  std::atomic<bool> stop{false};
  std::mutex mutex;
  std::set<std::string> versions;
  std::set<int64_t> expanded;
  int solved = 0;
  std::vector<std::thread> clients;
  for (int c = 0; c < kClients; ++c) {
    clients.emplace_back([&] {
      while (!stop) {
        const CommandResult run = Solve();
        const ResultJson result(run);
        const std::lock_guard lock(mutex);
        EXPECT_EQ(run.exit_code, 0) << run.out << run.err;
        EXPECT_EQ(result.cost(), 300);
        expanded.insert(result.expanded());
        versions.insert(result.Text("/provenance/plugins/0/version"));
        ++solved;
      }
    });
  }
  int64_t early_kib = 0;
  int64_t early_descriptors = 0;
  for (int i = 0; i < kReloads; ++i) {
    const std::string version = i % 2 == 0 ? "1.0.2" : "1.0.1";
    Install(version);
    const CommandResult reload = daemon_->Cli({"plugin", "reload", "counter"});
    EXPECT_EQ(reload.exit_code, 0) << reload.out << reload.err;
    EXPECT_NE(reload.out.find(version), std::string::npos) << "the version that lies there: " << reload.out;
    if (i != kReloads / 4) continue;
    early_kib = ResidentKib(pid());
    early_descriptors = Descriptors(pid());
  }
  const int64_t more_kib = ResidentKib(pid()) - early_kib;
  const int64_t more_descriptors = Descriptors(pid()) - early_descriptors;
  stop = true;
  for (std::thread& client : clients) client.join();

  EXPECT_GE(solved, kClients);
  EXPECT_EQ(versions, (std::set<std::string>{"1.0.1", "1.0.2"}));
  EXPECT_EQ(expanded.size(), 1u) << "the same search under every version";
  EXPECT_LT(more_descriptors, 32);
#ifndef ASTROLABE_SANITIZED  // they keep freed memory
  EXPECT_LT(more_kib, 8 << 10);
#endif
  RecordProperty("more_kib", std::to_string(more_kib));
  EXPECT_TRUE(Eventually([&] { return Copies(daemon_->folder() / "state") <= copies + 1; }))
      << Copies(daemon_->folder() / "state") << " copies, at first " << copies;
  EXPECT_TRUE(Eventually([&] { return ChildrenOf(pid()).size() <= kClients + 2; }));
  const CommandResult last = Solve();
  EXPECT_EQ(ResultJson(last).Text("/provenance/plugins/0/version"), "1.0.1") << last.out << last.err;
}

TEST_F(Reload, ABrokenNewVersionIsToldAndTheOldOneGoesOn) {
  const std::string good = CounterOfVersion("1.0.2");
  struct Broken {
    const char* code;
    std::string bytes;
  };
  std::string other_machine = good;
  other_machine.replace(18, 2, std::string("\xf3\x00", 2));  // e_machine: RISC-V
  const std::string fixtures = std::string(ASTROLABE_FIXTURE_DIR) + "/";
  const std::vector<Broken> cases = {{"NOT_ELF", "not a library\n"},
                                     {"TRUNCATED", good.substr(0, good.size() / 2)},
                                     {"WRONG_ARCH", other_machine},
                                     {"NO_MANIFEST", ReadFile(fixtures + "no_manifest.so")},
                                     {"ABI_TOO_NEW", ReadFile(fixtures + "abi_major_2.so")},
                                     {"MISSING_SYMBOL", ReadFile(fixtures + "unknown_symbol.so")}};
  for (const Broken& broken : cases) {
    SCOPED_TRACE(broken.code);
    std::ofstream(folder_ / "aside", std::ios::binary) << broken.bytes;
    ::chmod((folder_ / "aside").c_str(), 0755);
    fs::rename(folder_ / "aside", folder_ / "counter.so");
    const CommandResult reload = daemon_->Cli({"plugin", "reload", "counter"});
    EXPECT_EQ(reload.exit_code, 6) << reload.out << reload.err;
    EXPECT_NE(reload.err.find(broken.code), std::string::npos) << reload.err;
    const CommandResult run = Solve();
    EXPECT_EQ(run.exit_code, 0) << run.out << run.err;
    EXPECT_EQ(ResultJson(run).Text("/provenance/plugins/0/version"), "1.0.1");
  }
}

}  // namespace
}  // namespace astrolabe::testing
