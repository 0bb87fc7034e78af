#include "daemon/server/logging.h"

#include <grpc/support/log.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <nlohmann/json.hpp>

#include "tests/support/process.h"

namespace astrolabe::server {
namespace {

class LogTest : public ::testing::Test {
 protected:
  std::unique_ptr<Log> Make(const std::string& level, const std::string& format) {
    auto log = Log::Create({level, format, file});
    EXPECT_TRUE(log.ok());
    return std::move(*log);
  }
  std::string Text() const { return testing::ReadFile(file); }
  testing::TempFolder folder;
  const std::string file = folder / "log";
};

TEST_F(LogTest, TextIsTimeLevelAndMessageOnOneLine) {
  Make("info", "text")->Write("warning", "two\nlines\x1b[31m");
  const std::string text = Text();
  EXPECT_EQ(text.substr(4, 1), "-");
  EXPECT_EQ(text.substr(10, 1), "T");
  EXPECT_NE(text.find("Z warning two\\nlines?[31m\n"), std::string::npos) << text;
}

TEST_F(LogTest, JsonIsOneObjectALineWhateverTheBytes) {
  const auto log = Make("info", "json");
  log->Write("error", "quote \" newline \n byte \xff");
  log->Write("info", "second");
  std::istringstream lines(Text());
  std::string line;
  ASSERT_TRUE(std::getline(lines, line));
  const auto object = nlohmann::json::parse(line);
  EXPECT_EQ(object.at("level"), "error");
  EXPECT_EQ(object.at("message").get<std::string>().substr(0, 17), "quote \" newline \n");
  ASSERT_TRUE(std::getline(lines, line));
  EXPECT_EQ(nlohmann::json::parse(line).at("message"), "second");
}

TEST_F(LogTest, TheLevelFiltersAndCanBeChanged) {
  const auto log = Make("warning", "text");
  log->Write("info", "hidden");
  log->SetLevel("debug");
  log->Write("debug", "shown");
  EXPECT_EQ(Text().find("hidden"), std::string::npos);
  EXPECT_NE(Text().find("debug shown"), std::string::npos);
}

TEST_F(LogTest, ReopenFollowsARotation) {
  const auto log = Make("info", "text");
  log->Write("info", "old");
  std::filesystem::rename(file, folder / "log.1");
  log->Write("info", "still old");
  ASSERT_TRUE(log->Reopen().ok());
  log->Write("info", "new");
  EXPECT_NE(testing::ReadFile(folder / "log.1").find("still old"), std::string::npos);
  EXPECT_NE(Text().find("new"), std::string::npos);
  EXPECT_EQ(Text().find("old"), std::string::npos);
}

TEST_F(LogTest, AFileThatCannotBeOpenedIsAnError) {
  const auto log = Log::Create({"info", "text", folder / "no/such/dir"});
  ASSERT_FALSE(log.ok());
  EXPECT_NE(log.error().message.find("no/such/dir"), std::string::npos);
}

TEST_F(LogTest, GrpcsOwnMessagesComeHere) {
  const auto log = Make("info", "text");
  log->CaptureGrpc();
  gpr_set_log_verbosity(GPR_LOG_SEVERITY_ERROR);  // as grpc_init would
  gpr_log(GPR_ERROR, "from %s", "gRPC");
  EXPECT_NE(Text().find("error gRPC: from gRPC"), std::string::npos) << Text();
}

}  // namespace
}  // namespace astrolabe::server
