#include <unistd.h>

#include <atomic>
#include <thread>

#include "tests/daemon/registry/registry_fixture.h"

namespace astrolabe::registry {
namespace {

TEST_F(RegistryTest, ReloadMakesANewGenerationOfChangedContentAndRetiresTheOld) {
  InstallPlugin("a.so", "org.test.a", "alpha", "1.0");
  registry_->Scan();
  GenerationRef pinned = registry_->catalog()->heuristics.find("alpha")->second.generation;
  InstallPlugin("a.so", "org.test.a", "alpha", "2.0");
  const PluginRecord record = Must(registry_->Reload("a"));
  EXPECT_EQ(record.note, "");
  EXPECT_EQ(record.generation->file().generation, 2);
  EXPECT_EQ(record.generation->manifest().version, "2.0");
  EXPECT_EQ(registry_->catalog()->heuristics.find("alpha")->second.generation->manifest().version, "2.0");
  EXPECT_TRUE(pool_.is_retired[1]);
  EXPECT_FALSE(pool_.is_retired[2]);
  ASSERT_EQ(pool_.warm.size(), 1u);
  EXPECT_EQ(pool_.warm[0].generation, 2);
  // A job that pinned the old one keeps its file; then it goes.
  const std::string old_copy = pinned->file().path;
  EXPECT_TRUE(std::filesystem::exists(old_copy));
  pinned.reset();
  EXPECT_FALSE(std::filesystem::exists(old_copy));
  EXPECT_TRUE(std::filesystem::exists(record.generation->file().path));
}

TEST_F(RegistryTest, ReloadOfEqualContentKeepsTheGenerationAndSaysSo) {
  InstallPlugin("a.so", "org.test.a", "alpha");
  registry_->Scan();
  InstallPlugin("a.so", "org.test.a", "alpha");
  const PluginRecord record = Must(registry_->Reload("org.test.a"));
  EXPECT_EQ(record.note, "unchanged: the file has the content of generation 1");
  EXPECT_EQ(record.generation->file().generation, 1);
  EXPECT_EQ(pool_.probed.size(), 1u);
}

TEST_F(RegistryTest, AFailedNewVersionLeavesTheOldOneActive) {
  const std::string path = InstallPlugin("a.so", "org.test.a", "alpha", "1.0");
  registry_->Scan();
  Install("a.so", "broken");
  PluginRecord record = Must(registry_->Reload("a"));
  EXPECT_EQ(record.state, PluginState::kReady);
  ASSERT_TRUE(record.error.has_value());
  EXPECT_EQ(record.error->code, LoadCode::kNotElf);
  EXPECT_EQ(record.generation->file().generation, 1);
  EXPECT_EQ(record.id, "org.test.a");
  EXPECT_EQ(registry_->catalog()->heuristics.count("alpha"), 1u);
  EXPECT_EQ(CountLogged("generation 1 stays active"), 1);
  // Mended again.
  InstallPlugin("a.so", "org.test.a", "alpha", "2.0");
  record = Must(registry_->Reload("a"));
  EXPECT_FALSE(record.error.has_value());
  EXPECT_EQ(record.generation->manifest().version, "2.0");
}

TEST_F(RegistryTest, ARefusedProbeLeavesTheOldOneActive) {
  InstallPlugin("a.so", "org.test.a", "alpha", "1.0");
  registry_->Scan();
  pool_.outcomes["org.test.a"].code = "PROBE_CRASHED";
  InstallPlugin("a.so", "org.test.a", "alpha", "2.0");
  registry_->Scan();
  const PluginRecord record = Must(registry_->Get("org.test.a"));
  EXPECT_EQ(record.state, PluginState::kReady);
  EXPECT_EQ(record.error->code, LoadCode::kProbeCrashed);
  EXPECT_EQ(record.generation->manifest().version, "1.0");
}

TEST_F(RegistryTest, GoingBackToTheFirstContentGivesTheFirstContent) {
  InstallPlugin("a.so", "org.test.a", "alpha", "A");
  registry_->Scan();
  const GenerationRef first = registry_->catalog()->heuristics.find("alpha")->second.generation;
  for (const char* version : {"B", "A", "B", "A"}) {
    InstallPlugin("a.so", "org.test.a", "alpha", version);
    const PluginRecord record = Must(registry_->Reload("a"));
    EXPECT_EQ(record.generation->manifest().version, version);
    EXPECT_EQ(record.generation->manifest().raw.find(std::string("\"version\":\"") + version) != std::string::npos,
              true);
    const std::string copied = ReadFile(record.generation->file().path);
    EXPECT_NE(copied.find(std::string("\"version\":\"") + version), std::string::npos);
  }
  EXPECT_EQ(first->file().path, registry_->catalog()->heuristics.find("alpha")->second.generation->file().path)
      << "equal content shares the copy";
  EXPECT_EQ(registry_->catalog()->heuristics.find("alpha")->second.generation->file().generation, 5);
}

TEST_F(RegistryTest, ReloadOfAVanishedFileSaysSoAndKeepsTheOldOne) {
  const std::string path = InstallPlugin("a.so", "org.test.a", "alpha");
  registry_->Scan();
  std::filesystem::remove(path);
  const Error error = registry_->Reload("org.test.a").error();
  EXPECT_EQ(error.code, ErrorCode::kNotFound);
  EXPECT_NE(error.message.find("generation 1 of org.test.a stays active"), std::string::npos) << error.message;
  registry_->Scan();
  EXPECT_EQ(registry_->catalog()->heuristics.count("alpha"), 1u);
}

TEST_F(RegistryTest, OverwritingTheSourceDoesNotTouchTheActiveCopy) {
  const std::string path = InstallPlugin("a.so", "org.test.a", "alpha");
  registry_->Scan();
  const GenerationRef generation = registry_->catalog()->heuristics.find("alpha")->second.generation;
  const std::string before = ReadFile(generation->file().path);
  ASSERT_EQ(::truncate(path.c_str(), 100), 0);
  EXPECT_EQ(ReadFile(generation->file().path), before);
}

TEST_F(RegistryTest, NeverActivatesAFileThatIsWrittenInSlices) {
  const std::string bytes = ManifestText().Bytes();
  const std::string path = plugins_ + "/slow.so";
  for (size_t size = 0; size < bytes.size(); size += 1024) {
    std::ofstream(path, std::ios::binary | std::ios::app) << bytes.substr(size, 1024);
    ::chmod(path.c_str(), 0755);
    const bool complete = size + 1024 >= bytes.size();
    registry_->Scan();
    EXPECT_EQ(registry_->catalog()->heuristics.count("tiny"), complete ? 1u : 0u) << size;
  }
  EXPECT_EQ(pool_.probed.size(), 1u);
}

TEST_F(RegistryTest, UnloadTakesItOutOfTheCatalogueAndJobsKeepIt) {
  InstallPlugin("a.so", "org.test.a", "alpha");
  InstallPlugin("b.so", "org.test.b", "beta");
  registry_->Scan();
  GenerationRef job = registry_->catalog()->heuristics.find("alpha")->second.generation;
  const PluginRecord record = Must(registry_->Unload("a"));
  EXPECT_EQ(record.state, PluginState::kUnloaded);
  EXPECT_EQ(record.generation, nullptr);
  EXPECT_EQ(registry_->catalog()->heuristics.count("alpha"), 0u);
  EXPECT_EQ(registry_->catalog()->heuristics.count("beta"), 1u);
  EXPECT_TRUE(std::filesystem::exists(job->file().path));
  EXPECT_TRUE(pool_.is_retired[1]);
  ASSERT_EQ(pool_.warm.size(), 1u);
  EXPECT_EQ(pool_.warm[0].id, "org.test.b");
  registry_->Scan();
  EXPECT_EQ(Must(registry_->Get("org.test.a")).state, PluginState::kUnloaded) << "a scan does not bring it back";
  EXPECT_EQ(Must(registry_->Load("a")).state, PluginState::kReady) << "asking for it does";
  EXPECT_EQ(registry_->catalog()->heuristics.find("alpha")->second.generation->file().generation, 3);
}

TEST_F(RegistryTest, CountsTheJobsThatHoldAGeneration) {
  InstallPlugin("a.so", "org.test.a", "alpha");
  registry_->Scan();
  EXPECT_EQ(Must(registry_->Get("org.test.a")).active_jobs, 0);
  const std::shared_ptr<const Catalog> request = registry_->catalog();
  EXPECT_EQ(Must(registry_->Get("org.test.a")).active_jobs, 0) << "a catalogue is no job";
  GenerationRef one = request->heuristics.find("alpha")->second.generation;
  GenerationRef two = one;
  EXPECT_EQ(Must(registry_->Get("org.test.a")).active_jobs, 2);
  InstallPlugin("b.so", "org.test.b", "beta");
  registry_->Scan();
  EXPECT_EQ(Must(registry_->Get("org.test.a")).active_jobs, 2) << "an older catalogue is no job either";
  one.reset();
  two.reset();
  EXPECT_EQ(Must(registry_->Get("org.test.a")).active_jobs, 0);
}

TEST_F(RegistryTest, AnOldCatalogueStaysWhole) {
  InstallPlugin("a.so", "org.test.a", "alpha");
  registry_->Scan();
  const std::shared_ptr<const Catalog> old = registry_->catalog();
  ASSERT_TRUE(registry_->Unload("a").ok());
  EXPECT_EQ(old->heuristics.count("alpha"), 1u);
  EXPECT_TRUE(std::filesystem::exists(old->heuristics.find("alpha")->second.generation->file().path));
}

TEST_F(RegistryTest, GenerationsOutliveTheRegistry) {
  InstallPlugin("a.so", "org.test.a", "alpha");
  registry_->Scan();
  GenerationRef job = registry_->catalog()->heuristics.find("alpha")->second.generation;
  registry_.reset();
  const std::string path = job->file().path;
  EXPECT_TRUE(std::filesystem::exists(path));
  job.reset();
  EXPECT_FALSE(std::filesystem::exists(path));
}

TEST_F(RegistryTest, ReadersNeverWaitForOrSeeHalfOfAReload) {
  ManifestText text;
  text.heuristics = {"one", "two"};
  Install("a.so", text.Bytes());
  registry_->Scan();
  std::atomic<bool> stop = false;
  std::vector<std::thread> readers;
  for (int i = 0; i < 3; ++i) {
    readers.emplace_back([&] {
      while (!stop) {
        const std::shared_ptr<const Catalog> catalog = registry_->catalog();
        const GenerationRef one = catalog->heuristics.find("one")->second.generation;
        const GenerationRef two = catalog->heuristics.find("two")->second.generation;
        EXPECT_EQ(one, two);
        EXPECT_TRUE(std::filesystem::exists(one->file().path));
        EXPECT_EQ(registry_->List().size(), 1u);
      }
    });
  }
  for (int version = 2; version < 12; ++version) {
    text.version = std::to_string(version);
    Install("a.so", text.Bytes());
    EXPECT_EQ(Must(registry_->Reload("a")).generation->manifest().version, text.version);
  }
  stop = true;
  for (std::thread& reader : readers) reader.join();
}

}  // namespace
}  // namespace astrolabe::registry
