#include "daemon/server/plugin_service.h"

#include <condition_variable>
#include <mutex>

#include "tests/daemon/server/harness.h"

namespace astrolabe::server {
namespace {

registry::PluginRecord Broken() {
  registry::PluginRecord record;
  record.id = "broken.so";
  record.path = "/opt/secret/broken.so";
  record.state = registry::PluginState::kFailed;
  registry::LoadError error;
  error.code = registry::LoadCode::kAbiTooNew;
  error.stage = "manifest";
  error.message = "/opt/secret/broken.so wants a newer host";
  error.expected = "ABI 1";
  error.found = "ABI 2";
  error.hint = "Rebuild it against this version.";
  record.error = error;
  return record;
}

class PluginTest : public ::testing::Test {
 protected:
  PluginTest()
      : user(v1::PluginService::NewStub(h.UserChannel())), admin(v1::PluginService::NewStub(h.AdminChannel())) {}
  Harness h;
  std::unique_ptr<v1::PluginService::Stub> user;
  std::unique_ptr<v1::PluginService::Stub> admin;
};

TEST_F(PluginTest, UsersReadButSeeNoPath) {
  h.registry.records.push_back(Broken());
  grpc::ClientContext context;
  v1::ListPluginsResponse response;
  ASSERT_TRUE(user->ListPlugins(&context, v1::ListPluginsRequest(), &response).ok());
  ASSERT_EQ(response.plugins_size(), 2);
  const v1::Plugin& good = response.plugins(0);
  EXPECT_EQ(good.file(), "tiles.so");
  EXPECT_EQ(good.state(), v1::PLUGIN_STATE_READY);
  EXPECT_EQ(good.sha256(), "ab12");
  EXPECT_EQ(good.generation(), 7);
  EXPECT_EQ(good.heuristics_size(), 2);
  const v1::Plugin& bad = response.plugins(1);
  EXPECT_EQ(bad.state(), v1::PLUGIN_STATE_FAILED);
  EXPECT_EQ(bad.error().code(), v1::LOAD_CODE_ABI_TOO_NEW);
  EXPECT_EQ(bad.error().message(), "broken.so wants a newer host");
  EXPECT_EQ(response.DebugString().find("/opt"), std::string::npos);
}

TEST_F(PluginTest, AdminsSeeThePath) {
  grpc::ClientContext context;
  v1::GetPluginRequest request;
  request.set_id("org.test.tiles");
  v1::GetPluginResponse response;
  ASSERT_TRUE(admin->GetPlugin(&context, request, &response).ok());
  EXPECT_EQ(response.plugin().file(), "/opt/secret place/plugins/tiles.so");
}

TEST_F(PluginTest, UsersChangeNothingAndAreToldWhereTo) {
  h.registry.on_change = [](const std::string& call) -> Result<registry::PluginRecord> {
    ADD_FAILURE() << call;
    return MakeError(ErrorCode::kInternal, "X", "x");
  };
  grpc::ClientContext load;
  v1::LoadPluginResponse loaded;
  const grpc::Status status = user->LoadPlugin(&load, v1::LoadPluginRequest(), &loaded);
  EXPECT_EQ(status.error_code(), grpc::StatusCode::PERMISSION_DENIED);
  EXPECT_NE(status.error_message().find(".admin"), std::string::npos);
  grpc::ClientContext reload;
  v1::ReloadPluginResponse reloaded;
  EXPECT_EQ(user->ReloadPlugin(&reload, v1::ReloadPluginRequest(), &reloaded).error_code(),
            grpc::StatusCode::PERMISSION_DENIED);
  grpc::ClientContext unload;
  v1::UnloadPluginResponse unloaded;
  EXPECT_EQ(user->UnloadPlugin(&unload, v1::UnloadPluginRequest(), &unloaded).error_code(),
            grpc::StatusCode::PERMISSION_DENIED);
}

TEST_F(PluginTest, AFailedLoadTellsEverythingThatIsKnown) {
  h.registry.on_change = [](const std::string&) -> Result<registry::PluginRecord> { return Broken(); };
  grpc::ClientContext context;
  v1::LoadPluginRequest request;
  request.set_name("broken");
  v1::LoadPluginResponse response;
  const grpc::Status status = admin->LoadPlugin(&context, request, &response);
  EXPECT_EQ(status.error_code(), grpc::StatusCode::FAILED_PRECONDITION);
  for (const char* part : {"ABI_TOO_NEW", "manifest", "ABI 1", "ABI 2", "Rebuild it"}) {
    EXPECT_NE(status.error_message().find(part), std::string::npos) << part << " in " << status.error_message();
  }
  const auto info = FindDetail<rpc::v1::ErrorInfo>(status, "ErrorInfo");
  EXPECT_EQ(info.reason(), "PLUGIN_LOAD_FAILED");
  EXPECT_EQ(info.metadata().at("code"), "ABI_TOO_NEW");
  EXPECT_EQ(info.metadata().at("stage"), "manifest");
  EXPECT_EQ(info.metadata().at("expected"), "ABI 1");
  EXPECT_EQ(info.metadata().at("found"), "ABI 2");
  EXPECT_EQ(info.metadata().at("hint"), "Rebuild it against this version.");
  EXPECT_EQ(h.loads.failed.load(), 1);
}

TEST_F(PluginTest, AFailedReloadSaysThatTheOldGenerationStays) {
  h.registry.on_change = [&](const std::string&) -> Result<registry::PluginRecord> {
    registry::PluginRecord record = h.registry.records.front();
    record.error = Broken().error;
    return record;
  };
  grpc::ClientContext context;
  v1::ReloadPluginRequest request;
  request.set_name("tiles");
  v1::ReloadPluginResponse response;
  const grpc::Status status = admin->ReloadPlugin(&context, request, &response);
  EXPECT_EQ(status.error_code(), grpc::StatusCode::FAILED_PRECONDITION);
  EXPECT_NE(status.error_message().find("Generation 7 of org.test.tiles stays active"), std::string::npos)
      << status.error_message();
}

TEST_F(PluginTest, ReloadWithoutANameLooksEverywhereAndTellsFailuresInTheList) {
  h.registry.records.push_back(Broken());
  grpc::ClientContext context;
  v1::ReloadPluginResponse response;
  ASSERT_TRUE(admin->ReloadPlugin(&context, v1::ReloadPluginRequest(), &response).ok());
  ASSERT_EQ(response.plugins_size(), 2);
  EXPECT_EQ(response.plugins(1).error().code(), v1::LOAD_CODE_ABI_TOO_NEW);
  EXPECT_EQ(h.loads.loaded.load(), 1);
  EXPECT_EQ(h.loads.failed.load(), 1);
}

TEST_F(PluginTest, ALoadThatBlocksHoldsUpNobodyElse) {
  std::mutex mutex;
  std::condition_variable changed;
  bool go = false;
  h.registry.on_change = [&](const std::string& call) -> Result<registry::PluginRecord> {
    std::unique_lock lock(mutex);
    EXPECT_TRUE(changed.wait_for(lock, std::chrono::seconds(20), [&] { return go; })) << call;
    return h.registry.records.front();
  };
  grpc::ClientContext slow;
  v1::LoadPluginRequest request;
  v1::LoadPluginResponse loaded;
  grpc::Status load_status;
  std::thread loading([&] { load_status = admin->LoadPlugin(&slow, request, &loaded); });
  for (int i = 0; i < 50; ++i) {
    grpc::ClientContext context;
    v1::ListPluginsResponse response;
    EXPECT_TRUE(admin->ListPlugins(&context, v1::ListPluginsRequest(), &response).ok());
  }
  {
    const std::lock_guard lock(mutex);
    go = true;
  }
  changed.notify_all();
  loading.join();
  EXPECT_TRUE(load_status.ok());
  EXPECT_EQ(loaded.plugin().id(), "org.test.tiles");
}

}  // namespace
}  // namespace astrolabe::server
