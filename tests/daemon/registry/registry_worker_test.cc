// The registry with the real worker program.
#include "daemon/registry/registry.h"
#include "tests/daemon/registry/plugin_files.h"

namespace astrolabe::registry {
namespace {

class RegistryWorkerTest : public FolderTest {
 protected:
  void SetUp() override {
    FolderTest::SetUp();
    workers::PoolOptions pool_options;
    pool_options.worker_path = WORKER;
    pool_options.cache_dir = root_;
    Result<std::unique_ptr<workers::WorkerPool>> pool = workers::WorkerPool::Create(pool_options);
    ASSERT_TRUE(pool.ok()) << pool.error().message;
    pool_ = *std::move(pool);
    RegistryOptions options;
    options.plugin_dirs = {plugins_};
    options.copy_dir = root_ + "/copies";
    Result<std::unique_ptr<Registry>> registry = Registry::Create(options, pool_.get());
    ASSERT_TRUE(registry.ok()) << registry.error().message;
    registry_ = *std::move(registry);
  }

  std::unique_ptr<workers::WorkerPool> pool_;
  std::unique_ptr<Registry> registry_;
};

TEST_F(RegistryWorkerTest, LoadsAPluginInPlainC) {
  const std::string path = Install("tiny.so", Tiny("good"));
  registry_->Scan();
  Result<PluginRecord> record = registry_->Get("org.test.tiny");
  ASSERT_TRUE(record.ok()) << record.error().message;
  EXPECT_EQ(record->state, PluginState::kReady) << (record->error ? record->error->message : "");
  EXPECT_EQ(registry_->catalog()->heuristics.count("tiny"), 1u);
}

TEST_F(RegistryWorkerTest, RefusesAManifestThatDoesNotDescribeThePlugin) {
  ManifestText text;
  text.heuristics = {"another"};
  Install("tiny.so", text.Bytes());
  registry_->Scan();
  Result<PluginRecord> record = registry_->Get("org.test.tiny");
  ASSERT_TRUE(record.ok()) << record.error().message;
  EXPECT_EQ(record->state, PluginState::kFailed);
  ASSERT_TRUE(record->error.has_value());
  EXPECT_EQ(record->error->stage, "probe");
}

}  // namespace
}  // namespace astrolabe::registry
