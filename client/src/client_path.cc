// Client: the calls that stream a path or another content.
#include <algorithm>
#include <array>
#include <bit>
#include <cstring>
#include <utility>

#include "astrolabe/client/client.h"
#include "client/src/check_request.h"
#include "client/src/connection.h"
#include "client/src/convert_path.h"
#include "client/src/convert_spec.h"

namespace astrolabe::client {
namespace {

// The server answers within this time of the first message.
constexpr std::chrono::seconds kPathTime{60};

// Numbers out of bytes that come in chunks of any size: u32, little-endian.
class OpReader {
 public:
  explicit OpReader(const OpSink& take) : take_(take) {}

  bool Take(std::string_view chunk) {
    static_assert(std::endian::native == std::endian::little);
    if (pending_ > 0 && !Complete(chunk)) return false;
    ops_.resize(chunk.size() / sizeof(uint32_t));
    if (!ops_.empty()) std::memcpy(ops_.data(), chunk.data(), ops_.size() * sizeof(uint32_t));
    chunk.remove_prefix(ops_.size() * sizeof(uint32_t));
    std::copy(chunk.begin(), chunk.end(), bytes_.begin() + static_cast<std::ptrdiff_t>(pending_));
    pending_ += chunk.size();
    return ops_.empty() || take_(ops_);
  }
  bool whole() const { return pending_ == 0; }

 private:
  // The number that the last chunk began.
  bool Complete(std::string_view& chunk) {
    while (pending_ < sizeof(uint32_t) && !chunk.empty()) {
      bytes_[pending_++] = chunk.front();
      chunk.remove_prefix(1);
    }
    if (pending_ < sizeof(uint32_t)) return true;
    pending_ = 0;
    uint32_t op = 0;
    std::memcpy(&op, bytes_.data(), sizeof op);
    return take_({&op, 1});
  }

  const OpSink& take_;
  std::vector<uint32_t> ops_;
  std::array<char, 4> bytes_{};
  size_t pending_ = 0;
};

}  // namespace

absl::StatusOr<CheckedPath> Client::ValidatePath(const InstanceRef& instance, const PathSource& next) {
  if (const absl::Status text = CheckText(instance); !text.ok()) return text;
  grpc::ClientContext context;
  context.set_deadline(std::chrono::system_clock::now() + connection_->options.timeout + kPathTime);
  v1::ValidatePathRequest request;
  ToProto(instance, request.mutable_instance());
  if (const absl::Status size = CheckSize(request.ByteSizeLong(), connection_->info.max_request_bytes); !size.ok()) {
    return size;
  }
  v1::ValidatePathResponse response;
  const auto writer = connection_->solver->ValidatePath(&context, &response);
  absl::Status failed;
  int64_t moves = 0;
  // A server that has its answer takes no more.
  while (writer->Write(request)) {
    PathPiece piece;
    const absl::StatusOr<bool> more = next(&piece);
    if (!more.ok()) failed = more.status();
    if (!more.ok() || !*more) break;
    failed = CheckText(piece, moves);
    if (!failed.ok()) break;
    moves += static_cast<int64_t>(piece.ops.size() + piece.op_names.size());
    request.Clear();
    ToProto(std::move(piece), &request);
    failed = CheckSize(request.ByteSizeLong(), connection_->info.max_request_bytes);
    if (!failed.ok()) break;
  }
  if (!failed.ok()) {
    context.TryCancel();
  } else {
    writer->WritesDone();
  }
  const grpc::Status status = writer->Finish();
  if (!failed.ok()) return failed;
  if (!status.ok()) return FromGrpc(status, connection_->site());
  return FromProto(response);
}

absl::Status Client::ReadContent(const std::string& name, ContentPart part, const ContentSink& take) {
  grpc::ClientContext context;
  v1::ReadContentRequest request;
  request.set_name(name);
  request.set_part(static_cast<v1::ContentPart>(part));
  const auto reader = connection_->solver->ReadContent(&context, request);
  v1::ReadContentResponse response;
  bool wanted = true;
  while (wanted && reader->Read(&response)) wanted = take(response.chunk());
  if (!wanted) {
    context.TryCancel();
    while (reader->Read(&response)) {
    }
  }
  const grpc::Status status = reader->Finish();
  return wanted ? FromGrpc(status, connection_->site()) : absl::OkStatus();
}

absl::Status Client::ReadPath(const std::string& name, const OpSink& take) {
  OpReader reader(take);
  bool wanted = true;
  const absl::Status status = ReadContent(name, ContentPart::kPath, [&](std::string_view chunk) {
    wanted = reader.Take(chunk);
    return wanted;
  });
  if (!status.ok() || !wanted || reader.whole()) return status;
  return absl::InternalError("the server sent a path that ends inside a move");
}

}  // namespace astrolabe::client
