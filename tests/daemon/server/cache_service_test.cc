#include "daemon/server/cache_service.h"

#include <condition_variable>
#include <mutex>
#include <thread>

#include "tests/daemon/server/cache_files.h"
#include "tests/daemon/server/harness.h"

namespace astrolabe::server {
namespace {

namespace fs = std::filesystem;

std::string Id(uint8_t first) { return CacheKeyText(CacheFiles::Key(first)); }

class CacheServiceTest : public ::testing::Test {
 protected:
  CacheServiceTest()
      : user(v1::CacheService::NewStub(h.UserChannel())), admin(v1::CacheService::NewStub(h.AdminChannel())) {}

  // Every file that the stream tells, and its end.
  grpc::Status Verify(v1::CacheService::Stub* stub, const v1::VerifyCacheFilesRequest& request,
                      std::vector<v1::CacheFile>* out) {
    grpc::ClientContext context;
    context.set_deadline(std::chrono::system_clock::now() + std::chrono::seconds(60));
    const auto reader = stub->VerifyCacheFiles(&context, request);
    v1::VerifyCacheFilesResponse response;
    while (reader->Read(&response)) out->push_back(response.file());
    return reader->Finish();
  }
  grpc::Status Delete(v1::CacheService::Stub* stub, const std::string& id) {
    grpc::ClientContext context;
    v1::DeleteCacheFileRequest request;
    request.set_id(id);
    return stub->DeleteCacheFile(&context, request, &deleted);
  }

