// A file whose flock says "somebody uses this". Held as long as the descriptor; never removed, for then two
// processes could each lock one of their own.
#ifndef ASTROLABE_DAEMON_SERVER_LOCK_FILE_H_
#define ASTROLABE_DAEMON_SERVER_LOCK_FILE_H_

#include <string>

#include "daemon/base/fd.h"
#include "daemon/base/result.h"

namespace astrolabe::server {

// Makes the file if need be, locks it without waiting and writes our process id into it. kAlreadyExists when
// another process holds it; metadata "pid" tells which, if known. kFailedPrecondition when it cannot be opened.
Result<Fd> TakeLockFile(const std::string& path);

}  // namespace astrolabe::server

#endif  // ASTROLABE_DAEMON_SERVER_LOCK_FILE_H_
