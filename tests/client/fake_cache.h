// The double's CacheService.
#ifndef ASTROLABE_TESTS_CLIENT_FAKE_CACHE_H_
#define ASTROLABE_TESTS_CLIENT_FAKE_CACHE_H_

#include <string>
#include <vector>

#include "astrolabe/v1/cache.grpc.pb.h"
#include "tests/client/fake_behaviour.h"
#include "tests/client/rich_error.h"

namespace astrolabe::testing {

// The files of the behaviour, in pages of one.
class FakeCache : public v1::CacheService::Service {
 public:
  FakeCache(const FakeBehaviour* behaviour, bool admin) : behaviour_(behaviour), admin_(admin) {}

  grpc::Status ListCacheFiles(grpc::ServerContext*, const v1::ListCacheFilesRequest* request,
                              v1::ListCacheFilesResponse* response) override {
    const size_t at = request->page_token().empty() ? 0 : std::stoul(request->page_token());
    if (at < behaviour_->cache_files.size()) *response->add_files() = behaviour_->cache_files[at];
    if (at + 1 < behaviour_->cache_files.size()) response->set_next_page_token(std::to_string(at + 1));
    return grpc::Status::OK;
  }
  grpc::Status DeleteCacheFile(grpc::ServerContext*, const v1::DeleteCacheFileRequest* request,
                               v1::DeleteCacheFileResponse* response) override {
    if (!admin_) return RichError(grpc::StatusCode::PERMISSION_DENIED, "only for admins", "ADMIN_ONLY");
    const v1::CacheFile* file = Find(request->id());
    if (file == nullptr) return NoFile(request->id());
    *response->mutable_file() = *file;
    return grpc::Status::OK;
  }
  grpc::Status VerifyCacheFiles(grpc::ServerContext*, const v1::VerifyCacheFilesRequest* request,
                                grpc::ServerWriter<v1::VerifyCacheFilesResponse>* writer) override {
    if (!admin_) return RichError(grpc::StatusCode::PERMISSION_DENIED, "only for admins", "ADMIN_ONLY");
    std::vector<std::string> ids(request->ids().begin(), request->ids().end());
    if (ids.empty()) {
      for (const v1::CacheFile& file : behaviour_->cache_files) ids.push_back(file.id());
    }
    for (const std::string& id : ids) {
      const v1::CacheFile* file = Find(id);
      if (file == nullptr) return NoFile(id);
      v1::VerifyCacheFilesResponse response;
      *response.mutable_file() = *file;
      writer->Write(response);
    }
    return grpc::Status::OK;
  }

 private:
  const v1::CacheFile* Find(const std::string& id) const {
    for (const v1::CacheFile& file : behaviour_->cache_files) {
      if (file.id() == id) return &file;
    }
    return nullptr;
  }
  static grpc::Status NoFile(const std::string& id) {
    return RichError(grpc::StatusCode::NOT_FOUND, "there is no cache file " + id, "UNKNOWN_CACHE_FILE");
  }
  const FakeBehaviour* behaviour_;
  const bool admin_;
};

}  // namespace astrolabe::testing

#endif  // ASTROLABE_TESTS_CLIENT_FAKE_CACHE_H_
