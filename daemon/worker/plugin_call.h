// Every cold call into a plugin goes through here: the function is known to the crash handler, and an
// exception that a plugin lets out ends the process with its text instead of unwinding through the host.
#ifndef ASTROLABE_DAEMON_WORKER_PLUGIN_CALL_H_
#define ASTROLABE_DAEMON_WORKER_PLUGIN_CALL_H_

#include <utility>

#include "daemon/worker/stage.h"

namespace astrolabe::worker {

// `function`: a literal, the name of the ABI function. noexcept on purpose: std::terminate reports.
template <typename Call>
auto CallPlugin(const char* function, Call&& call) noexcept {
  const FunctionScope scope(function);
  return std::forward<Call>(call)();
}

}  // namespace astrolabe::worker

#endif  // ASTROLABE_DAEMON_WORKER_PLUGIN_CALL_H_
