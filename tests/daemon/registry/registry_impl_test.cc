#include <unistd.h>

#include "daemon/registry/isa.h"
#include "tests/daemon/registry/registry_fixture.h"

namespace astrolabe::registry {
namespace {

TEST_F(RegistryTest, LoadsWhatItFindsAndOffersIt) {
  const std::string path = InstallPlugin("a.so", "org.test.a", "alpha");
  const std::vector<PluginRecord> changes = registry_->Scan();
  ASSERT_EQ(changes.size(), 1u);
  EXPECT_EQ(changes[0].id, "org.test.a");
  EXPECT_EQ(changes[0].state, PluginState::kReady);
  EXPECT_EQ(changes[0].path, path);
  const std::shared_ptr<const Catalog> catalog = registry_->catalog();
  ASSERT_EQ(catalog->heuristics.count("alpha"), 1u);
  const Catalog::Heuristic& heuristic = catalog->heuristics.find("alpha")->second;
  EXPECT_TRUE(heuristic.entry.admissible);
  EXPECT_EQ(heuristic.generation->file().generation, 1);
  EXPECT_EQ(heuristic.generation->file().id, "org.test.a");
  EXPECT_NE(heuristic.generation->file().path, path) << "workers load the private copy";
  EXPECT_EQ(ReadFile(heuristic.generation->file().path), ReadFile(path));
  ASSERT_EQ(pool_.warm.size(), 1u);
  EXPECT_EQ(pool_.warm[0].id, "org.test.a");
}

TEST_F(RegistryTest, OffersNothingBeforeTheFirstScanAndWithEmptyFolders) {
  EXPECT_NE(registry_->catalog(), nullptr);
  EXPECT_TRUE(registry_->catalog()->heuristics.empty());
  EXPECT_TRUE(registry_->Scan().empty());
  EXPECT_TRUE(registry_->List().empty());
}

TEST_F(RegistryTest, TellsEachBadFileOnceWithItsCodeAndLoadsTheGoodOnes) {
  Install("text.so", "this is not a library\n");
  Install("empty.so", "");
  std::filesystem::create_directory(plugins_ + "/x.so");
  Install("cut.so", Tiny("good").substr(0, 3000));
  InstallPlugin("good.so", "org.test.good", "good");
  registry_->Scan();
  EXPECT_EQ(registry_->catalog()->heuristics.count("good"), 1u);
  EXPECT_EQ(Record(plugins_ + "/text.so").error->code, LoadCode::kNotElf);
  EXPECT_EQ(Record(plugins_ + "/empty.so").error->code, LoadCode::kTruncated);
  EXPECT_EQ(Record(plugins_ + "/x.so").error->code, LoadCode::kNotElf);
  EXPECT_EQ(Record(plugins_ + "/cut.so").error->code, LoadCode::kTruncated);
  EXPECT_EQ(Record(plugins_ + "/text.so").id, "text.so");
  EXPECT_EQ(Record(plugins_ + "/text.so").state, PluginState::kFailed);
  for (const char* name : {"/text.so: NOT_ELF", "/empty.so: TRUNCATED", "/x.so: NOT_ELF", "/cut.so: TRUNCATED"}) {
    EXPECT_EQ(CountLogged(name), 1) << name;
  }
  EXPECT_TRUE(registry_->Scan().empty()) << "nothing changed";
  EXPECT_EQ(CountLogged("/text.so: NOT_ELF"), 1);
}

TEST_F(RegistryTest, GivesEachFailureItsOwnCode) {
  const auto code = [&](const std::string& bytes) {
    const std::string path = Install("probe_me.so", bytes);
    return Must(registry_->Load(path)).error.value_or(LoadError{}).code;
  };
  ManifestText text;
  EXPECT_EQ(code(Tiny("no_manifest")), LoadCode::kNoManifest);
  EXPECT_EQ(code(Tiny("no_entry")), LoadCode::kMissingSymbol);
  EXPECT_EQ(code(Tiny("next_major")), LoadCode::kAbiTooNew);
  EXPECT_EQ(code(Tiny("exec_stack")), LoadCode::kCorrupt);
  text.major = 2;
  EXPECT_EQ(code(text.Bytes()), LoadCode::kAbiTooNew);
  text.major = 0;
  EXPECT_EQ(code(text.Bytes()), LoadCode::kAbiTooOld);
  text = {};
  text.isa = "aarch64";
  EXPECT_EQ(code(text.Bytes()), LoadCode::kIsaUnsupported);
  text = {};
  text.id = "Not An Id";
  EXPECT_EQ(code(text.Bytes()), LoadCode::kCorrupt);
  EXPECT_TRUE(pool_.probed.empty()) << "none of them may be run";
}

TEST_F(RegistryTest, RefusesCodeThatThisProcessorCannotRun) {
  if (HostIsa() == "x86-64-v4") GTEST_SKIP() << "this one runs everything";
  ManifestText text;
  text.isa = "x86-64-v4";
  const PluginRecord record = Must(registry_->Load(Install("v4.so", text.Bytes())));
  ASSERT_TRUE(record.error.has_value());
  EXPECT_EQ(record.error->code, LoadCode::kIsaUnsupported);
  EXPECT_EQ(record.error->found, "x86-64-v4");
  EXPECT_EQ(record.id, "org.test.tiny");
}

TEST_F(RegistryTest, PassesOnWhatTheProbeFound) {
  workers::ProbeOutcome outcome;
  outcome.code = "INIT_FAILED";
  outcome.message = "no licence";
  outcome.expected = "a licence";
  outcome.found = "none";
  outcome.hint = "buy one";
  pool_.outcomes["org.test.a"] = outcome;
  const std::string path = InstallPlugin("a.so", "org.test.a", "alpha");
  registry_->Scan();
  const PluginRecord record = Record(path);
  EXPECT_EQ(record.id, "org.test.a");
  ASSERT_TRUE(record.error.has_value());
  EXPECT_EQ(record.error->code, LoadCode::kInitFailed);
  EXPECT_EQ(record.error->stage, "probe");
  EXPECT_EQ(record.error->message, "no licence");
  EXPECT_EQ(record.error->hint, "buy one");
  EXPECT_TRUE(registry_->catalog()->heuristics.empty());
  pool_.outcomes["org.test.a"].code = "SOMETHING_NEW";
  EXPECT_EQ(Must(registry_->Load("a")).error->code, LoadCode::kContractViolation);
  EXPECT_EQ(Must(registry_->Load("a")).error->message, "SOMETHING_NEW: no licence");
}

TEST_F(RegistryTest, TriesAFailedFileAgainAtEveryScan) {
  pool_.outcomes["org.test.a"].code = "MISSING_LIBRARY";
  InstallPlugin("a.so", "org.test.a", "alpha");
  registry_->Scan();
  EXPECT_TRUE(registry_->catalog()->heuristics.empty());
  pool_.outcomes.clear();
  EXPECT_EQ(registry_->Scan().size(), 1u);
  EXPECT_EQ(registry_->catalog()->heuristics.count("alpha"), 1u);
}

TEST_F(RegistryTest, KeepsWarningsOfAllChecks) {
  pool_.outcomes["org.test.tiny"].warnings = {"it left a thread behind"};
  const PluginRecord record = Must(registry_->Load(Install("two.so", Tiny("two_exports"))));
  ASSERT_NE(record.generation, nullptr);
  const std::vector<std::string>& warnings = record.generation->warnings();
  ASSERT_EQ(warnings.size(), 2u);
  EXPECT_NE(warnings[0].find("exports 2 symbols"), std::string::npos);
  EXPECT_EQ(warnings[1], "it left a thread behind");
}

TEST_F(RegistryTest, RefusesAnIdThatAnotherFileProvidesAndNamesBothFiles) {
  const std::string first = InstallPlugin("a.so", "org.test.a", "alpha");
  const std::string same_plugin = InstallPlugin("b.so", "org.test.a", "beta");
  const std::string same_heuristic = InstallPlugin("c.so", "org.test.c", "alpha");
  registry_->Scan();
  for (const std::string& path : {same_plugin, same_heuristic}) {
    const PluginRecord record = Record(path);
    ASSERT_TRUE(record.error.has_value());
    EXPECT_EQ(record.error->code, LoadCode::kDuplicateId);
    EXPECT_NE(record.error->message.find(first), std::string::npos) << record.error->message;
    EXPECT_NE(record.error->message.find(path), std::string::npos) << record.error->message;
  }
  EXPECT_EQ(Must(registry_->Get("org.test.a")).path, first) << "the ready one, not its duplicate";
  EXPECT_EQ(pool_.probed.size(), 1u);
}

TEST_F(RegistryTest, RefusesADuplicateProblem) {
  ManifestText text;
  text.heuristics.clear();
  text.problems = {"queens"};
  text.id = "org.test.one";
  Install("a.so", text.Bytes());
  text.id = "org.test.two";
  const std::string second = Install("b.so", text.Bytes());
  registry_->Scan();
  EXPECT_EQ(registry_->catalog()->problems.count("queens"), 1u);
  EXPECT_NE(Record(second).error->message.find("problem 'queens'"), std::string::npos);
}

TEST_F(RegistryTest, LetsAMovedFileTakeTheOldOnesPlace) {
  const std::string old_path = InstallPlugin("a.so", "org.test.a", "alpha");
  registry_->Scan();
  std::filesystem::rename(old_path, plugins_ + "/b.so");
  registry_->Scan();
  const std::vector<PluginRecord> records = registry_->List();
  ASSERT_EQ(records.size(), 1u);
  EXPECT_EQ(records[0].path, plugins_ + "/b.so");
  EXPECT_EQ(records[0].state, PluginState::kReady);
}

TEST_F(RegistryTest, PrefersTheFirstFolderAlsoWhenTheFileComesLater) {
  const std::string second = root_ + "/second";
  std::filesystem::create_directory(second);
  ::chmod(second.c_str(), 0755);
  options_.plugin_dirs = {plugins_, second};
  registry_.reset();
  Open();
  ManifestText text;
  const std::string below = Install("a.so", text.Bytes(), second);
  registry_->Scan();
  EXPECT_EQ(Must(registry_->Get("org.test.tiny")).path, below);
  text.version = "2.0";
  const std::string above = Install("a.so", text.Bytes());
  registry_->Scan();
  const PluginRecord record = Must(registry_->Get("org.test.tiny"));
  EXPECT_EQ(record.path, above);
  EXPECT_EQ(record.generation->manifest().version, "2.0");
  EXPECT_EQ(registry_->List().size(), 1u);
}

TEST_F(RegistryTest, ForgetsFailedFilesThatAreGone) {
  const std::string path = Install("text.so", "text");
  registry_->Scan();
  ASSERT_EQ(registry_->List().size(), 1u);
  std::filesystem::remove(path);
  registry_->Scan();
  EXPECT_TRUE(registry_->List().empty());
}

TEST_F(RegistryTest, LoadsByNameFileIdAndPath) {
  const std::string path = InstallPlugin("my_h.so", "org.test.my", "my_h");
  EXPECT_EQ(Must(registry_->Load("my_h")).state, PluginState::kReady);
  EXPECT_EQ(Must(registry_->Load("my_h.so")).id, "org.test.my");
  EXPECT_EQ(Must(registry_->Load("org.test.my")).id, "org.test.my");
  EXPECT_EQ(Must(registry_->Load(path)).id, "org.test.my");
  EXPECT_EQ(Must(registry_->Load(plugins_ + "/../plugins/my_h.so")).path, path);
  EXPECT_EQ(registry_->List().size(), 1u);
  EXPECT_EQ(pool_.probed.size(), 1u) << "all but the first had nothing to do";
}

TEST_F(RegistryTest, ChecksOwnersOfFilesLoadedByPathToo) {
  const std::string path = InstallPlugin("a.so", "org.test.a", "alpha");
  ::chmod(path.c_str(), 0777);
  EXPECT_EQ(Must(registry_->Load(path)).error->code, LoadCode::kPermission);
  ::chmod(path.c_str(), 0755);
  EXPECT_EQ(Must(registry_->Load(path)).state, PluginState::kReady);
}

TEST_F(RegistryTest, SuggestsTheNearestName) {
  InstallPlugin("manhattan.so", "org.test.manhattan", "manhattan");
  registry_->Scan();
  Error error = registry_->Load("manhatan").error();
  EXPECT_EQ(error.code, ErrorCode::kNotFound);
  EXPECT_NE(error.message.find("did you mean 'manhattan'?"), std::string::npos) << error.message;
  error = registry_->Get("org.test.manhaten").error();
  EXPECT_NE(error.message.find("did you mean 'org.test.manhattan'?"), std::string::npos) << error.message;
  EXPECT_EQ(registry_->Load("/no/such/file.so").error().code, ErrorCode::kNotFound);
  EXPECT_EQ(registry_->Load("a/b.so").error().code, ErrorCode::kInvalidArgument);
  EXPECT_EQ(registry_->Load("").error().code, ErrorCode::kInvalidArgument);
  EXPECT_EQ(registry_->Unload("nothing").error().code, ErrorCode::kNotFound);
}

TEST_F(RegistryTest, SortsItsList) {
  InstallPlugin("z.so", "org.test.a", "a");
  InstallPlugin("a.so", "org.test.z", "z");
  registry_->Scan();
  const std::vector<PluginRecord> records = registry_->List();
  ASSERT_EQ(records.size(), 2u);
  EXPECT_EQ(records[0].id, "org.test.a");
  EXPECT_EQ(records[1].id, "org.test.z");
}

TEST_F(RegistryTest, FailsToOpenWithACopyFolderThatCannotBeUsed) {
  options_.copy_dir = "/proc/no/such";
  Result<std::unique_ptr<Registry>> registry = Registry::Create(options_, &pool_);
  ASSERT_FALSE(registry.ok());
  EXPECT_NE(registry.error().message.find("make it by hand or choose another"), std::string::npos)
      << registry.error().message;
}

}  // namespace
}  // namespace astrolabe::registry
