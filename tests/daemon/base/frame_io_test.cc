#include "daemon/base/frame_io.h"

#include <gtest/gtest.h>
#include <sys/socket.h>
#include <unistd.h>

#include <thread>

#include "daemon/base/fd.h"

namespace astrolabe {
namespace {

class FrameIo : public ::testing::Test {
 protected:
  FrameIo() {
    int pair[2];
    EXPECT_EQ(::socketpair(AF_UNIX, SOCK_STREAM, 0, pair), 0);
    ours_.Reset(pair[0]);
    theirs_.Reset(pair[1]);
  }
  void SendRaw(std::string_view bytes) {
    ASSERT_EQ(::send(ours_.get(), bytes.data(), bytes.size(), 0), static_cast<ssize_t>(bytes.size()));
  }
  Fd ours_;
  Fd theirs_;
};

TEST_F(FrameIo, WhatIsWrittenIsRead) {
  const std::string_view parts[] = {"one", "", "two"};
  ASSERT_TRUE(WriteFrame(ours_.get(), FrameType::kNodeBatch, parts).ok());
  ASSERT_TRUE(WriteFrame(ours_.get(), FrameType::kToWorker, "").ok());
  const Result<Frame> first = ReadFrame(theirs_.get());
  ASSERT_TRUE(first.ok());
  EXPECT_EQ(first->type, FrameType::kNodeBatch);
  EXPECT_EQ(first->payload, "onetwo");
  const Result<Frame> second = ReadFrame(theirs_.get());
  ASSERT_TRUE(second.ok());
  EXPECT_EQ(second->type, FrameType::kToWorker);
  EXPECT_EQ(second->payload, "");
}

TEST_F(FrameIo, AFrameLargerThanTheSocketGoesThrough) {
  const std::string payload(5 << 20, 'p');
  std::thread writer([&] { EXPECT_TRUE(WriteFrame(ours_.get(), FrameType::kToDaemon, payload).ok()); });
  const Result<Frame> frame = ReadFrame(theirs_.get());
  writer.join();
  ASSERT_TRUE(frame.ok());
  EXPECT_EQ(frame->payload, payload);
}

TEST_F(FrameIo, AnEndBetweenFramesIsUnavailableAndOneInsideIsMalformed) {
  SendRaw(std::string("\5\0\0\0\1ab", 7));
  ours_.Reset();
  Result<Frame> frame = ReadFrame(theirs_.get());
  ASSERT_FALSE(frame.ok());
  EXPECT_EQ(frame.error().code, ErrorCode::kInvalidArgument);
  frame = ReadFrame(theirs_.get());
  ASSERT_FALSE(frame.ok());
  EXPECT_EQ(frame.error().code, ErrorCode::kUnavailable);
}

TEST_F(FrameIo, LengthsAndTypesAreChecked) {
  for (const std::string& bytes : {std::string("\0\0\0\0\1", 5), std::string("\xff\xff\xff\xff\1", 5),
                                   std::string("\1\0\0\0\0", 5), std::string("\1\0\0\0\5", 5)}) {
    SendRaw(bytes);
    const Result<Frame> frame = ReadFrame(theirs_.get());
    ASSERT_FALSE(frame.ok());
    EXPECT_EQ(frame.error().code, ErrorCode::kInvalidArgument);
  }
}

TEST_F(FrameIo, TooLargeAPayloadIsRefusedBeforeAByteIsSent) {
  const std::string half(kMaxFramePayload / 2 + 1, 'x');
  const std::string_view parts[] = {half, half};
  EXPECT_EQ(WriteFrame(ours_.get(), FrameType::kToDaemon, parts).error().code, ErrorCode::kInvalidArgument);
  ASSERT_TRUE(WriteFrame(ours_.get(), FrameType::kToDaemon, "next").ok());
  EXPECT_EQ(ReadFrame(theirs_.get())->payload, "next");
}

TEST_F(FrameIo, WritingToAPeerThatIsGoneIsUnavailable) {
  theirs_.Reset();
  EXPECT_EQ(WriteFrame(ours_.get(), FrameType::kToDaemon, "x").error().code, ErrorCode::kUnavailable);
}

}  // namespace
}  // namespace astrolabe
