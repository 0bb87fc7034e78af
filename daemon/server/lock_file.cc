#include "daemon/server/lock_file.h"

#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <utility>

namespace astrolabe::server {

Result<Fd> TakeLockFile(const std::string& path) {
  const auto failed = [&](const char* doing) {
    return MakeError(ErrorCode::kFailedPrecondition, "LOCK_FILE",
                     std::string(doing) + " " + path + ": " + std::strerror(errno));
  };
  Fd fd(::open(path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0600));
  if (!fd.valid()) return failed("opening");
  if (::flock(fd.get(), LOCK_EX | LOCK_NB) != 0) {
    if (errno != EWOULDBLOCK) return failed("locking");
    Error held = MakeError(ErrorCode::kAlreadyExists, "LOCKED", path + " is locked by another process");
    char text[32] = {};
    const ssize_t size = ::pread(fd.get(), text, sizeof text - 1, 0);
    const long pid = size > 0 ? std::strtol(text, nullptr, 10) : 0;
    if (pid > 0) held.metadata["pid"] = std::to_string(pid);
    return held;
  }
  const std::string pid = std::to_string(::getpid()) + "\n";
  if (::ftruncate(fd.get(), 0) != 0 ||
      ::pwrite(fd.get(), pid.data(), pid.size(), 0) != static_cast<ssize_t>(pid.size())) {
    return failed("writing");
  }
  return fd;
}

}  // namespace astrolabe::server
