// The plugin cache part of Client.
#include "astrolabe/client/client.h"
#include "client/src/connection.h"
#include "client/src/convert_cache.h"

namespace astrolabe::client {
namespace {

using Cache = v1::CacheService::Stub;

}  // namespace

absl::StatusOr<std::vector<CacheFile>> Client::ListCacheFiles() {
  std::vector<CacheFile> files;
  v1::ListCacheFilesRequest request;
  do {
    v1::ListCacheFilesResponse response;
    const absl::Status status =
        connection_->Call(connection_->site(), connection_->cache.get(), &Cache::ListCacheFiles, request, &response);
    if (!status.ok()) return status;
    for (const v1::CacheFile& file : response.files()) files.push_back(FromProto(file));
    request.set_page_token(response.next_page_token());
  } while (!request.page_token().empty());
  return files;
}

absl::StatusOr<CacheFile> Client::DeleteCacheFile(const std::string& id) {
  v1::DeleteCacheFileRequest request;
  request.set_id(id);
  v1::DeleteCacheFileResponse response;
  const absl::Status status = connection_->Call(connection_->admin_site(), connection_->AdminCache(),
                                                &Cache::DeleteCacheFile, request, &response);
  if (!status.ok()) return status;
  return FromProto(response.file());
}

absl::Status Client::VerifyCacheFiles(const std::vector<std::string>& ids,
                                      const std::function<void(const CacheFile&)>& each) {
  v1::VerifyCacheFilesRequest request;
  for (const std::string& id : ids) request.add_ids(id);
  // Without a deadline: it takes as long as the disk needs.
  grpc::ClientContext context;
  const auto reader = connection_->AdminCache()->VerifyCacheFiles(&context, request);
  v1::VerifyCacheFilesResponse response;
  while (reader->Read(&response)) each(FromProto(response.file()));
  return FromGrpc(reader->Finish(), {connection_->options.admin_address, std::chrono::milliseconds(0)});
}

}  // namespace astrolabe::client
