#include "daemon/server/event_envelope.h"

#include <gtest/gtest.h>

#include "astrolabe/v1/solver.pb.h"

namespace astrolabe::server {
namespace {

std::string Bytes(const grpc::ByteBuffer& buffer) {
  std::vector<grpc::Slice> slices;
  EXPECT_TRUE(buffer.Dump(&slices).ok());
  std::string out;
  for (const grpc::Slice& slice : slices) out.append(reinterpret_cast<const char*>(slice.begin()), slice.size());
  return out;
}

TEST(EventEnvelope, IsAResponseOfBothStreamsWhereverHeadEndsAndBodyBegins) {
  v1::Event event;
  event.set_job("jobs/1");
  event.set_sequence(300);
  event.mutable_log()->set_text(std::string(5000, 't'));
  const std::string encoded = event.SerializeAsString();
  for (const size_t split : {size_t{0}, size_t{1}, size_t{9}, size_t{2000}, encoded.size() - 1, encoded.size()}) {
    jobs::EncodedEvent parts{encoded.substr(0, split), std::make_shared<const std::string>(encoded.substr(split))};
    const std::string wire = Bytes(WrapEvent(parts));
    v1::SolveResponse solve;
    v1::WatchJobResponse watch;
    ASSERT_TRUE(solve.ParseFromString(wire)) << split;
    ASSERT_TRUE(watch.ParseFromString(wire)) << split;
    EXPECT_EQ(solve.event().SerializeAsString(), encoded);
    EXPECT_EQ(watch.event().SerializeAsString(), encoded);
  }
}

TEST(EventEnvelope, HasTheRightLengthAtEveryWidthOfTheVarint) {
  for (const size_t size : {0, 1, 127, 128, 16383, 16384, 2097151, 2097152}) {
    const std::string wire = Bytes(WrapEvent({std::string(size, 'h'), nullptr}));
    uint64_t length = 0;
    size_t i = 1;
    for (int shift = 0;; shift += 7) {
      length |= static_cast<uint64_t>(wire[i] & 0x7f) << shift;
      if ((wire[i++] & 0x80) == 0) break;
    }
    EXPECT_EQ(wire[0], 0x0A);
    EXPECT_EQ(length, size);
    EXPECT_EQ(wire.size(), i + size);
  }
}

TEST(EventEnvelope, SharesALargeBodyAndLetsGoOfItWithTheBuffer) {
  auto body = std::make_shared<const std::string>(100'000, 'b');
  const std::weak_ptr<const std::string> watched = body;
  {
    grpc::ByteBuffer buffer = WrapEvent({"head", body});
    EXPECT_EQ(body.use_count(), 2);
    std::vector<grpc::Slice> slices;
    ASSERT_TRUE(buffer.Dump(&slices).ok());
    EXPECT_EQ(slices.back().begin(), reinterpret_cast<const uint8_t*>(body->data()));  // not a copy
    body.reset();
    EXPECT_FALSE(watched.expired());
  }
  EXPECT_TRUE(watched.expired());
}

}  // namespace
}  // namespace astrolabe::server
