// `astrolabe pdb` with the real daemon, workers and plugins.
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <set>
#include <string>
#include <vector>

#include "tests/support/live_daemon.h"

namespace astrolabe::testing {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;

// One daemon with an empty cache for each test.
class Pdb : public ::testing::Test {
 protected:
  CommandResult Run(std::vector<std::string> args) {
    args.insert(args.begin(), "pdb");
    return daemon_.Cli(std::move(args));
  }
  // A small table each: 8 tiles in two patterns of a 3 x 3 board.
  void BuildTwo() {
    const CommandResult run = Run({"build", "--partition", "1 2 3 4/5 6 7 8"});
    ASSERT_EQ(run.exit_code, 0) << run.out << run.err << daemon_.log();
  }
  std::string cache() const { return daemon_.folder() / "cache"; }
  std::set<std::string> Files() const {
    std::set<std::string> names;
    for (const auto& entry : fs::directory_iterator(cache())) names.insert(entry.path().filename().string());
    return names;
  }
  json List() {
    const CommandResult run = Run({"ls", "-o", "json"});
    EXPECT_EQ(run.exit_code, 0) << run.err;
    return json::parse(run.out, nullptr, false);
  }
  std::string PathOf(const json& file) const { return cache() + "/" + file["id"].get<std::string>() + ".cache"; }
  static std::string Short(const json& file) { return file["id"].get<std::string>().substr(0, 12); }
  static void Flip(const std::string& path, std::streamoff at) {
    std::fstream file(path, std::ios::in | std::ios::out | std::ios::binary);
    file.seekg(at);
    const char byte = static_cast<char>(file.get());
    file.seekp(at);
    file.put(static_cast<char>(byte ^ 1));
  }

