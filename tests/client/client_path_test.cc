// Paths that stream: ValidatePath, ReadContent, ReadPath.
#include <gtest/gtest.h>

#include <deque>

#include "astrolabe/client/client.h"
#include "astrolabe/client/errors.h"
#include "tests/client/fake_server.h"
#include "tests/support/process.h"

namespace astrolabe::client {
namespace {

using testing::FakeBehaviour;
using testing::FakeServer;

class ClientPath : public ::testing::Test {
 protected:
  Client Connect(FakeBehaviour behaviour = {}) {
    server_.reset();  // it would take the socket of the next with it
    server_ = std::make_unique<FakeServer>(folder_ / "s", std::move(behaviour));
    auto client = Client::Connect({.address = server_->address()});
    EXPECT_TRUE(client.ok()) << client.status();
    return *client;
  }
  static PathSource From(std::deque<PathPiece> pieces) {
    return [pieces](PathPiece* piece) mutable -> absl::StatusOr<bool> {
      if (pieces.empty()) return false;
      *piece = std::move(pieces.front());
      pieces.pop_front();
      return true;
    };
  }

  const InstanceRef board_ = {"sliding_tile", "1 2 0", {}};
  testing::TempFolder folder_;
  std::unique_ptr<FakeServer> server_;
};

TEST_F(ClientPath, PiecesAreSentBehindTheInstanceAndTheAnswerComesWhole) {
  std::vector<v1::ValidatePathRequest> seen;
  FakeBehaviour behaviour;
  behaviour.path_piece = [&](const v1::ValidatePathRequest& request) {
    seen.push_back(request);
    return true;
  };
  behaviour.checked_path.set_first_violation(3);
  behaviour.checked_path.set_cost(30);
  behaviour.checked_path.set_cost_scale(10);
  behaviour.checked_path.set_violation("not here");
  behaviour.checked_path.set_final_state("1 0 2");
  behaviour.checked_path.set_length(3);
  behaviour.checked_path.add_notes("a note");
  Client client = Connect(behaviour);
  const auto checked = client.ValidatePath(board_, From({{{1, 2}, {}}, {{}, {"UP"}}}));
  ASSERT_TRUE(checked.ok()) << checked.status();
  EXPECT_EQ(*checked, (CheckedPath{false, false, 30, 10, 3, "not here", "1 0 2", 3, {"a note"}}));
  ASSERT_EQ(seen.size(), 3u);
  EXPECT_EQ(seen[0].instance().problem(), "sliding_tile");
  EXPECT_EQ(seen[1].ops_size(), 2);
  EXPECT_FALSE(seen[1].has_instance());
  EXPECT_EQ(seen[2].op_names(0), "UP");
}

TEST_F(ClientPath, AServerThatHasItsAnswerIsNotSentTheRest) {
  FakeBehaviour behaviour;
  behaviour.path_piece = [](const v1::ValidatePathRequest&) { return false; };
  behaviour.checked_path.set_violation("the first");
  Client client = Connect(behaviour);
  // Without an end: only the answer can end it.
  const auto checked = client.ValidatePath(board_, [](PathPiece* piece) {
    piece->ops.assign(10'000, 7);
    return true;
  });
  ASSERT_TRUE(checked.ok()) << checked.status();
  EXPECT_EQ(checked->violation, "the first");
}

TEST_F(ClientPath, AnErrorOfTheSourceEndsTheCall) {
  Client client = Connect();
  const auto checked = client.ValidatePath(board_, [](PathPiece*) { return absl::DataLossError("no more"); });
  EXPECT_EQ(checked.status(), absl::DataLossError("no more"));
}

TEST_F(ClientPath, ErrorsOfTheServerAreTold) {
  FakeBehaviour behaviour;
  behaviour.path_piece = [](const v1::ValidatePathRequest&) { return false; };
  behaviour.path_status = testing::RichError(grpc::StatusCode::INVALID_ARGUMENT, "bad board", "INSTANCE_REJECTED",
                                             {{"instance", "4 twice"}});
  Client client = Connect(behaviour);
  const auto checked = client.ValidatePath(board_, From({{{1}, {}}}));
  EXPECT_EQ(checked.status().code(), absl::StatusCode::kInvalidArgument);
  EXPECT_EQ(FieldViolations(checked.status()).at(0).description, "4 twice");
}

TEST_F(ClientPath, WhatCannotBeSentIsAnErrorThatNamesTheMove) {
  FakeBehaviour behaviour;
  behaviour.max_request_bytes = 1000;
  Client client = Connect(behaviour);
  const auto text = client.ValidatePath(board_, From({{{}, {"UP"}}, {{}, {"UP", "\xff"}}}));
  EXPECT_EQ(Reason(text.status()), "NOT_UTF8");
  EXPECT_NE(text.status().message().find("op_names[2]"), absl::string_view::npos) << text.status();
  const auto size = client.ValidatePath(board_, From({{std::vector<uint32_t>(2000, 1), {}}}));
  EXPECT_EQ(Reason(size.status()), kReasonRequestTooLarge);
  EXPECT_EQ(Reason(client.ValidatePath({"p", std::string(2000, '1'), {}}, From({})).status()), kReasonRequestTooLarge);
}

// u32, little-endian, each.
std::string Bytes(const std::vector<uint32_t>& ops) {
  std::string bytes;
  for (const uint32_t op : ops) {
    for (int shift = 0; shift < 32; shift += 8) bytes.push_back(static_cast<char>(op >> shift));
  }
  return bytes;
}

TEST_F(ClientPath, APathIsReadWhateverItsChunks) {
  std::vector<uint32_t> path;
  for (uint32_t i = 0; i < 1000; ++i) path.push_back(i * 0x01020408u);
  const std::string bytes = Bytes(path);
  for (const size_t size : {1, 2, 3, 4, 5, 7, 64, 4000}) {
    FakeBehaviour behaviour;
    behaviour.content = [&](const v1::ReadContentRequest& request) {
      EXPECT_EQ(request.name(), "jobs/1");
      EXPECT_EQ(request.part(), v1::CONTENT_PART_PATH);
      std::vector<std::string> chunks;
      for (size_t at = 0; at < bytes.size(); at += size) chunks.push_back(bytes.substr(at, size));
      return chunks;
    };
    Client client = Connect(behaviour);
    std::vector<uint32_t> read;
    const absl::Status status = client.ReadPath("jobs/1", [&](std::span<const uint32_t> ops) {
      read.insert(read.end(), ops.begin(), ops.end());
      return true;
    });
    EXPECT_TRUE(status.ok()) << status;
    EXPECT_EQ(read, path) << "in chunks of " << size;
  }
}

TEST_F(ClientPath, APathThatEndsInsideAMoveIsAnError) {
  FakeBehaviour behaviour;
  behaviour.content = [](const v1::ReadContentRequest&) { return std::vector<std::string>{Bytes({1}) + "xy"}; };
  Client client = Connect(behaviour);
  EXPECT_EQ(client.ReadPath("jobs/1", [](std::span<const uint32_t>) { return true; }).code(),
            absl::StatusCode::kInternal);
}

TEST_F(ClientPath, AReaderMayHaveEnough) {
  FakeBehaviour behaviour;
  behaviour.content = [](const v1::ReadContentRequest& request) {
    EXPECT_EQ(request.part(), v1::CONTENT_PART_FINAL_STATE);
    return std::vector<std::string>{"ab", "cd", "ef"};
  };
  Client client = Connect(behaviour);
  std::string read;
  const absl::Status status = client.ReadContent("jobs/1", ContentPart::kFinalState, [&](std::string_view chunk) {
    read += chunk;
    return read.size() < 4;
  });
  EXPECT_TRUE(status.ok()) << status;
  EXPECT_EQ(read, "abcd");
}

TEST_F(ClientPath, ContentOfNoJobIsNotFound) {
  Client client = Connect();
  EXPECT_EQ(client.ReadContent("jobs/9", ContentPart::kPath, [](std::string_view) { return true; }).code(),
            absl::StatusCode::kNotFound);
}

}  // namespace
}  // namespace astrolabe::client
