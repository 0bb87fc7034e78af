// The manifest section of a plugin: JSON, see plugins/abi/STYLE.md. Written by strangers.
#ifndef ASTROLABE_DAEMON_REGISTRY_MANIFEST_PARSER_H_
#define ASTROLABE_DAEMON_REGISTRY_MANIFEST_PARSER_H_

#include <string_view>
#include <variant>

#include "daemon/registry/registry.h"

namespace astrolabe::registry {

inline constexpr size_t kMaxManifestBytes = 1 << 20;

// Checks everything that the text alone decides: syntax, types, bounds, ids, ABI range. An error names
// all faults, not only the first. ABI numbers are judged before the rest, whose shape they decide.
std::variant<Manifest, LoadError> ParseManifest(std::string_view text);

}  // namespace astrolabe::registry

#endif  // ASTROLABE_DAEMON_REGISTRY_MANIFEST_PARSER_H_
