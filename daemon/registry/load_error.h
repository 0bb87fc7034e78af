// Making and printing of LoadError.
#ifndef ASTROLABE_DAEMON_REGISTRY_LOAD_ERROR_H_
#define ASTROLABE_DAEMON_REGISTRY_LOAD_ERROR_H_

#include <optional>
#include <string>
#include <string_view>

#include "daemon/registry/registry.h"

namespace astrolabe::registry {

LoadError MakeLoadError(LoadCode code, std::string stage, std::string message, std::string expected, std::string found,
                        std::string hint);
// The code of a name as in ProbeOutcome; nothing when there is none of that name.
std::optional<LoadCode> ParseLoadCode(std::string_view name);
// One line: "NOT_ELF (elf): message; expected ...; found ...; hint".
std::string DescribeLoadError(const LoadError& error);
bool SameLoadError(const LoadError& a, const LoadError& b);

}  // namespace astrolabe::registry

#endif  // ASTROLABE_DAEMON_REGISTRY_LOAD_ERROR_H_
