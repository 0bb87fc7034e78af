#include "daemon/registry/elf_file.h"

#include <elf.h>

#include <algorithm>

#include "daemon/base/utf8.h"
#include "daemon/registry/elf_names.h"
#include "daemon/registry/elf_reader.h"
#include "daemon/registry/load_error.h"
#include "daemon/workers/abi_version.h"

namespace astrolabe::registry {
namespace {

constexpr char kStage[] = "elf";
constexpr char kCopyHint[] =
    "copy the file again; install plugins by rename (install -C, mv), never by writing in place";
constexpr char kBuildHint[] = "build it with astrolabe_add_plugin() or with -shared -fPIC";
constexpr uint64_t kPageSize = 4096;
constexpr uint64_t kMaxImageBytes = uint64_t{1} << 36;
constexpr size_t kMaxSymbols = 1 << 20;
constexpr size_t kMaxNeeded = 256;

#if defined(__x86_64__)
constexpr uint16_t kHostMachine = EM_X86_64;
#elif defined(__aarch64__)
constexpr uint16_t kHostMachine = EM_AARCH64;
#endif

LoadError Truncated(const std::string& what, uint64_t size) {
  return MakeLoadError(LoadCode::kTruncated, kStage, "the file ends before " + what, what + " inside the file",
                       "a file of " + std::to_string(size) + " bytes", kCopyHint);
}

LoadError Corrupt(std::string message, std::string expected, std::string found, std::string hint = kBuildHint) {
  return MakeLoadError(LoadCode::kCorrupt, kStage, std::move(message), std::move(expected), std::move(found),
                       std::move(hint));
}

class Inspector {
 public:
  explicit Inspector(std::string_view bytes) : file_(bytes), bytes_(bytes) {}

  std::variant<ElfFacts, LoadError> Run() {
    using Step = std::optional<LoadError> (Inspector::*)();
    constexpr Step kSteps[] = {&Inspector::CheckIdent,   &Inspector::CheckHeader, &Inspector::ReadSegments,
                               &Inspector::ReadSections, &Inspector::ReadDynamic, &Inspector::ReadSymbols};
    for (Step step : kSteps) {
      if (std::optional<LoadError> error = (this->*step)()) return *std::move(error);
    }
    return std::move(facts_);
  }

 private:
  std::optional<LoadError> CheckIdent() {
    const std::string_view magic(ELFMAG, SELFMAG);
    if (bytes_.substr(0, SELFMAG) != magic.substr(0, bytes_.size())) {
      return MakeLoadError(LoadCode::kNotElf, kStage, "it is not a shared library", "an ELF shared library",
                           bytes_.substr(0, 2) == "#!" ? "a script" : "other content",
                           "only compiled plugins belong into a plugin folder as *.so");
    }
    if (bytes_.size() < EI_NIDENT) return Truncated("the ELF identification", bytes_.size());
    const auto ident = [&](size_t i) { return static_cast<unsigned char>(bytes_[i]); };
    if (ident(EI_CLASS) != ELFCLASS64)
      return WrongArch(ident(EI_CLASS) == ELFCLASS32 ? "a 32-bit library" : "an unknown class");
    if (ident(EI_DATA) != ELFDATA2LSB) return WrongArch("a big-endian library");
    return std::nullopt;
  }

  LoadError WrongArch(const std::string& found) {
    return MakeLoadError(LoadCode::kWrongArch, kStage, "it was built for another machine",
                         "a 64-bit little-endian library for " + MachineName(kHostMachine), found,
                         "build it on or for this machine");
  }

  std::optional<LoadError> CheckHeader() {
    const std::optional<Elf64_Ehdr> header = file_.Read<Elf64_Ehdr>(0);
    if (!header) return Truncated("the ELF header", bytes_.size());
    header_ = *header;
    if (header_.e_machine != kHostMachine) return WrongArch("a library for " + MachineName(header_.e_machine));
    if (header_.e_type != ET_DYN)
      return Corrupt("it is not a shared library", "a shared library (ET_DYN)", ElfTypeName(header_.e_type));
    if (header_.e_phnum == 0 || header_.e_phentsize != sizeof(Elf64_Phdr)) {
      return Corrupt("its program header table is malformed", "entries of 56 bytes",
                     std::to_string(header_.e_phnum) + " entries of " + std::to_string(header_.e_phentsize) + " bytes");
    }
    if (!file_.Inside(header_.e_phoff, uint64_t{header_.e_phnum} * sizeof(Elf64_Phdr))) {
      return Truncated("its program header table", bytes_.size());
    }
    return std::nullopt;
  }

