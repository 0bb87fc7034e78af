#include "daemon/server/listener.h"

#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <utility>

#include "daemon/server/lock_file.h"

namespace astrolabe::server {
namespace {

Error Unusable(const std::string& path, const std::string& why) {
  return MakeError(ErrorCode::kFailedPrecondition, "ADDRESS_UNUSABLE", "cannot listen at unix:" + path + ": " + why);
}

Error Running(const std::string& path, const std::string& who) {
  return MakeError(ErrorCode::kAlreadyExists, "DAEMON_RUNNING",
                   "a daemon already lives at unix:" + path + who + "; stop it first, or choose another --address");
}

bool Answers(const std::string& path) {
  const Fd fd(::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0));
  sockaddr_un address = {};
  address.sun_family = AF_UNIX;
  if (!fd.valid() || path.size() >= sizeof address.sun_path) return false;
  std::memcpy(address.sun_path, path.data(), path.size());
  // EAGAIN: alive, with a full backlog.
  return ::connect(fd.get(), reinterpret_cast<sockaddr*>(&address), sizeof address) == 0 || errno == EAGAIN;
}

// Names under which daemons that died between bind and rename left their sockets. The lock is held.
void RemoveLeftovers(const std::string& path) {
  namespace fs = std::filesystem;
  const std::string prefix = fs::path(path).filename().string() + ".";
  std::error_code error;
  for (fs::directory_iterator it(fs::path(path).parent_path(), error), end; !error && it != end; it.increment(error)) {
    const std::string name = it->path().filename().string();
    const bool ours = name.starts_with(prefix) && name.size() > prefix.size() &&
                      name.find_first_not_of("0123456789", prefix.size()) == std::string::npos;
    std::error_code ignored;
    if (ours && fs::symlink_status(it->path(), ignored).type() == fs::file_type::socket)
      fs::remove(it->path(), ignored);
  }
}

}  // namespace

SocketClaim& SocketClaim::operator=(SocketClaim&& other) noexcept {
  if (this != &other) {
    Remove();
    path_ = std::move(other.path_);
    lock_ = std::move(other.lock_);
    published_ = std::exchange(other.published_, false);
    device_ = other.device_;
    inode_ = other.inode_;
  }
  return *this;
}

Result<SocketClaim> SocketClaim::Take(const std::string& path) {
  SocketClaim claim;
  claim.path_ = path;
  Result<Fd> lock = TakeLockFile(path + ".lock");
  if (!lock.ok()) {
    if (lock.error().code != ErrorCode::kAlreadyExists) return Unusable(path, lock.error().message);
    const auto pid = lock.error().metadata.find("pid");
    return Running(path, pid == lock.error().metadata.end() ? "" : " (process " + pid->second + ")");
  }
  claim.lock_ = std::move(*lock);
  struct stat info;
  if (::lstat(path.c_str(), &info) == 0) {
    if (!S_ISSOCK(info.st_mode)) return Unusable(path, "something that is no socket is there already");
    // Ours would hold the lock; whoever answers is another program, and not to be robbed of its address.
    if (Answers(path)) return Running(path, " or another program answers there");
  }
  RemoveLeftovers(path);
  return claim;
}

std::string SocketClaim::BoundPath() const { return path_ + "." + std::to_string(::getpid()); }

std::string SocketClaim::BindAddress() const { return "unix:" + BoundPath(); }

Status SocketClaim::Publish(mode_t mode) {
  const std::string bound = BoundPath();
  struct stat info;
  if (::lstat(bound.c_str(), &info) != 0) return Unusable(path_, std::strerror(errno));
  if (::chmod(bound.c_str(), mode) != 0) return Unusable(path_, std::strerror(errno));
  if (::rename(bound.c_str(), path_.c_str()) != 0) {
    const std::string why = std::strerror(errno);
    ::unlink(bound.c_str());
    return Unusable(path_, why);
  }
  device_ = info.st_dev;
  inode_ = info.st_ino;
  published_ = true;
  return {};
}

void SocketClaim::Remove() {
  if (!std::exchange(published_, false)) return;
  struct stat info;
  if (::lstat(path_.c_str(), &info) == 0 && info.st_dev == device_ && info.st_ino == inode_) ::unlink(path_.c_str());
}

}  // namespace astrolabe::server
