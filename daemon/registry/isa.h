// Can this machine run code built for an ISA level?
#ifndef ASTROLABE_DAEMON_REGISTRY_ISA_H_
#define ASTROLABE_DAEMON_REGISTRY_ISA_H_

#include <string>
#include <string_view>

namespace astrolabe::registry {

// "x86-64" .. "x86-64-v4" or "aarch64".
bool IsKnownIsa(std::string_view isa);
// The highest of these names that this machine runs. From CPUID, once.
std::string_view HostIsa();
// True when a machine whose highest level is `host` runs code for `isa`. Both are known names.
bool IsaRuns(std::string_view isa, std::string_view host);

}  // namespace astrolabe::registry

#endif  // ASTROLABE_DAEMON_REGISTRY_ISA_H_