  std::optional<LoadError> ReadSegments() {
    bool stack_seen = false;
    uint64_t last_end = 0;
    bool any_load = false;
    for (uint16_t i = 0; i < header_.e_phnum; ++i) {
      const Elf64_Phdr segment = *file_.Read<Elf64_Phdr>(header_.e_phoff + uint64_t{i} * sizeof(Elf64_Phdr));
      const std::string name = "segment " + std::to_string(i);
      if (segment.p_type == PT_LOAD || segment.p_type == PT_DYNAMIC) {
        if (!file_.Inside(segment.p_offset, segment.p_filesz)) return Truncated("the end of " + name, bytes_.size());
        if (segment.p_filesz > segment.p_memsz)
          return Corrupt(name + " has more bytes in the file than in memory", "", "");
      }
      if (segment.p_type == PT_LOAD) {
        if (segment.p_vaddr > kMaxImageBytes || segment.p_memsz > kMaxImageBytes || segment.p_vaddr < last_end ||
            (segment.p_vaddr - segment.p_offset) % kPageSize != 0) {
          return Corrupt(name + " cannot be mapped", "ascending, page-aligned segments",
                         "address " + std::to_string(segment.p_vaddr));
        }
        last_end = segment.p_vaddr + segment.p_memsz;
        any_load = true;
        if ((segment.p_flags & PF_W) != 0 && (segment.p_flags & PF_X) != 0) {
          facts_.warnings.push_back(name + " is writable and executable");
        }
      }
      if (segment.p_type == PT_DYNAMIC) dynamic_ = segment;
      if (segment.p_type == PT_GNU_STACK) {
        stack_seen = true;
        if ((segment.p_flags & PF_X) != 0) return ExecutableStack("PT_GNU_STACK with the execute flag");
      }
    }
    if (!any_load) return Corrupt("it has nothing to load", "PT_LOAD segments", "none");
    // Without the mark the loader makes the stack of the whole process executable.
    if (!stack_seen) return ExecutableStack("no PT_GNU_STACK");
    return std::nullopt;
  }

  LoadError ExecutableStack(const std::string& found) {
    return Corrupt("it wants an executable stack", "a stack without execute permission", found,
                   "link with -Wl,-z,noexecstack; assembly files need a .note.GNU-stack section");
  }

  std::optional<LoadError> ReadSections() {
    if (header_.e_shoff == 0 || header_.e_shnum == 0) return std::nullopt;  // no manifest then
    if (header_.e_shentsize != sizeof(Elf64_Shdr)) {
      return Corrupt("its section table is malformed", "entries of 64 bytes",
                     "entries of " + std::to_string(header_.e_shentsize) + " bytes");
    }
    if (!file_.Inside(header_.e_shoff, uint64_t{header_.e_shnum} * sizeof(Elf64_Shdr))) {
      return Truncated("its section table", bytes_.size());
    }
    for (uint16_t i = 0; i < header_.e_shnum; ++i) {
      sections_.push_back(*file_.Read<Elf64_Shdr>(header_.e_shoff + uint64_t{i} * sizeof(Elf64_Shdr)));
      const Elf64_Shdr& section = sections_.back();
      if (section.sh_type != SHT_NOBITS && section.sh_type != SHT_NULL &&
          !file_.Inside(section.sh_offset, section.sh_size)) {
        return Truncated("the end of section " + std::to_string(i), bytes_.size());
      }
    }
    if (header_.e_shstrndx >= sections_.size()) return Corrupt("its section names are missing", "", "");
    const std::string_view names = Bytes(sections_[header_.e_shstrndx]);
    for (const Elf64_Shdr& section : sections_) {
      if (section.sh_type == SHT_NULL) continue;
      const std::optional<std::string_view> name = StringAt(names, section.sh_name);
      if (!name) return Corrupt("a section name lies outside its table", "", "");
      if (*name != kManifestSection) continue;
      if (facts_.has_manifest)
        return Corrupt("it has two manifest sections", "one", "two", "use the entry macro once a library");
      if (section.sh_type == SHT_NOBITS || (section.sh_flags & SHF_COMPRESSED) != 0) {
        return Corrupt("its manifest section has no plain bytes", "SHT_PROGBITS, not compressed",
                       "type " + std::to_string(section.sh_type));
      }
      facts_.has_manifest = true;
      facts_.manifest = Bytes(section);
    }
    return std::nullopt;
  }

  std::string_view Bytes(const Elf64_Shdr& section) const {
    if (section.sh_type == SHT_NOBITS) return {};
    return file_.Range(section.sh_offset, section.sh_size).value_or(std::string_view());
  }

