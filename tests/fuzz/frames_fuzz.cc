// Fuzzes what the daemon makes of the bytes of a worker, which a plugin may have broken: the cutting into frames, the
// messages in them, and the record of a crash.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <string>
#include <string_view>
#include <vector>

#include "astrolabe/internal/v1/frames.pb.h"
#include "daemon/base/crash_record.h"
#include "daemon/jobs/run_result.h"
#include "daemon/workers/frame_parser.h"

namespace {

using astrolabe::Frame;
using astrolabe::FrameType;

std::vector<Frame> Cut(std::string_view bytes, size_t piece, std::string* error) {
  astrolabe::workers::FrameParser parser;
  std::vector<Frame> frames;
  for (size_t at = 0; at < bytes.size(); at += piece) {
    parser.Append(bytes.substr(at, piece));
    while (auto frame = parser.Next()) frames.push_back(*std::move(frame));
  }
  *error = parser.error();
  return frames;
}

void TakeResult(astrolabe::v1::Result result) {
  if (!astrolabe::jobs::CheckWorkerResult(&result)) return;
  // What passes can be sent: it fits, and every text is UTF-8, or protobuf could not read it back.
  astrolabe::v1::Result again;
  if (!again.ParseFromString(result.SerializeAsString())) std::abort();
}

void TakeCrash(std::string_view payload) {
  astrolabe::CrashRecord record;
  std::memcpy(&record, payload.data(), std::min(payload.size(), sizeof(record)));
  astrolabe::workers::WorkerExit exit;
  exit.crash = record;
  const auto result = astrolabe::jobs::FailedResult(astrolabe::jobs::ToFailure(exit), {});
  astrolabe::v1::Result again;
  if (result.explanation().empty() || !again.ParseFromString(result.SerializeAsString())) std::abort();
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const std::string_view bytes(reinterpret_cast<const char*>(data), size);
  std::string error;
  std::string error_in_pieces;
  const std::vector<Frame> frames = Cut(bytes, std::max<size_t>(size, 1), &error);
  const std::vector<Frame> in_pieces = Cut(bytes, 3, &error_in_pieces);
  if (frames.size() != in_pieces.size() || error != error_in_pieces) std::abort();
  for (const Frame& frame : frames) {
    if (frame.type == FrameType::kCrash) TakeCrash(frame.payload);
    astrolabe::internal::v1::ToDaemon message;
    if (frame.type == FrameType::kToDaemon && message.ParseFromString(frame.payload)) TakeResult(message.result());
  }
  return 0;
}
