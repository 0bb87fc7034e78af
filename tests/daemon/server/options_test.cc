#include "daemon/server/options.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <map>
#include <set>

#include "tests/support/process.h"

namespace astrolabe::server {
namespace {

class OptionsTest : public ::testing::Test {
 protected:
  OptionsTest() {
    env["HOME"] = folder.path();
    env["XDG_RUNTIME_DIR"] = "/run/user/7";
  }
  ParsedOptions Parse(const std::vector<std::string>& args) {
    return ParseOptions(args, [this](const std::string& name) {
      const auto found = env.find(name);
      return found == env.end() ? std::string() : found->second;
    });
  }
  Options Good(const std::vector<std::string>& args = {}) {
    ParsedOptions parsed = Parse(args);
    EXPECT_TRUE(parsed.options.has_value()) << parsed.output;
    return parsed.options.value_or(Options());
  }
  // The message of a parse that must fail.
  std::string Bad(const std::vector<std::string>& args) {
    const ParsedOptions parsed = Parse(args);
    EXPECT_FALSE(parsed.options.has_value());
    EXPECT_EQ(parsed.exit_code, 2);
    return parsed.output;
  }
  testing::TempFolder folder;
  std::map<std::string, std::string> env;
};

TEST_F(OptionsTest, AFlagWinsOverAVariableOverTheFileOverTheDefault) {
  EXPECT_EQ(Good().queue_limit, 1000);
  env["ASTROLABE_CONFIG"] = folder.Write("c.toml", "queue-limit = 10\n");
  EXPECT_EQ(Good().queue_limit, 10);
  env["ASTROLABE_QUEUE_LIMIT"] = "20";
  EXPECT_EQ(Good().queue_limit, 20);
  EXPECT_EQ(Good({"--queue-limit", "30"}).queue_limit, 30);
  EXPECT_EQ(Good({"--queue-limit=30", "--queue-limit=31"}).queue_limit, 31);
}

TEST_F(OptionsTest, TheFileIsTomlWithCommentsQuotesArraysAndUnderscores) {
  const std::string file = folder.Write("c.toml",
                                        "# the queue\nqueue_limit = 5\nlog-level = \"debug\"\n"
                                        "plugin-dir = [\"/a b\", \"/c\"]\ndrain-time = 2s\n");
  const Options options = Good({"--config", file});
  EXPECT_EQ(options.queue_limit, 5);
  EXPECT_EQ(options.log_level, "debug");
  EXPECT_EQ(options.drain_time, std::chrono::seconds(2));
  ASSERT_EQ(options.plugin_dirs.size(), 4u);
  EXPECT_EQ(options.plugin_dirs[2], "/a b");
  EXPECT_EQ(options.plugin_dirs[3], "/c");
}

TEST_F(OptionsTest, TheUsersOwnFileIsReadWhenItIsThere) {
  ASSERT_EQ(::system(("mkdir -p " + folder / ".config/astrolabe").c_str()), 0);
  folder.Write(".config/astrolabe/astrolabed.toml", "slots = 3\n");
  EXPECT_EQ(Good().slots, 3);
}

TEST_F(OptionsTest, PluginFoldersComeInTheDocumentedOrder) {
  env["XDG_DATA_HOME"] = "/data";
  const Options options = Good({"--plugin-dir", "/one", "--plugin-dir", "/two"});
  ASSERT_EQ(options.plugin_dirs.size(), 4u);
  EXPECT_TRUE(options.plugin_dirs[0].ends_with("/lib/astrolabe/plugins")) << options.plugin_dirs[0];
  EXPECT_EQ(options.plugin_dirs[1], "/data/astrolabe/plugins");
  EXPECT_EQ(options.plugin_dirs[2], "/one");
  EXPECT_EQ(options.plugin_dirs[3], "/two");
  env["ASTROLABE_PLUGIN_DIR"] = "/x:/y";
  EXPECT_EQ(Good().plugin_dirs[3], "/y");
  EXPECT_EQ(Good({"--plugin-dir", "/one"}).plugin_dirs.size(), 3u);  // the flag replaces the variable
}

TEST_F(OptionsTest, TheDefaultAddressIsInTheRuntimeFolderElseInTmp) {
  EXPECT_EQ(Good().address.ToString(), "unix:/run/user/7/astrolabe/astrolabed.sock");
  EXPECT_TRUE(Good().default_address);
  env.erase("XDG_RUNTIME_DIR");
  EXPECT_EQ(Good().address.path, "/tmp/astrolabe-" + std::to_string(::geteuid()) + "/astrolabed.sock");
  EXPECT_EQ(Good().admin_address->path, Good().address.path + ".admin");
  EXPECT_FALSE(Good({"--address", "unix:/tmp/x.sock"}).default_address);
}

TEST_F(OptionsTest, AddressesAreUnixOrLoopback) {
  EXPECT_EQ(Good({"--address", "/tmp/x.sock"}).address.ToString(), "unix:/tmp/x.sock");
  EXPECT_EQ(Good({"--address", "unix:///tmp/x.sock"}).address.ToString(), "unix:/tmp/x.sock");
  const Options tcp = Good({"--address", "127.0.0.1:0"});
  EXPECT_EQ(tcp.address.kind, Address::Kind::kTcp);
  EXPECT_FALSE(tcp.admin_address.has_value());
  EXPECT_EQ(Good({"--address", "[::1]:50051"}).address.ToString(), "[::1]:50051");
  for (const char* address : {"0.0.0.0:5000", "10.1.2.3:5000", "[::]:5000", "example.org:80"}) {
    EXPECT_NE(Bad({"--address", address}).find("loopback"), std::string::npos) << address;
  }
  for (const char* address : {"127.0.0.1:x", "127.0.0.1:70000", "::1:50", "unix:", "foo", "unix-abstract:a", ""}) {
    Bad({"--address", address});
  }
}

TEST_F(OptionsTest, ASocketPathThatCannotBeBoundIsRefusedBeforehand) {
  const std::string longest = "/tmp/" + std::string(kMaxSocketPath - 5, 'p');
  EXPECT_EQ(Good({"--address", longest, "--admin-address", "none"}).address.path, longest);
  EXPECT_NE(Bad({"--address", longest + "p", "--admin-address", "none"}).find("at most 99"), std::string::npos);
  EXPECT_NE(Bad({"--address", longest}).find(".admin"), std::string::npos);  // its admin socket would be too long
}

TEST_F(OptionsTest, TheAdminListenerIsAUnixSocketOfItsOwn) {
  Bad({"--admin-address", "127.0.0.1:5000"});
  Bad({"--address", "/tmp/x", "--admin-address", "/tmp/x"});
  EXPECT_FALSE(Good({"--admin-address", "none"}).admin_address.has_value());
}

TEST_F(OptionsTest, MetricsAreOffAndLoopbackOnly) {
  EXPECT_EQ(Good().metrics_address, "");
  EXPECT_EQ(Good({"--metrics-address", "127.0.0.1:9464"}).metrics_address, "127.0.0.1:9464");
  Bad({"--metrics-address", "0.0.0.0:9464"});
  Bad({"--metrics-address", "unix:/tmp/m"});
}

TEST_F(OptionsTest, EveryFaultIsToldAtOnceWithWhereItCameFrom) {
  env["ASTROLABE_DRAIN_TIME"] = "soon";
  const std::string file = folder.Write("c.toml", "slots = 0\nno-such-thing = 1\n");
  const std::string output = Bad({"--config", file, "--log-level", "loud"});
  EXPECT_NE(output.find("--log-level: \"loud\""), std::string::npos) << output;
  EXPECT_NE(output.find("ASTROLABE_DRAIN_TIME: \"soon\""), std::string::npos) << output;
  EXPECT_NE(output.find(file + ": slots: \"0\""), std::string::npos) << output;
  EXPECT_NE(output.find("no setting \"no-such-thing\""), std::string::npos) << output;
}

TEST_F(OptionsTest, UnknownFlagsMissingValuesAndMissingFilesAreUsageErrors) {
  Bad({"--no-such-flag"});
  Bad({"--slots"});
  Bad({"stray"});
  EXPECT_NE(Bad({"--config", "/no/such/file"}).find("/no/such/file"), std::string::npos);
}

TEST_F(OptionsTest, HelpShowsEveryOptionItsVariableRuleAndWhatIsReloaded) {
  const ParsedOptions parsed = Parse({"--help"});
  EXPECT_FALSE(parsed.options.has_value());
  EXPECT_EQ(parsed.exit_code, 0);
  for (const OptionRow& row : OptionTable()) {
    const size_t at = parsed.output.find(std::string("--") + row.name + " ");
    ASSERT_NE(at, std::string::npos) << row.name;
  }
  EXPECT_NE(parsed.output.find("ASTROLABE_QUEUE_LIMIT"), std::string::npos);
  EXPECT_NE(parsed.output.find("reloaded by SIGHUP"), std::string::npos);
  const ParsedOptions version = Parse({"--version"});
  EXPECT_EQ(version.exit_code, 0);
  EXPECT_EQ(version.output.find("astrolabed "), 0u);
}

TEST_F(OptionsTest, TheTableIsConsistent) {
  std::set<std::string> names;
  for (const OptionRow& row : OptionTable()) {
    EXPECT_TRUE(names.insert(row.name).second) << row.name;
    EXPECT_EQ(VariableName(row).find_first_not_of("ABCDEFGHIJKLMNOPQRSTUVWXYZ_"), std::string::npos);
  }
  EXPECT_EQ(VariableName(OptionTable()[0]), "ASTROLABE_ADDRESS");
}

TEST_F(OptionsTest, DefaultLimitsBecomeTheProtosLimits) {
  const v1::Limits limits = DefaultLimits(Good({"--default-time-limit", "1500ms", "--default-memory-limit", "2GiB",
                                                "--default-max-expansions", "9", "--default-queue-timeout", "1m"}));
  EXPECT_EQ(limits.wall_time().seconds(), 1);
  EXPECT_EQ(limits.wall_time().nanos(), 500'000'000);
  EXPECT_EQ(limits.max_memory_bytes(), 2ll << 30);
  EXPECT_EQ(limits.max_expansions(), 9);
  EXPECT_EQ(limits.queue_timeout().seconds(), 60);
  EXPECT_FALSE(DefaultLimits(Good()).has_wall_time());
  EXPECT_GT(DefaultLimits(Good()).max_memory_bytes(), 0);
}

TEST_F(OptionsTest, TwoAddressesNeverShareAStateFolder) {
  EXPECT_NE(Good({"--address", "/tmp/a"}).state_dir, Good({"--address", "/tmp/b"}).state_dir);
  EXPECT_EQ(Good({"--address", "/tmp/a"}).state_dir, Good({"--address", "/tmp/a"}).state_dir);
}

}  // namespace
}  // namespace astrolabe::server
