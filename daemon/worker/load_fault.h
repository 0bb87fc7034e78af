// Why a plugin cannot be used.
#ifndef ASTROLABE_DAEMON_WORKER_LOAD_FAULT_H_
#define ASTROLABE_DAEMON_WORKER_LOAD_FAULT_H_

#include <optional>
#include <string>

namespace astrolabe::worker {

struct LoadFault {
  std::string code;  // a name of astrolabe.v1.LoadCode without its prefix: "MISSING_SYMBOL"
  std::string message;
  std::string expected;
  std::string found;
  std::string hint;
  std::string stage = "load";  // load, init, parse ...
};

// nullopt: all is well.
using MaybeFault = std::optional<LoadFault>;

}  // namespace astrolabe::worker

#endif  // ASTROLABE_DAEMON_WORKER_LOAD_FAULT_H_