  LiveDaemon daemon_;
};

TEST_F(Pdb, TablesAreBuiltOnceListedVerifiedAndRemoved) {
  const CommandResult build = Run({"build", "--partition", "1 2 3 4/5 6 7 8"});
  ASSERT_EQ(build.exit_code, 0) << build.out << build.err << daemon_.log();
  EXPECT_NE(build.out.find("Built 2 of 2 tables"), std::string::npos) << build.out;
  EXPECT_NE(build.out.find("3 x 3 board, 4 tiles:"), std::string::npos) << build.out;
  EXPECT_EQ(Files().size(), 2u);

  const CommandResult again = Run({"build", "--partition", "1 2 3 4/5 6 7 8"});
  EXPECT_EQ(again.exit_code, 0);
  EXPECT_NE(again.out.find("Nothing to build: 2 tables"), std::string::npos) << again.out;

  const json files = List();
  ASSERT_EQ(files.size(), 2u) << files;
  for (const json& file : files) {
    EXPECT_EQ(file["heuristic"], "pattern_database");
    EXPECT_EQ(file["state"], "CACHE_FILE_STATE_OK") << "read when it was made";
    EXPECT_EQ(file["sizeBytes"], std::to_string(fs::file_size(PathOf(file))));
    EXPECT_NE(build.out.find(Short(file)), std::string::npos) << build.out;
  }
  const CommandResult ls = Run({"ls"});
  EXPECT_NE(ls.out.find(Short(files[0]) + "  pattern_database  3 x 3 board, 4 tiles: "), std::string::npos) << ls.out;
  EXPECT_NE(ls.out.find("2 tables, "), std::string::npos) << ls.out;

  const CommandResult verify = Run({"verify"});
  EXPECT_EQ(verify.exit_code, 0) << verify.err;
  EXPECT_NE(verify.out.find(Short(files[0]) + "  ok"), std::string::npos) << verify.out;
  EXPECT_NE(verify.out.find(Short(files[1]) + "  ok"), std::string::npos) << verify.out;

  const CommandResult rm = Run({"rm", Short(files[0])});
  EXPECT_EQ(rm.exit_code, 0) << rm.err;
  EXPECT_NE(rm.err.find("keeps it"), std::string::npos) << rm.err;
  EXPECT_FALSE(fs::exists(PathOf(files[0])));
  EXPECT_EQ(List().size(), 1u);

  // The worker that still has it mapped builds it again all the same.
  const CommandResult rebuilt = Run({"build", "--partition", "1 2 3 4/5 6 7 8"});
  EXPECT_NE(rebuilt.out.find("Built 1 of 2 tables"), std::string::npos) << rebuilt.out;
  EXPECT_EQ(Files().size(), 2u);

  EXPECT_EQ(Run({"rm", "--all"}).exit_code, 0);
  EXPECT_TRUE(Files().empty());
  EXPECT_EQ(daemon_.Solve("3\n8 1 3\n4 0 2\n7 6 5\n", {"--heuristic", "pattern_database"}).exit_code, 0);
}

// A limit on the size of files (ulimit -f) sends a signal besides the error.
TEST(PdbLimits, ATableThatMayNotBeWrittenLivesInMemory) {
#ifdef ASTROLABE_SANITIZED
  GTEST_SKIP() << "the plugins themselves are larger than the limit";
#endif
  LiveDaemon daemon({}, {"prlimit", "--fsize=4000000"});
  const CommandResult run = daemon.Solve("4\n1 2 3 4\n5 6 7 8\n9 10 0 12\n13 14 11 15\n",
                                         {"--heuristic", "pattern_database:patterns=6-6-3", "-o", "json"});
  EXPECT_EQ(run.exit_code, 0) << run.out << run.err << daemon.log();
  const json result = json::parse(run.out, nullptr, false);
  ASSERT_TRUE(result.is_object()) << run.out << run.err << daemon.log();
  ASSERT_FALSE(result["provenance"]["cacheFiles"].empty()) << run.out;
  int in_memory = 0;
  for (const json& file : result["provenance"]["cacheFiles"]) in_memory += file.value("inMemory", false) ? 1 : 0;
  EXPECT_GT(in_memory, 0) << run.out;
}

TEST_F(Pdb, AnEmptyCacheIsNoFault) {
  const CommandResult ls = Run({"ls"});
  EXPECT_EQ(ls.exit_code, 0) << ls.err;
  EXPECT_NE(ls.out.find("0 tables"), std::string::npos) << ls.out;
  EXPECT_EQ(Run({"ls", "-o", "json"}).out, "[]\n");
  EXPECT_EQ(Run({"verify"}).exit_code, 0);
  EXPECT_EQ(Run({"verify", "-o", "json"}).out, "[]\n");
  EXPECT_EQ(Run({"rm", "--all"}).exit_code, 0);
}

TEST_F(Pdb, ATableThatVerifyFindsDamagedIsRemovedAndBuiltAgainAtItsNextUse) {
  BuildTwo();
  const json files = List();
  // As a bad disk does it: nothing but reading the file shows it.
  const auto stamp = fs::last_write_time(PathOf(files[1]));
  Flip(PathOf(files[1]), 4096 + 1000);
  fs::last_write_time(PathOf(files[1]), stamp);
  const CommandResult verify = Run({"verify"});
  EXPECT_EQ(verify.exit_code, 18);
  EXPECT_NE(verify.out.find(Short(files[0]) + "  ok"), std::string::npos) << verify.out;
  EXPECT_NE(verify.out.find(Short(files[1]) + "  DAMAGED: the data is damaged; removed"), std::string::npos)
      << verify.out;
  EXPECT_NE(verify.err.find("1 of 2 tables damaged"), std::string::npos) << verify.err;
  EXPECT_NE(verify.err.find("built again at its next use"), std::string::npos) << verify.err;
  EXPECT_FALSE(fs::exists(PathOf(files[1])));
  EXPECT_EQ(List()[1]["state"], "CACHE_FILE_STATE_REMOVED");
  EXPECT_EQ(Run({"verify", Short(files[0])}).exit_code, 0) << "the other one";
  const CommandResult as_json = Run({"verify", Short(files[1]), "-o", "json"});
  EXPECT_EQ(as_json.exit_code, 18);
  EXPECT_EQ(json::parse(as_json.out)[0]["damage"], "the data is damaged");

  // The worker that has it mapped does not use it either.
  const CommandResult solve = daemon_.Solve("3\n8 1 3\n4 0 2\n7 6 5\n",
                                            {"--heuristic", "pattern_database:patterns=1 2 3 4/5 6 7 8", "-o", "json"});
  ASSERT_EQ(solve.exit_code, 0) << solve.out << solve.err;
  const json result = json::parse(solve.out);
  size_t made = 0;
  for (const json& file : result["provenance"]["cacheFiles"]) {
    EXPECT_EQ(file.value("made", false), file["id"] == files[1]["id"]) << file;
    made += file.value("made", false) ? 1 : 0;
  }
  EXPECT_EQ(made, 1u) << solve.out;
  EXPECT_EQ(List()[1]["state"], "CACHE_FILE_STATE_OK");
  EXPECT_EQ(Run({"verify"}).exit_code, 0);
}

TEST_F(Pdb, ATruncatedTableIsSeenWithoutReadingIt) {
  BuildTwo();
  const json files = List();
  fs::resize_file(PathOf(files[0]), fs::file_size(PathOf(files[0])) - 100);
  EXPECT_EQ(List()[0]["state"], "CACHE_FILE_STATE_DAMAGED");
  const CommandResult verify = Run({"verify", "-o", "ndjson"});
  EXPECT_EQ(verify.exit_code, 18);
  EXPECT_EQ(json::parse(verify.out.substr(0, verify.out.find('\n')))["damage"], "its size is wrong") << verify.out;
}

TEST_F(Pdb, ADaemonThatStartsRemovesWhatIsDamagedAndSaysSo) {
  BuildTwo();
  const json files = List();
  ASSERT_EQ(daemon_.Stop(), 0);
  Flip(PathOf(files[0]), 4096 + 7);
  daemon_.Start();
  ASSERT_TRUE(Eventually([&] { return List()[0]["state"] == "CACHE_FILE_STATE_REMOVED"; })) << daemon_.log();
  EXPECT_FALSE(fs::exists(PathOf(files[0])));
  EXPECT_TRUE(Eventually([&] { return List()[1]["state"] == "CACHE_FILE_STATE_OK"; }));
  const CommandResult ls = Run({"ls"});
  EXPECT_NE(ls.out.find("removed, was damaged: the data is damaged"), std::string::npos) << ls.out;
  EXPECT_NE(ls.out.find("1 table, "), std::string::npos) << ls.out;
  EXPECT_EQ(Run({"verify"}).exit_code, 0);
  BuildTwo();
  EXPECT_EQ(List()[0]["state"], "CACHE_FILE_STATE_OK");
}

TEST_F(Pdb, IdsThatAreUnknownOrAmbiguousAreExplained) {
  BuildTwo();
  for (const char* command : {"rm", "verify"}) {
    const CommandResult unknown = Run({command, std::string(64, '0')});
    EXPECT_EQ(unknown.exit_code, 5) << command;
    EXPECT_NE(unknown.err.find("astrolabe pdb ls"), std::string::npos) << unknown.err;
    const CommandResult word = Run({command, "table"});
    EXPECT_EQ(word.exit_code, 6) << command;
    EXPECT_NE(word.err.find("\"table\" is not the id of a table"), std::string::npos) << word.err;
  }
  EXPECT_EQ(Run({"rm"}).exit_code, 2);
  EXPECT_EQ(Run({"rm", "--all", "ab"}).exit_code, 2);
  EXPECT_EQ(Files().size(), 2u);
}

TEST_F(Pdb, PresetsGoalsAndSizesSayWhichBoardIsMeant) {
  const CommandResult preset = Run({"build", "--preset", "5-5-5", "--threads", "1"});
  EXPECT_EQ(preset.exit_code, 0) << preset.out << preset.err;
  EXPECT_NE(preset.out.find("Built 3 of 3 tables"), std::string::npos) << preset.out;
  EXPECT_NE(preset.out.find("4 x 4 board, 5 tiles:"), std::string::npos) << preset.out;
  // The same places for the tiles and the blank, turned round.
  const CommandResult turned = Run({"build", "--preset", "5-5-5", "--goal", "blank-first"});
  EXPECT_NE(turned.out.find("Nothing to build: 3 tables"), std::string::npos) << turned.out << turned.err;
  const CommandResult spiral = Run({"build", "--goal", "1 2 3/8 0 4/7 6 5", "-o", "json"});
  EXPECT_EQ(spiral.exit_code, 0) << spiral.err;
  const json result = json::parse(spiral.out);
  EXPECT_EQ(result["outcome"], "OUTCOME_SOLVED");
  EXPECT_EQ(result["provenance"]["cacheFiles"][0]["made"], true) << result["provenance"];
  EXPECT_NE(Run({"build", "--size", "3x2", "--preset", "auto"}).out.find("3 x 2 board"), std::string::npos);
}

TEST_F(Pdb, WhatCannotBeBuiltIsRefusedWithTheReason) {
  const std::pair<std::vector<std::string>, const char*> wrong[] = {
      {{"--preset", "7-8", "--size", "3x3"}, "for boards of 4 x 4"},
      {{"--preset", "7-8", "--size", "3x4"}, "on this board for example \"1 2 3 4 5 6 7/8 9 10 11\""},
      {{"--preset", "9-9"}, "neither a tile nor a preset"},
      {{"--partition", "1 2 2/3"}, "names tile 2 twice"},
      {{"--partition", "1 2/3 9"}, "--size"},
      {{"--partition", "1 2 2/3", "--size", "3x3"}, "tile 2 is there twice"},
      {{"--partition", "1 2 3 4 5 6 7 8 9", "--size", "4x4"}, "at most 8 fit a table"},
      {{"--size", "1x4"}, "is not a value for --size"},
      {{"--size", "four"}, "is not a value for --size"},
      {{"--size", "9x9"}, "up to 64 squares"},
      {{"--size", "3x3", "--goal", "1 2 3/4 5 6/7 8 0"}, "--size is for goals given by name"},
      {{"--goal", "1 2 3/4 5 6/7 8 8"}, "8"},
      {{"--size", "2x3", "--mirror", "on"}, "mirror"},
      {{"--preset", "auto", "--memory-limit", "much"}, "--memory-limit"}};
  for (const auto& [args, reason] : wrong) {
    std::vector<std::string> all = {"build"};
    all.insert(all.end(), args.begin(), args.end());
    const CommandResult run = Run(all);
    EXPECT_EQ(run.exit_code, 6) << args.back() << "\n" << run.out << run.err;
    EXPECT_NE(run.err.find(reason), std::string::npos) << args.back() << "\n" << run.out << run.err;
  }
  EXPECT_EQ(Run({"build", "--preset", "7-8", "--partition", "1 2/3"}).exit_code, 2);
  EXPECT_TRUE(Files().empty());
}

// A build that takes some seconds, up to where its file is being written.
class PdbWhileItBuilds : public Pdb {
 protected:
  PdbWhileItBuilds() {
    EXPECT_TRUE(Eventually([this] { return Files().size() == 1 || !build_.running(); }, std::chrono::seconds(60)));
    EXPECT_EQ(Files().size(), 1u) << log();
    for (const std::string& name : Files()) EXPECT_TRUE(name.ends_with(".tmp")) << name;
  }
  std::string log() const { return ReadFile(log_); }

