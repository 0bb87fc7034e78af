// astrolabe.v1.CacheService over the cache store. One object per listener: the user's lists, the admin's also removes
// and reads files in full.
#ifndef ASTROLABE_DAEMON_SERVER_CACHE_SERVICE_H_
#define ASTROLABE_DAEMON_SERVER_CACHE_SERVICE_H_

#include <functional>
#include <string>
#include <utility>

#include "astrolabe/v1/cache.grpc.pb.h"
#include "daemon/server/cache_store.h"
#include "daemon/server/service_context.h"
#include "daemon/server/task_thread.h"

namespace astrolabe::server {

class CacheService final : public v1::CacheService::CallbackService {
 public:
  // For users: headers are read on `thread`. `admin_hint` tells where the rest is done, in words that hold no path.
  CacheService(ServiceContext* context, CacheStore* store, TaskThread* thread, std::string admin_hint)
      : context_(context), store_(store), thread_(thread), admin_hint_(std::move(admin_hint)) {}
  // For admins: whole files are read on `verify_thread`, so that nothing else waits for that.
  CacheService(ServiceContext* context, CacheStore* store, TaskThread* thread, TaskThread* verify_thread)
      : context_(context), store_(store), thread_(thread), verify_thread_(verify_thread) {}

  grpc::ServerUnaryReactor* ListCacheFiles(grpc::CallbackServerContext*, const v1::ListCacheFilesRequest*,
                                           v1::ListCacheFilesResponse*) override;
  grpc::ServerUnaryReactor* DeleteCacheFile(grpc::CallbackServerContext*, const v1::DeleteCacheFileRequest*,
                                            v1::DeleteCacheFileResponse*) override;
  grpc::ServerWriteReactor<v1::VerifyCacheFilesResponse>* VerifyCacheFiles(grpc::CallbackServerContext*,
                                                                           const v1::VerifyCacheFilesRequest*) override;

 private:
  // Runs `work` on the task thread and finishes with what it returns.
  grpc::ServerUnaryReactor* Run(std::function<grpc::Status()> work);
  bool for_users() const { return verify_thread_ == nullptr; }
  grpc::Status AdminOnly() const;

  ServiceContext* const context_;
  CacheStore* const store_;
  TaskThread* const thread_;
  TaskThread* const verify_thread_ = nullptr;
  const std::string admin_hint_;
};

}  // namespace astrolabe::server

#endif  // ASTROLABE_DAEMON_SERVER_CACHE_SERVICE_H_
