#include "client/src/check_request.h"

#include <gtest/gtest.h>

#include "astrolabe/client/errors.h"

namespace astrolabe::client {
namespace {

TEST(CheckSize, NamesSizeAndLimit) {
  const absl::Status status = CheckSize(42'047'488, 33'554'432);
  EXPECT_EQ(status.code(), absl::StatusCode::kResourceExhausted);
  EXPECT_EQ(Reason(status), kReasonRequestTooLarge);
  EXPECT_EQ(status.message(),
            "the request has 40.1 MiB (42047488 bytes), the server takes at most 32.0 MiB (33554432 bytes) (its "
            "max_request_bytes)");
}

TEST(CheckSize, LetsTheLimitItselfPass) {
  EXPECT_TRUE(CheckSize(100, 100).ok());
  EXPECT_FALSE(CheckSize(101, 100).ok());
  EXPECT_TRUE(CheckSize(101, 0).ok()) << "0 is not known";
}

TEST(CheckText, NamesEveryTextThatIsNotUtf8) {
  JobSpec spec;
  spec.instance = "\xff";  // allowed: sent as bytes
  spec.params["goal"] = std::string("\xff");
  spec.params["fine"] = std::string("ok");
  spec.heuristics = {{"h", {}, {}}, {"\xc0", {}, {}}};
  const absl::Status status = CheckText(spec);
  EXPECT_EQ(status.code(), absl::StatusCode::kInvalidArgument);
  EXPECT_EQ(status.message(), "not UTF-8: params.goal, heuristics[1].id");
}

TEST(CheckText, TakesGoodText) {
  JobSpec spec;
  spec.params["goal"] = std::string("\xc3\xa4");
  EXPECT_TRUE(CheckText(spec).ok());
  EXPECT_TRUE(CheckText(InstanceRef{"p", "\xff", {}}).ok());
}

}  // namespace
}  // namespace astrolabe::client
