// What an absl::Status of this library carries beyond code and message. The message alone says everything a person
// needs, each wrong field included; these accessors are for programs.
#ifndef ASTROLABE_CLIENT_ERRORS_H_
#define ASTROLABE_CLIENT_ERRORS_H_

#include <chrono>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "astrolabe/client/export.h"

namespace astrolabe::client {

struct FieldViolation {
  std::string field;
  std::string description;
  friend bool operator==(const FieldViolation&, const FieldViolation&) = default;
};

// Reasons made by this library itself, not by the server.
inline constexpr char kReasonCannotConnect[] = "CANNOT_CONNECT";       // nothing listens there, or not in time
inline constexpr char kReasonConnectionLost[] = "CONNECTION_LOST";     // the server went away during the call
inline constexpr char kReasonRequestTooLarge[] = "REQUEST_TOO_LARGE";  // above ServerInfo::max_request_bytes; not sent
inline constexpr char kReasonServerMemory[] = "SERVER_MEMORY";         // it has none to receive more; try again
inline constexpr char kReasonTimeout[] = "TIMEOUT";                    // no answer within ClientOptions::timeout

// All wrong fields of the request, in the server's order. Empty: none, or not that kind of error.
ASTROLABE_CLIENT_EXPORT std::vector<FieldViolation> FieldViolations(const absl::Status& status);

// UPPER_SNAKE_CASE, for example "UNKNOWN_HEURISTIC". Empty: none was given.
ASTROLABE_CLIENT_EXPORT std::string Reason(const absl::Status& status);

// Facts that belong to the reason ("did_you_mean" ...).
ASTROLABE_CLIENT_EXPORT std::map<std::string, std::string> ErrorMetadata(const absl::Status& status);

// When trying again makes sense. Unset: the server did not say.
ASTROLABE_CLIENT_EXPORT std::optional<std::chrono::milliseconds> RetryDelay(const absl::Status& status);

// A status as this library makes them itself: its Reason() is `reason`. For programs that add errors of their own, and
// for test doubles.
ASTROLABE_CLIENT_EXPORT absl::Status MakeStatus(absl::StatusCode code, const std::string& reason,
                                                const std::string& message);

}  // namespace astrolabe::client

#endif  // ASTROLABE_CLIENT_ERRORS_H_