  Harness h;
  const CacheFiles& files = h.cache_files;
  std::unique_ptr<v1::CacheService::Stub> user;
  std::unique_ptr<v1::CacheService::Stub> admin;
  v1::DeleteCacheFileResponse deleted;
};

TEST_F(CacheServiceTest, UsersListPageByPageAndSeeNoPath) {
  for (uint8_t i = 1; i <= 3; ++i) files.Make(i, 5000);
  v1::ListCacheFilesRequest request;
  request.set_page_size(2);
  std::vector<v1::CacheFile> all;
  for (;;) {
    grpc::ClientContext context;
    v1::ListCacheFilesResponse response;
    ASSERT_TRUE(user->ListCacheFiles(&context, request, &response).ok());
    EXPECT_LE(response.files_size(), 2);
    EXPECT_EQ(response.DebugString().find("/"), std::string::npos) << response.DebugString();
    all.insert(all.end(), response.files().begin(), response.files().end());
    if (response.next_page_token().empty()) break;
    request.set_page_token(response.next_page_token());
  }
  ASSERT_EQ(all.size(), 3u);
  EXPECT_EQ(all[0].id(), Id(1));
  EXPECT_EQ(all[0].heuristic(), "pdb");
  EXPECT_EQ(all[0].description(), "board 1");
  EXPECT_EQ(all[0].size_bytes(), static_cast<int64_t>(CacheFileSize(5000)));
  EXPECT_EQ(all[0].make_time().seconds(), CacheFiles::kMade.time_since_epoch() / std::chrono::seconds(1));
  EXPECT_EQ(all[0].state(), v1::CACHE_FILE_STATE_UNCHECKED);
  EXPECT_FALSE(all[0].has_check_time());
}

TEST_F(CacheServiceTest, AnEmptyCacheIsAnEmptyListAndAFolderThatCannotBeReadAnError) {
  grpc::ClientContext context;
  v1::ListCacheFilesResponse response;
  ASSERT_TRUE(user->ListCacheFiles(&context, v1::ListCacheFilesRequest(), &response).ok());
  EXPECT_EQ(response.files_size(), 0);
  std::vector<v1::CacheFile> verified;
  EXPECT_TRUE(Verify(admin.get(), v1::VerifyCacheFilesRequest(), &verified).ok());
  EXPECT_TRUE(verified.empty());
  fs::remove(files.path());
  std::ofstream(files.path()) << "no folder";
  grpc::ClientContext second;
  const grpc::Status status = user->ListCacheFiles(&second, v1::ListCacheFilesRequest(), &response);
  EXPECT_EQ(status.error_code(), grpc::StatusCode::FAILED_PRECONDITION);
  EXPECT_EQ(status.error_message().find("/"), std::string::npos) << status.error_message();
  EXPECT_EQ(Verify(admin.get(), v1::VerifyCacheFilesRequest(), &verified).error_code(),
            grpc::StatusCode::FAILED_PRECONDITION);
  fs::remove(files.path());
  fs::create_directory(files.path());
}

TEST_F(CacheServiceTest, UsersRemoveAndVerifyNothingAndAreToldWhereTo) {
  files.Make(1, 5000);
  const grpc::Status refused = Delete(user.get(), Id(1));
  EXPECT_EQ(refused.error_code(), grpc::StatusCode::PERMISSION_DENIED);
  EXPECT_NE(refused.error_message().find(".admin"), std::string::npos) << refused.error_message();
  EXPECT_TRUE(fs::exists(files.PathOf(1)));
  std::vector<v1::CacheFile> verified;
  EXPECT_EQ(Verify(user.get(), v1::VerifyCacheFilesRequest(), &verified).error_code(),
            grpc::StatusCode::PERMISSION_DENIED);
  EXPECT_TRUE(verified.empty());
}

TEST_F(CacheServiceTest, AdminsRemoveByIdAndWrongOnesAreExplained) {
  files.Make(1, 5000);
  ASSERT_TRUE(Delete(admin.get(), Id(1)).ok());
  EXPECT_EQ(deleted.file().description(), "board 1");
  EXPECT_FALSE(fs::exists(files.PathOf(1)));
  EXPECT_EQ(Delete(admin.get(), Id(1)).error_code(), grpc::StatusCode::NOT_FOUND);
  for (const std::string& id : {std::string(), std::string("ab"), "../" + std::string(61, 'a')}) {
    const grpc::Status status = Delete(admin.get(), id);
    EXPECT_EQ(status.error_code(), grpc::StatusCode::INVALID_ARGUMENT) << id;
    EXPECT_EQ(FindDetail<rpc::v1::BadRequest>(status, "BadRequest").field_violations(0).field(), "id");
  }
}

TEST_F(CacheServiceTest, VerifyTellsOfEachFileWhatItIsAndRemovesWhatIsDamaged) {
  for (uint8_t i = 1; i <= 3; ++i) files.Make(i, size_t{3} << 20);
  files.Flip(2, size_t{2} << 20);
  std::vector<v1::CacheFile> verified;
  ASSERT_TRUE(Verify(admin.get(), v1::VerifyCacheFilesRequest(), &verified).ok());
  ASSERT_EQ(verified.size(), 3u);
  EXPECT_EQ(verified[0].state(), v1::CACHE_FILE_STATE_OK);
  EXPECT_TRUE(verified[0].has_check_time());
  EXPECT_EQ(verified[1].id(), Id(2));
  EXPECT_EQ(verified[1].state(), v1::CACHE_FILE_STATE_REMOVED);
  EXPECT_EQ(verified[1].damage(), "the data is damaged");
  EXPECT_TRUE(verified[1].has_check_time());
  EXPECT_EQ(verified[2].state(), v1::CACHE_FILE_STATE_OK);
  EXPECT_FALSE(fs::exists(files.PathOf(2)));
  EXPECT_TRUE(fs::exists(files.PathOf(3)));
  grpc::ClientContext context;
  v1::ListCacheFilesResponse list;
  ASSERT_TRUE(user->ListCacheFiles(&context, v1::ListCacheFilesRequest(), &list).ok());
  EXPECT_EQ(list.files(1).state(), v1::CACHE_FILE_STATE_REMOVED);

  v1::VerifyCacheFilesRequest some;
  some.add_ids(Id(3));
  some.add_ids(Id(9));
  verified.clear();
  EXPECT_EQ(Verify(admin.get(), some, &verified).error_code(), grpc::StatusCode::NOT_FOUND);
  ASSERT_EQ(verified.size(), 1u);
  EXPECT_EQ(verified[0].id(), Id(3));
  some.add_ids("zz");
  EXPECT_EQ(Verify(admin.get(), some, &verified).error_code(), grpc::StatusCode::INVALID_ARGUMENT);
}

// The verify thread is held up by the test: meanwhile a client leaves, and others are served.
TEST_F(CacheServiceTest, AClientThatLeavesEndsTheStreamAndNobodyWaitsForIt) {
  files.Make(1, 5000);
  std::mutex mutex;
  std::condition_variable changed;
  bool go = false;
  h.verify_thread.Run([&](bool) {
    std::unique_lock lock(mutex);
    EXPECT_TRUE(changed.wait_for(lock, std::chrono::seconds(60), [&] { return go; }));
  });
  grpc::ClientContext context;
  const auto reader = admin->VerifyCacheFiles(&context, v1::VerifyCacheFilesRequest());
  ASSERT_TRUE(testing::Eventually([&] { return h.context.streams.size() == 1; }));
  grpc::ClientContext listing;
  v1::ListCacheFilesResponse list;
  EXPECT_TRUE(admin->ListCacheFiles(&listing, v1::ListCacheFilesRequest(), &list).ok());
  context.TryCancel();
  v1::VerifyCacheFilesResponse response;
  EXPECT_FALSE(reader->Read(&response));
  EXPECT_EQ(reader->Finish().error_code(), grpc::StatusCode::CANCELLED);
  {
    const std::lock_guard lock(mutex);
    go = true;
  }
  changed.notify_all();
  EXPECT_TRUE(testing::Eventually([&] { return h.context.streams.size() == 0; }));
}

TEST_F(CacheServiceTest, AStoppingServerEndsStreams) {
  files.Make(1, 5000);
  h.context.streams.AbortAll({grpc::StatusCode::UNAVAILABLE, "the server is stopping"});
  std::vector<v1::CacheFile> verified;
  EXPECT_EQ(Verify(admin.get(), v1::VerifyCacheFilesRequest(), &verified).error_code(), grpc::StatusCode::UNAVAILABLE);
  EXPECT_TRUE(verified.empty());
}

}  // namespace
}  // namespace astrolabe::server
