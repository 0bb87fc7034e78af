// The double's PluginService: one plugin that is ready and one that is broken; only an admin may change them.
#ifndef ASTROLABE_TESTS_CLIENT_FAKE_PLUGINS_H_
#define ASTROLABE_TESTS_CLIENT_FAKE_PLUGINS_H_

#include <string>

#include "astrolabe/v1/plugin.grpc.pb.h"
#include "tests/client/fake_behaviour.h"
#include "tests/client/rich_error.h"

namespace astrolabe::testing {

class FakePlugins : public v1::PluginService::Service {
 public:
  FakePlugins(const FakeBehaviour* behaviour, bool admin) : behaviour_(behaviour), admin_(admin) {}

  grpc::Status ListPlugins(grpc::ServerContext*, const v1::ListPluginsRequest*,
                           v1::ListPluginsResponse* response) override {
    *response->add_plugins() = Ready("org.astrolabe.manhattan");
    *response->add_plugins() = Broken();
    return grpc::Status::OK;
  }
  grpc::Status GetPlugin(grpc::ServerContext*, const v1::GetPluginRequest* request,
                         v1::GetPluginResponse* response) override {
    *response->mutable_plugin() = Ready(request->id());
    return grpc::Status::OK;
  }
  grpc::Status LoadPlugin(grpc::ServerContext*, const v1::LoadPluginRequest* request,
                          v1::LoadPluginResponse* response) override {
    *response->mutable_plugin() = request->name() == "broken" ? Broken() : Ready(request->name());
    return Change("load", request->name());
  }
  grpc::Status ReloadPlugin(grpc::ServerContext*, const v1::ReloadPluginRequest* request,
                            v1::ReloadPluginResponse* response) override {
    *response->add_plugins() = Ready(request->name());
    return Change("reload", request->name());
  }
  grpc::Status UnloadPlugin(grpc::ServerContext*, const v1::UnloadPluginRequest* request,
                            v1::UnloadPluginResponse* response) override {
    response->mutable_plugin()->set_id(request->name());
    response->mutable_plugin()->set_state(v1::PLUGIN_STATE_UNLOADED);
    return Change("unload", request->name());
  }

 private:
  static v1::Plugin Ready(const std::string& id) {
    v1::Plugin plugin;
    plugin.set_id(id);
    plugin.set_version("1.0");
    plugin.set_state(v1::PLUGIN_STATE_READY);
    plugin.set_generation(2);
    plugin.add_heuristics("manhattan");
    return plugin;
  }
  static v1::Plugin Broken() {
    v1::Plugin plugin;
    plugin.set_id("broken.so");
    plugin.set_state(v1::PLUGIN_STATE_FAILED);
    plugin.mutable_error()->set_code(v1::LOAD_CODE_ABI_TOO_NEW);
    plugin.mutable_error()->set_stage("manifest");
    plugin.mutable_error()->set_message("it is written for a newer Astrolabe");
    plugin.mutable_error()->set_expected("ABI 1");
    plugin.mutable_error()->set_found("ABI 2");
    return plugin;
  }
  grpc::Status Change(const std::string& call, const std::string& plugin) {
    if (!admin_) return RichError(grpc::StatusCode::PERMISSION_DENIED, "only for admins", "ADMIN_ONLY");
    return behaviour_->plugin_change ? behaviour_->plugin_change(call, plugin) : grpc::Status::OK;
  }
  const FakeBehaviour* behaviour_;
  const bool admin_;
};

}  // namespace astrolabe::testing

#endif  // ASTROLABE_TESTS_CLIENT_FAKE_PLUGINS_H_
