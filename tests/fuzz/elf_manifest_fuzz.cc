// Fuzzes what the registry reads from files of strangers: the ELF tables and the manifest.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string_view>
#include <variant>

#include "daemon/registry/elf_file.h"
#include "daemon/registry/manifest_parser.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const std::string_view bytes(reinterpret_cast<const char*>(data), size);
  const auto elf = astrolabe::registry::InspectElf(bytes);
  if (const auto* facts = std::get_if<astrolabe::registry::ElfFacts>(&elf)) {
    (void)astrolabe::registry::ParseManifest(facts->manifest);
  } else if (std::get<astrolabe::registry::LoadError>(elf).message.empty()) {
    std::abort();  // every refusal says why
  }
  (void)astrolabe::registry::ParseManifest(bytes);
  return 0;
}