  const std::string log_ = daemon_.folder() / "build.ndjson";
  Process build_{{BinDir() + "/astrolabe", "pdb", "build", "--partition", "1 2 3 4 5 6 7", "--size", "4x4", "--threads",
                  "1", "-o", "ndjson"},
                 {{"ASTROLABE_SERVER", daemon_.address()}},
                 log_};
};

TEST_F(PdbWhileItBuilds, CtrlCEndsItAndLeavesNothing) {
  build_.Signal(SIGINT);
  EXPECT_EQ(build_.Wait(std::chrono::seconds(60)), 13) << log();
  EXPECT_NE(log().find("pattern table of tiles"), std::string::npos) << "progress: " << log();
  EXPECT_NE(log().find("OUTCOME_CANCELLED"), std::string::npos) << log();
  EXPECT_TRUE(Eventually([this] { return Files().empty(); }));
  EXPECT_EQ(Run({"ls", "-o", "json"}).out, "[]\n");
}

TEST_F(PdbWhileItBuilds, AWorkerThatIsKilledLeavesNothing) {
  for (const pid_t worker : ChildrenOf(daemon_.process().pid())) ::kill(worker, SIGKILL);
  EXPECT_EQ(build_.Wait(std::chrono::seconds(60)), 14) << log();
  EXPECT_TRUE(Eventually([this] { return Files().empty(); }));
}

TEST_F(PdbWhileItBuilds, ADaemonThatIsKilledLeavesNothingOnceTheNextHasLooked) {
  daemon_.Kill();
  EXPECT_NE(build_.Wait(std::chrono::seconds(60)), 0) << log();
  daemon_.Start();
  // Its worker may take a moment to see that it is alone.
  EXPECT_TRUE(Eventually([this] { return Run({"ls", "-o", "json"}).out == "[]\n" && Files().empty(); }));
}

TEST_F(PdbWhileItBuilds, ListingLeavesItAlone) {
  EXPECT_EQ(Run({"ls"}).exit_code, 0);
  EXPECT_EQ(Run({"verify"}).exit_code, 0);
  EXPECT_EQ(build_.Wait(std::chrono::seconds(60)), 0) << log();
  const json files = List();
  ASSERT_EQ(files.size(), 1u) << log();
  EXPECT_TRUE(fs::exists(PathOf(files[0]))) << "kept, not only in memory: " << log();
}

TEST_F(Pdb, ATableThatCannotBeKeptIsAFailure) {
  fs::remove(cache());
  std::ofstream(cache()) << "no folder";
  const CommandResult build = Run({"build", "--partition", "1 2 3 4/5 6 7 8"});
  EXPECT_EQ(build.exit_code, 7) << build.out << build.err;
  EXPECT_NE(build.out.find("in memory"), std::string::npos) << build.out;
  EXPECT_NE(build.err.find("is not kept"), std::string::npos) << build.err;
  EXPECT_NE(build.err.find("kept in memory and will be computed again next time"), std::string::npos) << build.err;
  EXPECT_NE(build.out.find("2 are in the memory of a worker alone and are not kept"), std::string::npos) << build.out;
  const CommandResult again = Run({"build", "--partition", "1 2 3 4/5 6 7 8"});
  EXPECT_EQ(again.exit_code, 7) << again.out << again.err;
  EXPECT_EQ(again.out.find("Nothing to build"), std::string::npos) << again.out;
  const CommandResult ls = Run({"ls"});
  EXPECT_EQ(ls.exit_code, 6);
  EXPECT_NE(ls.err.find("the cache folder cannot be read"), std::string::npos) << ls.err;
}

TEST_F(Pdb, ListingTakesWhatAKilledBuildHasLeftAndNotWhatIsBeingBuilt) {
  EXPECT_EQ(Run({"build", "--size", "2x2"}).exit_code, 0);
  const size_t tables = Files().size();
  const pid_t gone = ::fork();
  if (gone == 0) ::_exit(0);
  ASSERT_EQ(::waitpid(gone, nullptr, 0), gone);
  const std::string base = cache() + "/" + std::string(64, 'a') + ".cache.";
  const std::string left = base + std::to_string(gone) + ".1.tmp";
  const std::string own = base + std::to_string(::getpid()) + ".1.tmp";
  for (const char* command : {"ls", "verify"}) {
    for (const std::string& path : {left, own}) std::ofstream(path) << "x";
    EXPECT_EQ(Run({command}).exit_code, 0);
    EXPECT_FALSE(fs::exists(left)) << command;
    EXPECT_TRUE(fs::exists(own)) << command;
  }
  EXPECT_EQ(Files().size(), tables + 1);
}

TEST(PdbServer, ADaemonAlwaysHasACacheFolder) {
  const CommandResult run = RunCommand({BinDir() + "/astrolabed", "--cache-dir", ""});
  EXPECT_EQ(run.exit_code, 2);
  EXPECT_NE(run.err.find("--cache-dir: the path is empty"), std::string::npos) << run.err;
}

TEST(PdbServer, OnlyTheAdminListenerRemovesAndVerifies) {
  LiveDaemon daemon({"--admin-address", "none"});
  ASSERT_EQ(daemon.Cli({"pdb", "build", "--size", "2x2"}).exit_code, 0);
  EXPECT_EQ(daemon.Cli({"pdb", "ls"}).exit_code, 0);
  EXPECT_NE(daemon.Cli({"pdb", "rm", "--all"}).exit_code, 0);
  EXPECT_NE(daemon.Cli({"pdb", "verify"}).exit_code, 0);
  EXPECT_EQ(json::parse(daemon.Cli({"pdb", "ls", "-o", "json"}).out).size(), 1u);
}

}  // namespace
}  // namespace astrolabe::testing
