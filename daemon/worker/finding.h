// What a check of a contract found.
#ifndef ASTROLABE_DAEMON_WORKER_FINDING_H_
#define ASTROLABE_DAEMON_WORKER_FINDING_H_

#include <string>

namespace astrolabe::worker {

struct Finding {
  std::string test;   // what should hold
  std::string found;  // what does not
};

}  // namespace astrolabe::worker

#endif  // ASTROLABE_DAEMON_WORKER_FINDING_H_
