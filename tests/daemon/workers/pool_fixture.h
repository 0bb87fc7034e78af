// A pool of fake workers, and a listener that records what it hears.
#ifndef ASTROLABE_TESTS_DAEMON_WORKERS_POOL_FIXTURE_H_
#define ASTROLABE_TESTS_DAEMON_WORKERS_POOL_FIXTURE_H_

#include <dirent.h>
#include <gtest/gtest.h>
#include <stdlib.h>

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <filesystem>
#include <fstream>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#include "daemon/workers/worker_pool.h"

namespace astrolabe::workers {

inline constexpr std::chrono::seconds kPatience{20};

// Polls until `condition` holds. False after kPatience.
inline bool Eventually(const std::function<bool()>& condition) {
  const auto deadline = std::chrono::steady_clock::now() + kPatience;
  while (!condition()) {
    if (std::chrono::steady_clock::now() > deadline) return false;
    std::this_thread::sleep_for(std::chrono::milliseconds(2));
  }
  return true;
}

inline int CountOpenDescriptors() {
  int count = 0;
  DIR* dir = ::opendir("/proc/self/fd");
  while (::readdir(dir) != nullptr) ++count;
  ::closedir(dir);
  return count;
}

// Of all threads; zombies included.
inline int CountChildren() {
  int count = 0;
  for (const auto& task : std::filesystem::directory_iterator("/proc/self/task")) {
    std::ifstream file(task.path() / "children");
    for (int pid = 0; file >> pid;) ++count;
  }
  return count;
}

class Listener : public WorkerEvents {
 public:
  void OnMessage(internal::v1::ToDaemon message) override {
    std::function<void(const internal::v1::ToDaemon&)> hook;
    {
      std::lock_guard lock(mutex);
      EXPECT_FALSE(exit.has_value()) << "a message after OnGone";
      if (message.has_log()) logs.push_back(message.log().source() + ": " + message.log().text());
      if (message.has_result()) results.push_back(message.result().explanation());
      if (message.has_stage()) stages.push_back(message.stage().stage());
      messages.push_back(message);
      hook = on_message;
    }
    if (hook) hook(message);
    changed.notify_all();
  }
  void OnNodeBatch(int64_t first_ordinal, int64_t count, std::string batch) override {
    std::lock_guard lock(mutex);
    ordinals.push_back(first_ordinal);
    node_count += count;
    batches.push_back(std::move(batch));
  }
  void OnGone(const WorkerExit& gone) override {
    std::lock_guard lock(mutex);
    EXPECT_FALSE(exit.has_value()) << "OnGone twice";
    exit = gone;
    changed.notify_all();
  }

  // The first result, or "" when the worker is gone or nothing comes.
  std::string WaitResult() {
    std::unique_lock lock(mutex);
    changed.wait_for(lock, kPatience, [&] { return !results.empty() || exit.has_value(); });
    return results.empty() ? "" : results.front();
  }
  std::optional<WorkerExit> WaitGone() {
    std::unique_lock lock(mutex);
    changed.wait_for(lock, kPatience, [&] { return exit.has_value(); });
    return exit;
  }

  std::mutex mutex;
  std::condition_variable changed;
  std::function<void(const internal::v1::ToDaemon&)> on_message;
  std::vector<internal::v1::ToDaemon> messages;
  std::vector<std::string> logs;
  std::vector<std::string> results;
  std::vector<std::string> stages;
  std::vector<int64_t> ordinals;
  int64_t node_count = 0;
  std::vector<std::string> batches;
  std::optional<WorkerExit> exit;
};

inline PluginFile File(std::string id, int64_t generation) {
  PluginFile file;
  file.id = std::move(id);
  file.generation = generation;
  file.path = "/nowhere.so";
  return file;
}

inline internal::v1::ToWorker RunJob(const std::string& command, const std::vector<PluginFile>& plugins = {}) {
  internal::v1::ToWorker message;
  message.mutable_run()->set_job(command);
  for (const PluginFile& plugin : plugins) {
    auto* file = message.mutable_run()->add_plugins();
    file->set_id(plugin.id);
    file->set_generation(plugin.generation);
  }
  return message;
}

class PoolTest : public ::testing::Test {
 protected:
  void SetUp() override {
    char name[] = "/tmp/astrolabe-pool-XXXXXX";
    ASSERT_NE(::mkdtemp(name), nullptr);
    dir_ = name;
    options_.worker_path = FAKE_WORKER;
    options_.cache_dir = dir_;
    options_.warm_workers = 1;
    options_.max_workers = 4;
    options_.log = [this](std::string_view level, std::string_view text) {
      std::lock_guard lock(log_mutex_);
      log_.push_back(std::string(level) + " " + std::string(text));
    };
  }
  void TearDown() override {
    pool_.reset();
    EXPECT_EQ(CountChildren(), 0) << "a process or zombie is left";
    std::filesystem::remove_all(dir_);
  }

  void SetMode(const std::string& mode) { std::ofstream(dir_ + "/mode") << mode << "\n"; }
  void MakePool() {
    Result<std::unique_ptr<WorkerPool>> pool = WorkerPool::Create(options_);
    ASSERT_TRUE(pool.ok()) << pool.error().message;
    pool_ = *std::move(pool);
  }
  std::unique_ptr<Lease> Acquire(Listener* listener, const std::vector<PluginFile>& plugins = {}) {
    Result<std::unique_ptr<Lease>> lease = pool_->Acquire(plugins, listener);
    EXPECT_TRUE(lease.ok()) << lease.error().message;
    return lease.ok() ? *std::move(lease) : nullptr;
  }
  bool Logged(const std::string& part) {
    std::lock_guard lock(log_mutex_);
    for (const std::string& line : log_) {
      if (line.find(part) != std::string::npos) return true;
    }
    return false;
  }

  std::string dir_;
  PoolOptions options_;
  std::unique_ptr<WorkerPool> pool_;
  std::mutex log_mutex_;
  std::vector<std::string> log_;
};

}  // namespace astrolabe::workers

#endif  // ASTROLABE_TESTS_DAEMON_WORKERS_POOL_FIXTURE_H_
