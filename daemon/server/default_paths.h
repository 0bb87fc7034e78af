// Where things are when nobody says otherwise.
#ifndef ASTROLABE_DAEMON_SERVER_DEFAULT_PATHS_H_
#define ASTROLABE_DAEMON_SERVER_DEFAULT_PATHS_H_

#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "daemon/base/result.h"

namespace astrolabe::server {

// Looks up an environment variable; empty when unset.
using Environment = std::function<std::string(const std::string& name)>;
std::string ProcessEnvironment(const std::string& name);

// $XDG_RUNTIME_DIR/astrolabe, else /tmp/astrolabe-UID.
std::string RuntimeDir(const Environment& env);
std::string DefaultSocketPath(const Environment& env);
// ${XDG_CACHE_HOME:-~/.cache}/astrolabe
std::string DefaultCacheDir(const Environment& env);
// ${XDG_STATE_HOME:-~/.local/state}/astrolabe/<hash of the address>: two daemons of one user never share it.
std::string DefaultStateDir(const Environment& env, std::string_view address);
// ${XDG_CONFIG_HOME:-~/.config}/astrolabe/astrolabed.toml
std::string DefaultConfigFile(const Environment& env);
// Folder of the running program.
std::string ProgramDir();
// PREFIX/lib/astrolabe/plugins, then ${XDG_DATA_HOME:-~/.local/share}/astrolabe/plugins, then `extra`.
std::vector<std::string> PluginDirs(const Environment& env, const std::string& program_dir,
                                    const std::vector<std::string>& extra);

// Makes `dir` and its parents if missing, 0700. kFailedPrecondition unless it is a real folder of this user
// that nobody else can enter.
Status EnsurePrivateDir(const std::string& dir);

}  // namespace astrolabe::server

#endif  // ASTROLABE_DAEMON_SERVER_DEFAULT_PATHS_H_
