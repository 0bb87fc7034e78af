#include "daemon/server/cache_service.h"

#include <optional>
#include <vector>

#include "daemon/server/cache_convert.h"
#include "daemon/server/paging.h"
#include "daemon/server/unary.h"
#include "daemon/server/verify_stream.h"

namespace astrolabe::server {
namespace {

// What is wrong with `text` as an id.
Error BadId(const std::string& field, const std::string& text) {
  Error error = MakeError(ErrorCode::kInvalidArgument, "INVALID_FIELD", "");
  const std::string description =
      "expected the id of a cache file, 64 lower-case hex digits, not \"" + text.substr(0, 100) + "\"";
  error.message = field + ": " + description;
  error.violations.push_back({field, description});
  return error;
}

}  // namespace

grpc::ServerUnaryReactor* CacheService::ListCacheFiles(grpc::CallbackServerContext*,
                                                       const v1::ListCacheFilesRequest* request,
                                                       v1::ListCacheFilesResponse* response) {
  return Run([this, size = request->page_size(), token = request->page_token(), response] {
    const Result<std::vector<CacheEntry>> entries = store_->List();
    if (!entries.ok()) return ToGrpcStatus(entries.error());
    std::vector<v1::CacheFile> files;
    for (const CacheEntry& entry : *entries) files.push_back(ToProto(entry));
    return ToGrpcStatus(
        TakePage(std::move(files), size, token, response->mutable_files(), response->mutable_next_page_token()));
  });
}

grpc::ServerUnaryReactor* CacheService::DeleteCacheFile(grpc::CallbackServerContext* context,
                                                        const v1::DeleteCacheFileRequest* request,
                                                        v1::DeleteCacheFileResponse* response) {
  if (for_users()) return Answer(context, AdminOnly());
  const std::optional<CacheKey> key = ParseCacheKey(request->id());
  if (!key) return Answer(context, ToGrpcStatus(BadId("id", request->id())));
  return Run([this, key, response] {
    const Result<CacheEntry> removed = store_->Remove(*key);
    if (!removed.ok()) return ToGrpcStatus(removed.error());
    *response->mutable_file() = ToProto(*removed);
    return grpc::Status::OK;
  });
}

grpc::ServerWriteReactor<v1::VerifyCacheFilesResponse>* CacheService::VerifyCacheFiles(
    grpc::CallbackServerContext*, const v1::VerifyCacheFilesRequest* request) {
  if (for_users()) return new FailedVerifyStream(AdminOnly());
  std::optional<std::vector<CacheKey>> keys;
  for (int i = 0; i < request->ids_size(); ++i) {
    const std::optional<CacheKey> key = ParseCacheKey(request->ids(i));
    if (!key) return new FailedVerifyStream(ToGrpcStatus(BadId("ids[" + std::to_string(i) + "]", request->ids(i))));
    if (!keys) keys.emplace();
    keys->push_back(*key);
  }
  return VerifyStream::Start(context_, store_, verify_thread_, std::move(keys));
}

grpc::ServerUnaryReactor* CacheService::Run(std::function<grpc::Status()> work) {
  context_->activity.Touch();
  auto* const answer = new DeferredAnswer();
  thread_->Run([this, answer, work = std::move(work)](bool may_run) {
    if (!may_run) return answer->Give({grpc::StatusCode::UNAVAILABLE, "the server is stopping"});
    const grpc::Status status = work();
    context_->activity.Touch();
    answer->Give(status);
  });
  return answer;
}

grpc::Status CacheService::AdminOnly() const {
  return ToGrpcStatus(MakeError(ErrorCode::kPermissionDenied, "ADMIN_ONLY",
                                "cache files are removed and verified on the admin listener only: " + admin_hint_));
}

}  // namespace astrolabe::server
