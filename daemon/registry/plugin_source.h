// Reading a plugin file from where an administrator put it: who may have written it, and its bytes.
#ifndef ASTROLABE_DAEMON_REGISTRY_PLUGIN_SOURCE_H_
#define ASTROLABE_DAEMON_REGISTRY_PLUGIN_SOURCE_H_

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "daemon/registry/registry.h"

namespace astrolabe::registry {

// Changes whenever the file is written, replaced, or has its owner or mode changed.
struct FileStamp {
  uint64_t device = 0;
  uint64_t inode = 0;
  int64_t size = 0;
  int64_t modified_ns = 0;
  int64_t changed_ns = 0;
  bool operator==(const FileStamp&) const = default;
};

struct PluginSource {
  FileStamp stamp;
  std::string bytes;
  std::string sha256;  // 64 hex digits
};

inline constexpr size_t kMaxPluginBytes = 256u << 20;

// Of the file itself, symbolic links not followed. Nothing when there is none.
std::optional<FileStamp> StampOf(const std::string& path);

// File and folder must belong to root or to this user and be writable by nobody else; links are refused.
// The bytes are read twice: a file that is being written is told as TRUNCATED.
std::variant<PluginSource, LoadError> ReadPluginSource(const std::string& path);

std::string Sha256Hex(std::string_view bytes);

// All *.so of the folders, whatever they are: in the order of the folders, sorted by name, the first of a
// name wins. Folders that do not exist are skipped; others that cannot be read are told in `problems`.
std::vector<std::string> DiscoverPlugins(const std::vector<std::string>& folders, std::vector<std::string>* problems);

}  // namespace astrolabe::registry

#endif  // ASTROLABE_DAEMON_REGISTRY_PLUGIN_SOURCE_H_
