#include <elf.h>
#include <gtest/gtest.h>

#include <cstring>
#include <fstream>
#include <iterator>
#include <nlohmann/json.hpp>
#include <vector>

#include "astrolabe/sdk/testing/under_test.h"
#include "plugins_under_test.h"

namespace {

// As much of an ELF file as these tests ask for.
class ElfFile {
 public:
  explicit ElfFile(const std::string& name) {
    std::ifstream in(name, std::ios::binary);
    bytes_.assign(std::istreambuf_iterator<char>(in), {});
  }
  std::string Section(const std::string& name) const {
    const Elf64_Shdr* section = Find(name);
    return section == nullptr ? "" : std::string(bytes_.data() + section->sh_offset, section->sh_size);
  }
  std::vector<std::string> ExportedSymbols() const {
    std::vector<std::string> names;
    const Elf64_Shdr* symbols = Find(".dynsym");
    const std::string strings = Section(".dynstr");
    const auto* symbol = reinterpret_cast<const Elf64_Sym*>(bytes_.data() + symbols->sh_offset);
    for (size_t i = 0; i < symbols->sh_size / sizeof(Elf64_Sym); ++i) {
      if (symbol[i].st_shndx != SHN_UNDEF) names.emplace_back(strings.c_str() + symbol[i].st_name);
    }
    return names;
  }

 private:
  const Elf64_Shdr* Find(const std::string& name) const {
    const auto* header = reinterpret_cast<const Elf64_Ehdr*>(bytes_.data());
    const auto* sections = reinterpret_cast<const Elf64_Shdr*>(bytes_.data() + header->e_shoff);
    const char* names = bytes_.data() + sections[header->e_shstrndx].sh_offset;
    for (int i = 0; i < header->e_shnum; ++i) {
      if (name == names + sections[i].sh_name) return &sections[i];
    }
    return nullptr;
  }
  std::vector<char> bytes_;
};

class PluginFileTest : public ::testing::TestWithParam<const char*> {};
INSTANTIATE_TEST_SUITE_P(Ours, PluginFileTest,
                         ::testing::Values("sliding_tile", "manhattan", "hamming", "zero", "match_score",
                                           "linear_conflict", "gaschnig", "walking_distance", "pattern_database"));

TEST_P(PluginFileTest, ExportsOneSymbol) {
  EXPECT_EQ(ElfFile(PluginFile(GetParam())).ExportedSymbols(), std::vector<std::string>{"astro_plugin_v1"});
}

TEST_P(PluginFileTest, HasTheSameManifestInItsSectionAndInMemory) {
  const std::string section = ElfFile(PluginFile(GetParam())).Section(".astro.manifest");
  EXPECT_NE(section, "");
  EXPECT_EQ(section.find('\0'), std::string::npos);
  EXPECT_EQ(section, astro::ToView(Plugin(GetParam())->manifest));
  EXPECT_EQ(nlohmann::json::parse(section)["id"], std::string("org.astrolabe.") + GetParam());
}

TEST_P(PluginFileTest, RunsOnEveryMachineOfItsKind) {
  const auto manifest = nlohmann::json::parse(astro::ToView(Plugin(GetParam())->manifest));
  EXPECT_TRUE(manifest["isa"] == "x86-64" || manifest["isa"] == "aarch64") << manifest["isa"];
}

TEST(PluginManifest, OfSlidingTileNamesItsDefaults) {
  const auto problem = nlohmann::json::parse(astro::ToView(Plugin("sliding_tile")->manifest))["problems"][0];
  EXPECT_EQ(problem["id"], "sliding_tile");
  EXPECT_EQ(problem["default_algorithm"], "idastar");
  EXPECT_EQ(problem["default_heuristic"], "manhattan");
  EXPECT_EQ(problem["state_layout"], "sliding_tile/1");
  EXPECT_EQ(problem["params"][0]["name"], "goal");
  EXPECT_FALSE(problem["params"][0].contains("default"));
}

// What the manifest shows to users must work.
TEST(PluginManifest, OfSlidingTileHasExamplesThatParse) {
  const auto problem = nlohmann::json::parse(astro::ToView(Plugin("sliding_tile")->manifest))["problems"][0];
  astro::testing::FakeHost host;
  EXPECT_GE(problem["examples"].size(), 3u);
  for (const auto& example : problem["examples"]) {
    astro::testing::ProblemUnderTest parsed(Plugin("sliding_tile").Problem(), host, example["text"].get<std::string>());
    EXPECT_TRUE(parsed.ok()) << example["title"] << "\n" << parsed.faults.Text();
    EXPECT_EQ(parsed.Solvable().first, static_cast<uint32_t>(ASTRO_SOLVABLE_YES));
  }
}

}  // namespace