  // The dynamic section is read from the segment: that is what the loader uses.
  std::optional<LoadError> ReadDynamic() {
    if (!dynamic_) return Corrupt("it has no dynamic section", "PT_DYNAMIC", "none");
    const std::string_view strings = DynamicStrings();
    for (uint64_t at = 0; at + sizeof(Elf64_Dyn) <= dynamic_->p_filesz; at += sizeof(Elf64_Dyn)) {
      const Elf64_Dyn entry = *file_.Read<Elf64_Dyn>(dynamic_->p_offset + at);
      if (entry.d_tag == DT_NULL) break;
      const bool text_relocations =
          entry.d_tag == DT_TEXTREL || (entry.d_tag == DT_FLAGS && (entry.d_un.d_val & DF_TEXTREL) != 0);
      if (text_relocations) {
        return Corrupt("it has text relocations: its code would be patched at load", "position-independent code",
                       "DT_TEXTREL", "compile every object with -fPIC and link with -Wl,-z,text");
      }
      if (entry.d_tag == DT_FLAGS && (entry.d_un.d_val & DF_STATIC_TLS) != 0) {
        facts_.warnings.push_back(
            "it uses static TLS (DF_STATIC_TLS), of which a process has little: link without initial-exec thread "
            "locals");
      }
      if (entry.d_tag == DT_NEEDED && facts_.needed.size() < kMaxNeeded) {
        if (const auto name = StringAt(strings, entry.d_un.d_val)) facts_.needed.push_back(ToValidUtf8(*name));
      }
    }
    return std::nullopt;
  }

  std::string_view DynamicStrings() const {
    for (const Elf64_Shdr& section : sections_) {
      if (section.sh_type == SHT_DYNAMIC && section.sh_link < sections_.size())
        return Bytes(sections_[section.sh_link]);
    }
    return {};
  }

  std::optional<LoadError> ReadSymbols() {
    for (const Elf64_Shdr& section : sections_) {
      if (section.sh_type != SHT_DYNSYM) continue;
      if (section.sh_link >= sections_.size()) return Corrupt("its symbol names are missing", "", "");
      const std::string_view names = Bytes(sections_[section.sh_link]);
      const uint64_t count = section.sh_size / sizeof(Elf64_Sym);
      if (count > kMaxSymbols)
        return Corrupt("it has too many symbols", "at most " + std::to_string(kMaxSymbols), std::to_string(count));
      for (uint64_t i = 1; i < count; ++i) {
        const Elf64_Sym symbol = *file_.Read<Elf64_Sym>(section.sh_offset + i * sizeof(Elf64_Sym));
        const std::optional<std::string_view> name = StringAt(names, symbol.st_name);
        if (!name) return Corrupt("a symbol name lies outside its table", "", "");
        NoteSymbol(symbol, *name);
      }
    }
    if (facts_.exported.size() > 1) {
      std::string first;
      for (const std::string& name : facts_.exported) {
        if (name == kEntrySymbol) continue;
        first = name;
        break;
      }
      facts_.warnings.push_back("it exports " + std::to_string(facts_.exported.size()) + " symbols (" + first +
                                ", ...) where one is enough: build with -fvisibility=hidden and --exclude-libs,ALL");
    }
    return std::nullopt;
  }

  void NoteSymbol(const Elf64_Sym& symbol, std::string_view name) {
    const auto binding = ELF64_ST_BIND(symbol.st_info);
    const auto visibility = ELF64_ST_VISIBILITY(symbol.st_other);
    if (symbol.st_shndx == SHN_UNDEF || binding == STB_LOCAL || visibility == STV_HIDDEN || visibility == STV_INTERNAL)
      return;
    if (name == kEntrySymbol) {
      facts_.exports_entry = true;
    } else if (name.starts_with(kEntryPrefix)) {
      facts_.other_entry = ToValidUtf8(name.substr(0, 64));
    }
    if (binding == STB_WEAK || IsLinkerSymbol(name)) return;
    facts_.exported.push_back(ToValidUtf8(name.substr(0, 256)));
  }

  const ElfReader file_;
  const std::string_view bytes_;
  Elf64_Ehdr header_{};
  std::optional<Elf64_Phdr> dynamic_;
  std::vector<Elf64_Shdr> sections_;
  ElfFacts facts_;
};

}  // namespace

std::variant<ElfFacts, LoadError> InspectElf(std::string_view bytes) { return Inspector(bytes).Run(); }

}  // namespace astrolabe::registry
