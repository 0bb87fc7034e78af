// Who may serve a unix socket path, and how the socket gets there.
//
// A socket that is bound at PATH must not take it from a daemon that lives, nor be seen before it is served. So the
// daemon holds flock(PATH.lock) for life; binds PATH.<pid>; renames that onto PATH once the server runs; and removes
// PATH itself, while it still holds the lock. The lock file stays: removing it would let two daemons each lock one of
// their own.
#ifndef ASTROLABE_DAEMON_SERVER_LISTENER_H_
#define ASTROLABE_DAEMON_SERVER_LISTENER_H_

#include <sys/types.h>

#include <string>
#include <utility>

#include "daemon/base/fd.h"
#include "daemon/base/result.h"

namespace astrolabe::server {

// The exclusive right to a path. Movable; ends with Remove and the release of the lock.
class SocketClaim {
 public:
  SocketClaim() = default;
  SocketClaim(SocketClaim&& other) noexcept { *this = std::move(other); }
  SocketClaim& operator=(SocketClaim&& other) noexcept;
  ~SocketClaim() { Remove(); }

  // kAlreadyExists (reason DAEMON_RUNNING) when a live daemon has it, or something answers there without the lock;
  // kFailedPrecondition when the place cannot be used. A stale socket is no hindrance. Harms nothing.
  static Result<SocketClaim> Take(const std::string& path);

  const std::string& path() const { return path_; }
  // What is to be bound: "unix:PATH.<pid>".
  std::string BindAddress() const;
  // Moves the bound socket to PATH with `mode`. From here on clients reach the server.
  Status Publish(mode_t mode);
  // Removes what Publish put there, if it is still that. Idempotent. The lock is kept.
  void Remove();

 private:
  std::string BoundPath() const;

  std::string path_;
  Fd lock_;
  bool published_ = false;
  dev_t device_ = 0;
  ino_t inode_ = 0;
};

}  // namespace astrolabe::server

#endif  // ASTROLABE_DAEMON_SERVER_LISTENER_H_
