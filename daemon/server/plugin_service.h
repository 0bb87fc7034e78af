// astrolabe.v1.PluginService over the registry. One object per listener: the user's reads, the admin's
// also changes.
#ifndef ASTROLABE_DAEMON_SERVER_PLUGIN_SERVICE_H_
#define ASTROLABE_DAEMON_SERVER_PLUGIN_SERVICE_H_

#include <atomic>
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "astrolabe/v1/plugin.grpc.pb.h"
#include "daemon/registry/registry.h"
#include "daemon/server/plugin_convert.h"
#include "daemon/server/service_context.h"
#include "daemon/server/task_thread.h"

namespace astrolabe::server {

struct PluginLoadCounters {
  std::atomic<int64_t> loaded{0};
  std::atomic<int64_t> failed{0};
};

// What changing calls need; only the admin listener has it.
struct PluginAdmin {
  TaskThread* thread = nullptr;
  PluginLoadCounters* counters = nullptr;
};

class PluginService final : public v1::PluginService::CallbackService {
 public:
  // For users. `admin_hint` tells where plugins are changed, in words that hold no path.
  PluginService(ServiceContext* context, registry::Registry* registry, std::string admin_hint)
      : context_(context), registry_(registry), audience_(Audience::kUser), admin_hint_(std::move(admin_hint)) {}
  // For admins.
  PluginService(ServiceContext* context, registry::Registry* registry, PluginAdmin admin)
      : context_(context), registry_(registry), audience_(Audience::kAdmin), admin_(std::move(admin)) {}

  grpc::ServerUnaryReactor* ListPlugins(grpc::CallbackServerContext*, const v1::ListPluginsRequest*,
                                        v1::ListPluginsResponse*) override;
  grpc::ServerUnaryReactor* GetPlugin(grpc::CallbackServerContext*, const v1::GetPluginRequest*,
                                      v1::GetPluginResponse*) override;
  // A file that cannot be loaded is FAILED_PRECONDITION with everything known about it.
  grpc::ServerUnaryReactor* LoadPlugin(grpc::CallbackServerContext*, const v1::LoadPluginRequest*,
                                       v1::LoadPluginResponse*) override;
  // With a name as LoadPlugin. Without: looks through all folders and returns what it changed, failures
  // included as Plugin.error.
  grpc::ServerUnaryReactor* ReloadPlugin(grpc::CallbackServerContext*, const v1::ReloadPluginRequest*,
                                         v1::ReloadPluginResponse*) override;
  grpc::ServerUnaryReactor* UnloadPlugin(grpc::CallbackServerContext*, const v1::UnloadPluginRequest*,
                                         v1::UnloadPluginResponse*) override;

 private:
  // Runs `work` on the task thread and finishes with what it returns. Users are refused.
  grpc::ServerUnaryReactor* Change(grpc::CallbackServerContext* context, std::function<grpc::Status()> work);
  // Counts; OK and the record in *out, or why not.
  grpc::Status Settle(const Result<registry::PluginRecord>& result, v1::Plugin* out);

  ServiceContext* const context_;
  registry::Registry* const registry_;
  const Audience audience_;
  const std::string admin_hint_;
  const PluginAdmin admin_;
};

}  // namespace astrolabe::server

#endif  // ASTROLABE_DAEMON_SERVER_PLUGIN_SERVICE_H_
