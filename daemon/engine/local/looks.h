// Looks: asks the runner for leave between neighbours that take long to value, whoever values them and how many there
// are of one state.
#ifndef ASTROLABE_DAEMON_ENGINE_LOCAL_LOOKS_H_
#define ASTROLABE_DAEMON_ENGINE_LOCAL_LOOKS_H_

#include <cstddef>

#include "daemon/engine/runner.h"

namespace astrolabe::engine {

class Looks {
 public:
  // So many bytes of states, or of values where none are made, are about to be written. False: the search is to stop.
  [[nodiscard]] bool Before(Runner& runner, size_t bytes) {
    if ((bytes_ += bytes) < kBytesBetween) return true;
    bytes_ = 0;
    return runner.LookAround();
  }

 private:
  static constexpr size_t kBytesBetween = 1 << 20;  // a millisecond, or some of them for a slow objective

  size_t bytes_ = 0;
};

}  // namespace astrolabe::engine

#endif  // ASTROLABE_DAEMON_ENGINE_LOCAL_LOOKS_H_
