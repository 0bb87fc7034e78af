// What became of the nodes that a share was given.
#ifndef ASTROLABE_DAEMON_ENGINE_STRUCTURES_SHARE_COUNTS_H_
#define ASTROLABE_DAEMON_ENGINE_STRUCTURES_SHARE_COUNTS_H_

#include <cstdint>

#include "daemon/engine/structures/best_first.h"

namespace astrolabe::engine {

struct ShareCounts {
  void Add(Verdict verdict) {
    duplicates += verdict == Verdict::kDuplicate;
    reopened += verdict == Verdict::kReopened;
  }

  int64_t duplicates = 0;
  int64_t reopened = 0;
};

}  // namespace astrolabe::engine

#endif  // ASTROLABE_DAEMON_ENGINE_STRUCTURES_SHARE_COUNTS_H_
