// What a short run asks of a worker, and who hears the answer: where ValidateInstance, EvaluateStates
// and ValidatePath differ.
#ifndef ASTROLABE_DAEMON_JOBS_SHORT_REQUEST_H_
#define ASTROLABE_DAEMON_JOBS_SHORT_REQUEST_H_

#include <chrono>
#include <functional>
#include <memory>
#include <span>
#include <string>

#include "astrolabe/internal/v1/frames.pb.h"
#include "astrolabe/v1/solver.pb.h"
#include "daemon/base/result.h"
#include "daemon/workers/worker_pool.h"

namespace astrolabe::jobs {

class ShortRequest {
 public:
  virtual ~ShortRequest() = default;
  // "validation", "evaluation", "path check": for messages.
  virtual const char* what() const = 0;
  // UPPER_SNAKE_CASE, of the error when the time is up.
  virtual const char* timeout_reason() const = 0;
  virtual std::chrono::seconds time_limit() const = 0;
  virtual internal::v1::ToWorker Frame(std::span<const workers::PluginFile> files) const = 0;
  virtual bool IsAnswer(const internal::v1::ToDaemon& message) const = 0;
  // From this message on the worker does nothing until a frame is sent to it.
  virtual bool WaitsForClient(const internal::v1::ToDaemon&) const { return false; }

  // What else the worker says before its answer. On its reader thread, as Answer is, and never after it; but
  // Fail may run meanwhile.
  virtual void OnMessage(const internal::v1::ToDaemon&) {}

  // One of these is called, once. Precondition of Answer: IsAnswer.
  virtual void Answer(internal::v1::ToDaemon message) = 0;
  virtual void Fail(Error error) = 0;
};

// The instance and the request are checked already (spec_check.h).
std::shared_ptr<ShortRequest> ValidateRequest(v1::InstanceRef instance,
                                              std::function<void(Result<v1::ValidateInstanceResponse>)> done);
std::shared_ptr<ShortRequest> EvaluateRequest(v1::EvaluateStatesRequest request,
                                              std::function<void(Result<v1::EvaluateStatesResponse>)> done);

// `wanted`: the next piece may be sent.
std::shared_ptr<ShortRequest> PathRequest(v1::InstanceRef instance, std::function<void()> wanted,
                                          std::function<void(Result<v1::ValidatePathResponse>)> done);

// A failed plugin as the error of such a request.
Error FailedPlugin(const v1::PluginFailure& failure);

// "line 2, column 5: message (expected ...; hint)".
std::string Describe(const v1::Violation& violation);

}  // namespace astrolabe::jobs

#endif  // ASTROLABE_DAEMON_JOBS_SHORT_REQUEST_H_
