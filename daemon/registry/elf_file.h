// What a plugin's bytes say about themselves as an ELF file, without mapping or running them.
//
// glibc is no help here: it calls a library of another machine "No such file" and dies of SIGBUS on a
// truncated one. Every offset, size and index below is checked against the bytes there are.
#ifndef ASTROLABE_DAEMON_REGISTRY_ELF_FILE_H_
#define ASTROLABE_DAEMON_REGISTRY_ELF_FILE_H_

#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "daemon/registry/registry.h"

namespace astrolabe::registry {

struct ElfFacts {
  bool has_manifest = false;
  std::string_view manifest;          // inside the inspected bytes
  std::vector<std::string> exported;  // strong symbols that others could bind to
  bool exports_entry = false;         // astro_plugin_v1
  std::string other_entry;            // "astro_plugin_v2", of another major
  std::vector<std::string> needed;    // DT_NEEDED
  std::vector<std::string> warnings;
};

std::variant<ElfFacts, LoadError> InspectElf(std::string_view bytes);

}  // namespace astrolabe::registry

#endif  // ASTROLABE_DAEMON_REGISTRY_ELF_FILE_H_
