#include "daemon/server/plugin_service.h"

#include <utility>

#include "daemon/server/paging.h"
#include "daemon/server/unary.h"

namespace astrolabe::server {

grpc::ServerUnaryReactor* PluginService::ListPlugins(grpc::CallbackServerContext* context,
                                                     const v1::ListPluginsRequest* request,
                                                     v1::ListPluginsResponse* response) {
  context_->activity.Touch();
  std::vector<v1::Plugin> all;
  for (const registry::PluginRecord& record : registry_->List()) all.push_back(ToProto(record, audience_));
  return Answer(context, ToGrpcStatus(TakePage(std::move(all), request->page_size(), request->page_token(),
                                               response->mutable_plugins(), response->mutable_next_page_token())));
}

grpc::ServerUnaryReactor* PluginService::GetPlugin(grpc::CallbackServerContext* context,
                                                   const v1::GetPluginRequest* request,
                                                   v1::GetPluginResponse* response) {
  context_->activity.Touch();
  return Answer(context, registry_->Get(request->id()), [&](const registry::PluginRecord& record) {
    *response->mutable_plugin() = ToProto(record, audience_);
  });
}

grpc::ServerUnaryReactor* PluginService::LoadPlugin(grpc::CallbackServerContext* context,
                                                    const v1::LoadPluginRequest* request,
                                                    v1::LoadPluginResponse* response) {
  return Change(context, [this, name = request->name(), response] {
    return Settle(registry_->Load(name), response->mutable_plugin());
  });
}

grpc::ServerUnaryReactor* PluginService::ReloadPlugin(grpc::CallbackServerContext* context,
                                                      const v1::ReloadPluginRequest* request,
                                                      v1::ReloadPluginResponse* response) {
  return Change(context, [this, name = request->name(), response] {
    if (!name.empty()) return Settle(registry_->Reload(name), response->add_plugins());
    for (const registry::PluginRecord& record : registry_->Scan()) {
      (record.error ? admin_.counters->failed : admin_.counters->loaded).fetch_add(1, std::memory_order_relaxed);
      *response->add_plugins() = ToProto(record, audience_);
    }
    return grpc::Status::OK;
  });
}

grpc::ServerUnaryReactor* PluginService::UnloadPlugin(grpc::CallbackServerContext* context,
                                                      const v1::UnloadPluginRequest* request,
                                                      v1::UnloadPluginResponse* response) {
  return Change(context, [this, name = request->name(), response] {
    const Result<registry::PluginRecord> record = registry_->Unload(name);
    if (!record.ok()) return ToGrpcStatus(record.error());
    *response->mutable_plugin() = ToProto(*record, audience_);
    return grpc::Status::OK;
  });
}

grpc::ServerUnaryReactor* PluginService::Change(grpc::CallbackServerContext* context,
                                                std::function<grpc::Status()> work) {
  context_->activity.Touch();
  if (audience_ == Audience::kUser) {
    return Answer(context, ToGrpcStatus(MakeError(ErrorCode::kPermissionDenied, "ADMIN_ONLY",
                                                  "plugins are changed on the admin listener only: " + admin_hint_)));
  }
  auto* const answer = new DeferredAnswer();
  admin_.thread->Run([this, answer, work = std::move(work)](bool may_run) {
    if (!may_run) return answer->Give({grpc::StatusCode::UNAVAILABLE, "the server is stopping"});
    const grpc::Status status = work();
    context_->activity.Touch();
    answer->Give(status);
  });
  return answer;
}

grpc::Status PluginService::Settle(const Result<registry::PluginRecord>& result, v1::Plugin* out) {
  const bool loaded = result.ok() && !result->error.has_value();
  (loaded ? admin_.counters->loaded : admin_.counters->failed).fetch_add(1, std::memory_order_relaxed);
  if (!result.ok()) return ToGrpcStatus(result.error());
  if (result->error.has_value()) return ToGrpcStatus(LoadFailure(*result));
  *out = ToProto(*result, audience_);
  return grpc::Status::OK;
}

}  // namespace astrolabe::server
