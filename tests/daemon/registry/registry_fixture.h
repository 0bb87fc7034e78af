// A registry whose probes are answered by the test.
#ifndef ASTROLABE_TESTS_DAEMON_REGISTRY_REGISTRY_FIXTURE_H_
#define ASTROLABE_TESTS_DAEMON_REGISTRY_REGISTRY_FIXTURE_H_

#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "daemon/registry/registry.h"
#include "tests/daemon/registry/plugin_files.h"

namespace astrolabe::registry {

class FakePool : public workers::WorkerPool {
 public:
  Result<std::unique_ptr<workers::Lease>> Acquire(std::span<const workers::PluginFile>,
                                                  workers::WorkerEvents*) override {
    return MakeError(ErrorCode::kUnavailable, "FAKE", "no workers here");
  }
  workers::ProbeOutcome Probe(const workers::PluginFile& plugin, std::string_view manifest) override {
    std::lock_guard lock(mutex);
    EXPECT_TRUE(std::filesystem::exists(plugin.path)) << "the private copy is there when it is probed";
    EXPECT_FALSE(manifest.empty());
    probed.push_back(plugin);
    return outcomes[plugin.id];
  }
  void DropIdle(const std::function<bool(const std::string&, int64_t)>& retired) override {
    std::lock_guard lock(mutex);
    is_retired = {};
    for (const workers::PluginFile& plugin : probed)
      is_retired[plugin.generation] = retired(plugin.id, plugin.generation);
  }
  void Warm(std::vector<workers::PluginFile> plugins) override {
    std::lock_guard lock(mutex);
    warm = std::move(plugins);
  }
  const internal::v1::Hello& hello() const override { return hello_; }
  workers::PoolLoad load() const override { return {}; }
  void Shutdown() override {}

  std::mutex mutex;
  std::map<std::string, workers::ProbeOutcome> outcomes;
  std::vector<workers::PluginFile> probed;
  std::map<int64_t, bool> is_retired;
  std::vector<workers::PluginFile> warm;

 private:
  internal::v1::Hello hello_;
};

class RegistryTest : public FolderTest {
 protected:
  void SetUp() override {
    FolderTest::SetUp();
    options_.plugin_dirs = {plugins_};
    options_.copy_dir = root_ + "/copies";
    options_.log = [this](std::string_view level, std::string_view text) {
      log_.push_back(std::string(level) + " " + std::string(text));
    };
    Open();
  }
  void TearDown() override {
    registry_.reset();
    FolderTest::TearDown();
  }
  void Open() {
    Result<std::unique_ptr<Registry>> registry = Registry::Create(options_, &pool_);
    ASSERT_TRUE(registry.ok()) << registry.error().message;
    registry_ = *std::move(registry);
  }

  std::string InstallPlugin(const std::string& name, const std::string& id, const std::string& heuristic,
                            const std::string& version = "1.0") {
    ManifestText text;
    text.id = id;
    text.version = version;
    text.heuristics = {heuristic};
    return Install(name, text.Bytes());
  }
  // The record of a file after a scan.
  PluginRecord Record(const std::string& path) {
    for (const PluginRecord& record : registry_->List()) {
      if (record.path == path) return record;
    }
    ADD_FAILURE() << "no record of " << path;
    return {};
  }
  int CountLogged(const std::string& part) const {
    int count = 0;
    for (const std::string& line : log_) count += line.find(part) != std::string::npos ? 1 : 0;
    return count;
  }
  PluginRecord Must(Result<PluginRecord> record) {
    EXPECT_TRUE(record.ok()) << record.error().message;
    return record.ok() ? *record : PluginRecord{};
  }

  RegistryOptions options_;
  FakePool pool_;
  std::unique_ptr<Registry> registry_;
  std::vector<std::string> log_;
};

}  // namespace astrolabe::registry

#endif  // ASTROLABE_TESTS_DAEMON_REGISTRY_REGISTRY_FIXTURE_H_
