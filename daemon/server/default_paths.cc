#include "daemon/server/default_paths.h"

#include <pwd.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>

namespace astrolabe::server {
namespace {

std::string UserTmp() { return "/tmp/astrolabe-" + std::to_string(::geteuid()); }

std::string Home(const Environment& env) {
  std::string home = env("HOME");
  if (home.empty()) {
    std::array<char, 4096> buffer;
    passwd entry;
    passwd* found = nullptr;
    if (::getpwuid_r(::geteuid(), &entry, buffer.data(), buffer.size(), &found) == 0 && found != nullptr) {
      home = found->pw_dir;
    }
  }
  return home.empty() || home.front() != '/' ? UserTmp() : home;
}

// The XDG rule: a relative value is ignored.
std::string XdgDir(const Environment& env, const char* variable, const char* below_home) {
  const std::string value = env(variable);
  return (!value.empty() && value.front() == '/' ? value : Home(env) + below_home) + "/astrolabe";
}

std::string HexHash(std::string_view text) {  // FNV-1a: a name, not a secret
  uint64_t hash = 14695981039346656037u;
  for (const char c : text) hash = (hash ^ static_cast<unsigned char>(c)) * 1099511628211u;
  char out[17];
  std::snprintf(out, sizeof out, "%016llx", static_cast<unsigned long long>(hash));
  return out;
}

Error Unusable(const std::string& dir, const std::string& why) {
  return MakeError(ErrorCode::kFailedPrecondition, "UNSAFE_FOLDER", "cannot use the folder " + dir + ": " + why);
}

}  // namespace

std::string ProcessEnvironment(const std::string& name) {
  const char* value = std::getenv(name.c_str());
  return value == nullptr ? "" : value;
}

std::string RuntimeDir(const Environment& env) {
  const std::string runtime = env("XDG_RUNTIME_DIR");
  return !runtime.empty() && runtime.front() == '/' ? runtime + "/astrolabe" : UserTmp();
}

std::string DefaultSocketPath(const Environment& env) { return RuntimeDir(env) + "/astrolabed.sock"; }

std::string DefaultCacheDir(const Environment& env) { return XdgDir(env, "XDG_CACHE_HOME", "/.cache"); }

std::string DefaultStateDir(const Environment& env, std::string_view address) {
  return XdgDir(env, "XDG_STATE_HOME", "/.local/state") + "/" + HexHash(address);
}

std::string DefaultConfigFile(const Environment& env) {
  return XdgDir(env, "XDG_CONFIG_HOME", "/.config") + "/astrolabed.toml";
}

std::string ProgramDir() {
  std::error_code error;
  const std::filesystem::path self = std::filesystem::read_symlink("/proc/self/exe", error);
  return error ? "." : self.parent_path().string();
}

std::vector<std::string> PluginDirs(const Environment& env, const std::string& program_dir,
                                    const std::vector<std::string>& extra) {
  std::vector<std::string> out;
  out.push_back(std::filesystem::path(program_dir + "/../lib/astrolabe/plugins").lexically_normal().string());
  out.push_back(XdgDir(env, "XDG_DATA_HOME", "/.local/share") + "/plugins");
  out.insert(out.end(), extra.begin(), extra.end());
  return out;
}

Status EnsurePrivateDir(const std::string& dir) {
  std::error_code error;
  const std::filesystem::path parent = std::filesystem::path(dir).parent_path();
  if (!parent.empty()) std::filesystem::create_directories(parent, error);
  if (::mkdir(dir.c_str(), 0700) != 0 && errno != EEXIST) return Unusable(dir, std::strerror(errno));
  struct stat info;
  if (::lstat(dir.c_str(), &info) != 0) return Unusable(dir, std::strerror(errno));
  if (!S_ISDIR(info.st_mode)) return Unusable(dir, "it is no folder (or a symbolic link to one)");
  if (info.st_uid != ::geteuid()) {
    return Unusable(dir, "it belongs to user " + std::to_string(info.st_uid) + ", not to you; set --address");
  }
  if ((info.st_mode & 077) != 0) return Unusable(dir, "others can enter it; make it private: chmod 700 " + dir);
  return {};
}

}  // namespace astrolabe::server
