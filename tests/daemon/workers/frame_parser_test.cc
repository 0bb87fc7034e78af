#include "daemon/workers/frame_parser.h"

#include <gtest/gtest.h>

namespace astrolabe::workers {
namespace {

std::string Bytes(uint8_t type, const std::string& payload) {
  const auto length = static_cast<uint32_t>(payload.size() + 1);
  std::string bytes;
  for (int i = 0; i < 4; ++i) bytes += static_cast<char>(length >> (8 * i));
  return bytes + static_cast<char>(type) + payload;
}

TEST(FrameParser, GivesFramesWhateverPiecesTheyComeIn) {
  const std::string stream = Bytes(2, "first") + Bytes(3, "") + Bytes(2, std::string(100000, 'x')) + Bytes(4, "last");
  for (size_t piece : {size_t{1}, size_t{3}, size_t{7}, size_t{4096}, stream.size()}) {
    FrameParser parser;
    std::vector<std::string> payloads;
    std::vector<FrameType> types;
    for (size_t at = 0; at < stream.size(); at += piece) {
      parser.Append(std::string_view(stream).substr(at, piece));
      while (std::optional<Frame> frame = parser.Next()) {
        payloads.push_back(frame->payload);
        types.push_back(frame->type);
      }
    }
    EXPECT_EQ(parser.error(), "");
    ASSERT_EQ(payloads.size(), 4u) << "pieces of " << piece;
    EXPECT_EQ(payloads[0], "first");
    EXPECT_EQ(payloads[1], "");
    EXPECT_EQ(payloads[2], std::string(100000, 'x'));
    EXPECT_EQ(payloads[3], "last");
    EXPECT_EQ(types[1], FrameType::kNodeBatch);
    EXPECT_EQ(types[3], FrameType::kCrash);
  }
}

TEST(FrameParser, RefusesALengthOfZero) {
  FrameParser parser;
  parser.Append(std::string(5, '\0'));
  EXPECT_FALSE(parser.Next());
  EXPECT_EQ(parser.error(), "frame length 0 is out of range");
}

TEST(FrameParser, RefusesALengthAboveTheLimitBeforeThePayloadComes) {
  FrameParser parser;
  parser.Append(std::string("\x02\x00\x00\x04\x02", 5));  // 64 MiB + 2
  EXPECT_FALSE(parser.Next());
  EXPECT_EQ(parser.error(), "frame length 67108866 is out of range");
}

TEST(FrameParser, RefusesAFrameOfTheOtherDirection) {
  FrameParser parser;
  parser.Append(Bytes(1, "x"));
  EXPECT_FALSE(parser.Next());
  EXPECT_EQ(parser.error(), "frame type 1 is not one that a worker sends");
}

TEST(FrameParser, StaysInErrorWhateverFollows) {
  FrameParser parser;
  parser.Append(Bytes(9, "x"));
  EXPECT_FALSE(parser.Next());
  parser.Append(Bytes(2, "good"));
  EXPECT_FALSE(parser.Next());
  EXPECT_FALSE(parser.error().empty());
}

TEST(FrameParser, GivesFramesThatCameBeforeTheError) {
  FrameParser parser;
  parser.Append(Bytes(2, "good") + Bytes(200, "bad"));
  ASSERT_TRUE(parser.Next());
  EXPECT_FALSE(parser.Next());
  EXPECT_FALSE(parser.error().empty());
}

}  // namespace
}  // namespace astrolabe::workers
