#include "client/cli/default_address.h"

#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>

namespace astrolabe::cli {
namespace {

constexpr size_t kMaxSocketPath = 100;  // the kernel takes 107 bytes; the daemon appends a suffix while it binds

std::string FolderOf(const std::string& path) {
  const size_t slash = path.rfind('/');
  if (slash == std::string::npos) return ".";
  return slash == 0 ? "/" : path.substr(0, slash);
}

absl::Status Unusable(const std::string& folder, const std::string& why) {
  return absl::FailedPreconditionError("cannot use the folder " + folder + ": " + why);
}

}  // namespace

std::string DefaultSocket() {
  const char* runtime = std::getenv("XDG_RUNTIME_DIR");
  // The XDG rule: a relative value is ignored.
  const std::string folder = runtime != nullptr && *runtime == '/' ? std::string(runtime) + "/astrolabe"
                                                                   : "/tmp/astrolabe-" + std::to_string(geteuid());
  return folder + "/astrolabed.sock";
}

std::string SocketPath(const std::string& address) {
  if (!address.starts_with("unix:")) return "";
  std::string path = address.substr(5);
  if (path.starts_with("//")) path.erase(0, 2);
  return path;
}

std::string DaemonLog(const std::string& socket) { return FolderOf(socket) + "/astrolabed.log"; }

absl::Status PrepareFolder(const std::string& socket) {
  if (socket.size() >= kMaxSocketPath) {
    return absl::FailedPreconditionError("the socket path " + socket + " is too long; expected less than " +
                                         std::to_string(kMaxSocketPath) +
                                         " bytes: set XDG_RUNTIME_DIR to a shorter path or name one with --server");
  }
  const std::string folder = FolderOf(socket);
  if (mkdir(folder.c_str(), 0700) != 0 && errno != EEXIST) return Unusable(folder, std::strerror(errno));
  struct stat info;
  if (lstat(folder.c_str(), &info) != 0) return Unusable(folder, std::strerror(errno));
  if (!S_ISDIR(info.st_mode)) return Unusable(folder, "it is not a folder (or a symbolic link to one)");
  if (info.st_uid != geteuid()) {
    return Unusable(folder, "it belongs to user " + std::to_string(info.st_uid) + ", not to you");
  }
  if ((info.st_mode & 077) != 0) return Unusable(folder, "others can enter it; make it private: chmod 700 " + folder);
  return absl::OkStatus();
}

}  // namespace astrolabe::cli
