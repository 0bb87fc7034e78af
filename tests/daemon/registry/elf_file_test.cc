#include "daemon/registry/elf_file.h"

#include <elf.h>

#include <random>

#include "tests/daemon/registry/plugin_files.h"

namespace astrolabe::registry {
namespace {

ElfFacts Facts(const std::string& bytes) {
  std::variant<ElfFacts, LoadError> result = InspectElf(bytes);
  if (auto* error = std::get_if<LoadError>(&result)) {
    ADD_FAILURE() << LoadCodeName(error->code) << " " << error->message;
    return {};
  }
  return std::get<ElfFacts>(result);
}

LoadError Refusal(const std::string& bytes) {
  std::variant<ElfFacts, LoadError> result = InspectElf(bytes);
  if (std::holds_alternative<ElfFacts>(result)) {
    ADD_FAILURE() << "it was accepted";
    return {};
  }
  const LoadError& error = std::get<LoadError>(result);
  EXPECT_EQ(error.stage, "elf");
  EXPECT_FALSE(error.message.empty());
  EXPECT_FALSE(error.hint.empty());
  return error;
}

Elf64_Ehdr Header(const std::string& bytes) {
  Elf64_Ehdr header;
  std::memcpy(&header, bytes.data(), sizeof header);
  return header;
}

// The offset of the program header of this type.
size_t SegmentOffset(const std::string& bytes, uint32_t type) {
  const Elf64_Ehdr header = Header(bytes);
  for (uint16_t i = 0; i < header.e_phnum; ++i) {
    const size_t at = header.e_phoff + i * sizeof(Elf64_Phdr);
    Elf64_Phdr segment;
    std::memcpy(&segment, bytes.data() + at, sizeof segment);
    if (segment.p_type == type) return at;
  }
  ADD_FAILURE() << "no such segment";
  return 0;
}

TEST(InspectElf, FindsManifestAndEntryOfAGoodPlugin) {
  const std::string bytes = Tiny("good");
  const ElfFacts facts = Facts(bytes);
  EXPECT_TRUE(facts.has_manifest);
  EXPECT_EQ(facts.manifest.substr(0, 35), R"({"schema":1,"id":"org.test.tiny","v)");
  EXPECT_TRUE(facts.exports_entry);
  EXPECT_EQ(facts.exported, (std::vector<std::string>{"astro_plugin_v1"}));
  EXPECT_EQ(facts.warnings, std::vector<std::string>{});
  EXPECT_EQ(facts.needed, (std::vector<std::string>{"libc.so.6"}));
}

TEST(InspectElf, CallsOtherContentNotElf) {
  EXPECT_EQ(Refusal("this is text\n").code, LoadCode::kNotElf);
  EXPECT_EQ(Refusal("x").code, LoadCode::kNotElf);
  EXPECT_EQ(Refusal("#!/bin/sh\n").found, "a script");
}

TEST(InspectElf, CallsAnEmptyFileAndEveryPrefixTruncated) {
  const std::string bytes = Tiny("good");
  EXPECT_EQ(Refusal("").code, LoadCode::kTruncated);
  for (size_t size = 1; size < bytes.size(); size += size < 200 ? 1 : 997) {
    std::variant<ElfFacts, LoadError> result = InspectElf(std::string_view(bytes).substr(0, size));
    ASSERT_TRUE(std::holds_alternative<LoadError>(result)) << size;
    EXPECT_EQ(std::get<LoadError>(result).code, LoadCode::kTruncated) << size;
  }
  EXPECT_EQ(Refusal(bytes.substr(0, bytes.size() - 1)).code, LoadCode::kTruncated);
}

TEST(InspectElf, TellsTheMachineItWasBuiltFor) {
  const std::string bytes = Tiny("good");
  EXPECT_EQ(Refusal(Patched<uint8_t>(bytes, EI_CLASS, ELFCLASS32)).found, "a 32-bit library");
  EXPECT_EQ(Refusal(Patched<uint8_t>(bytes, EI_DATA, ELFDATA2MSB)).found, "a big-endian library");
  const LoadError error = Refusal(Patched<uint16_t>(bytes, offsetof(Elf64_Ehdr, e_machine), EM_RISCV));
  EXPECT_EQ(error.code, LoadCode::kWrongArch);
  EXPECT_EQ(error.found, "a library for riscv");
}

TEST(InspectElf, RefusesObjectFilesAndPrograms) {
  const std::string bytes = Tiny("good");
  const LoadError error = Refusal(Patched<uint16_t>(bytes, offsetof(Elf64_Ehdr, e_type), ET_REL));
  EXPECT_EQ(error.code, LoadCode::kCorrupt);
  EXPECT_EQ(error.found, "an object file (ET_REL)");
  EXPECT_EQ(Refusal(Patched<uint16_t>(bytes, offsetof(Elf64_Ehdr, e_type), ET_EXEC)).found, "a program (ET_EXEC)");
}

TEST(InspectElf, RefusesTablesThatLieOutside) {
  const std::string bytes = Tiny("good");
  for (uint64_t offset : {uint64_t{bytes.size()}, ~uint64_t{0}, ~uint64_t{0} - 63, uint64_t{1} << 63}) {
    EXPECT_EQ(Refusal(Patched(bytes, offsetof(Elf64_Ehdr, e_phoff), offset)).code, LoadCode::kTruncated) << offset;
    EXPECT_EQ(Refusal(Patched(bytes, offsetof(Elf64_Ehdr, e_shoff), offset)).code, LoadCode::kTruncated) << offset;
  }
  EXPECT_EQ(Refusal(Patched<uint16_t>(bytes, offsetof(Elf64_Ehdr, e_phentsize), 1)).code, LoadCode::kCorrupt);
  EXPECT_EQ(Refusal(Patched<uint16_t>(bytes, offsetof(Elf64_Ehdr, e_shentsize), 0)).code, LoadCode::kCorrupt);
  EXPECT_EQ(Refusal(Patched<uint16_t>(bytes, offsetof(Elf64_Ehdr, e_shstrndx), 0xfff0)).code, LoadCode::kCorrupt);
}

TEST(InspectElf, FindsNoManifestWithoutSectionTable) {
  const std::string bytes = Tiny("good");
  const ElfFacts facts = Facts(Patched<uint64_t>(bytes, offsetof(Elf64_Ehdr, e_shoff), 0));
  EXPECT_FALSE(facts.has_manifest);
}

TEST(InspectElf, RefusesASegmentThatEndsBehindTheFile) {
  const std::string bytes = Tiny("good");
  const size_t at = SegmentOffset(bytes, PT_LOAD);
  EXPECT_EQ(Refusal(Patched<uint64_t>(bytes, at + offsetof(Elf64_Phdr, p_filesz), bytes.size() + 1)).code,
            LoadCode::kTruncated);
  EXPECT_EQ(Refusal(Patched<uint64_t>(bytes, at + offsetof(Elf64_Phdr, p_memsz), 1)).code, LoadCode::kCorrupt);
  EXPECT_EQ(Refusal(Patched<uint64_t>(bytes, at + offsetof(Elf64_Phdr, p_memsz), ~uint64_t{0})).code,
            LoadCode::kCorrupt);
  EXPECT_EQ(Refusal(Patched<uint64_t>(bytes, at + offsetof(Elf64_Phdr, p_vaddr), 1)).code, LoadCode::kCorrupt);
}

TEST(InspectElf, RefusesAnExecutableStack) {
  const LoadError error = Refusal(Tiny("exec_stack"));
  EXPECT_EQ(error.code, LoadCode::kCorrupt);
  EXPECT_EQ(error.message, "it wants an executable stack");
  const std::string bytes = Tiny("good");
  const size_t at = SegmentOffset(bytes, PT_GNU_STACK);
  EXPECT_EQ(Refusal(Patched<uint32_t>(bytes, at, PT_NULL)).found, "no PT_GNU_STACK");
}

TEST(InspectElf, RefusesTextRelocations) {
  std::string bytes = Tiny("good");
  const size_t at = SegmentOffset(bytes, PT_DYNAMIC);
  uint64_t offset = 0;
  std::memcpy(&offset, bytes.data() + at + offsetof(Elf64_Phdr, p_offset), sizeof offset);
  const LoadError error = Refusal(Patched<int64_t>(bytes, offset, DT_TEXTREL));
  EXPECT_EQ(error.code, LoadCode::kCorrupt);
  EXPECT_NE(error.hint.find("-fPIC"), std::string::npos);
}

TEST(InspectElf, WarnsOfStaticTls) {
  const ElfFacts facts = Facts(Tiny("static_tls"));
  ASSERT_EQ(facts.warnings.size(), 1u);
  EXPECT_NE(facts.warnings[0].find("static TLS"), std::string::npos);
}

TEST(InspectElf, WarnsOfMoreThanOneStrongExport) {
  const ElfFacts facts = Facts(Tiny("two_exports"));
  ASSERT_EQ(facts.warnings.size(), 1u);
  EXPECT_NE(facts.warnings[0].find("exports 2 symbols (helper_that_leaks"), std::string::npos) << facts.warnings[0];
}

TEST(InspectElf, SeesWhatIsMissing) {
  EXPECT_FALSE(Facts(Tiny("no_manifest")).has_manifest);
  EXPECT_FALSE(Facts(Tiny("no_entry")).exports_entry);
  EXPECT_EQ(Facts(Tiny("next_major")).other_entry, "astro_plugin_v2");
}

TEST(InspectElf, SurvivesAnyFlippedByte) {
  const std::string bytes = Tiny("good");
  std::mt19937 random(7);
  for (int round = 0; round < 20000; ++round) {
    std::string broken = bytes;
    // The tables at both ends are where it hurts.
    const size_t span = round % 2 == 0 ? 1024 : 4096;
    const size_t at = round % 2 == 0 ? random() % span : bytes.size() - 1 - random() % span;
    broken[at] = static_cast<char>(random());
    broken[(at + 1 + random() % 8) % broken.size()] = static_cast<char>(random());
    std::variant<ElfFacts, LoadError> result = InspectElf(broken);
    if (auto* facts = std::get_if<ElfFacts>(&result)) {
      if (!facts->manifest.empty()) {
        EXPECT_GE(facts->manifest.data(), broken.data());
        EXPECT_LE(facts->manifest.data() + facts->manifest.size(), broken.data() + broken.size());
      }
    } else {
      EXPECT_NE(std::get<LoadError>(result).code, LoadCode::kNone);
    }
  }
}

}  // namespace
}  // namespace astrolabe::registry
