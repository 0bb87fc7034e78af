// What this build knows of the plugin ABI without including it: plugins are the worker's business.
// A test compares these with plugins/abi.
#ifndef ASTROLABE_DAEMON_WORKERS_ABI_VERSION_H_
#define ASTROLABE_DAEMON_WORKERS_ABI_VERSION_H_

namespace astrolabe {

inline constexpr int kAbiMajor = 1;
inline constexpr int kAbiMinor = 0;
// The symbol that a plugin exports, its prefix in every major, and the section with its manifest.
inline constexpr char kEntrySymbol[] = "astro_plugin_v1";
inline constexpr char kEntryPrefix[] = "astro_plugin_v";
inline constexpr char kManifestSection[] = ".astro.manifest";

}  // namespace astrolabe

#endif  // ASTROLABE_DAEMON_WORKERS_ABI_VERSION_H_
