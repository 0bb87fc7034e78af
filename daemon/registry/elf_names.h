// Names for people of the numbers in ELF headers.
#ifndef ASTROLABE_DAEMON_REGISTRY_ELF_NAMES_H_
#define ASTROLABE_DAEMON_REGISTRY_ELF_NAMES_H_

#include <cstdint>
#include <string>
#include <string_view>

namespace astrolabe::registry {

std::string MachineName(uint16_t machine);
std::string ElfTypeName(uint16_t type);
// Symbols that old linkers define in every library.
bool IsLinkerSymbol(std::string_view name);

}  // namespace astrolabe::registry

#endif  // ASTROLABE_DAEMON_REGISTRY_ELF_NAMES_H_
