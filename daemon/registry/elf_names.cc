#include "daemon/registry/elf_names.h"

#include <elf.h>

namespace astrolabe::registry {

std::string MachineName(uint16_t machine) {
  switch (machine) {
    case EM_X86_64:
      return "x86-64";
    case EM_AARCH64:
      return "aarch64";
    case EM_386:
      return "i386";
    case EM_ARM:
      return "arm";
    case EM_RISCV:
      return "riscv";
    case EM_PPC64:
      return "ppc64";
    case EM_S390:
      return "s390";
    default:
      return "machine " + std::to_string(machine);
  }
}

std::string ElfTypeName(uint16_t type) {
  switch (type) {
    case ET_REL:
      return "an object file (ET_REL)";
    case ET_EXEC:
      return "a program (ET_EXEC)";
    case ET_CORE:
      return "a core dump (ET_CORE)";
    default:
      return "type " + std::to_string(type);
  }
}

bool IsLinkerSymbol(std::string_view name) {
  for (std::string_view known :
       {"_init", "_fini", "_edata", "_end", "__bss_start", "_GLOBAL_OFFSET_TABLE_", "_DYNAMIC"}) {
    if (name == known) return true;
  }
  return false;
}

}  // namespace astrolabe::registry
