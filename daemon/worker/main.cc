// astrolabe-worker: engine and plugin host in one process, started by astrolabed. Descriptor 3 is the
// frame socket; ASTROLABE_CACHE_DIR names the folder of plugin caches.
#include <sys/socket.h>
#include <sys/stat.h>

#include <cstdio>
#include <cstdlib>

#include "daemon/worker/worker.h"

namespace {

constexpr int kFrameSocket = 3;

bool IsSocket(int fd) {
  struct stat info {};
  return ::fstat(fd, &info) == 0 && S_ISSOCK(info.st_mode);
}

}  // namespace

int main() {
  if (!IsSocket(kFrameSocket)) {
    std::fprintf(stderr, "astrolabe-worker is started by astrolabed, not by hand (descriptor 3 is no socket).\n");
    return 2;
  }
  const char* cache = std::getenv("ASTROLABE_CACHE_DIR");
  astrolabe::worker::RunWorker(kFrameSocket, cache != nullptr ? cache : "");
}
