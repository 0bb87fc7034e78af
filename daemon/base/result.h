// Result<T>: a value or an Error. Errors are values everywhere in the daemon; nothing throws across a layer.
#ifndef ASTROLABE_DAEMON_BASE_RESULT_H_
#define ASTROLABE_DAEMON_BASE_RESULT_H_

#include <cassert>
#include <chrono>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

namespace astrolabe {

// The kinds of failure a caller can tell apart. The server turns them into gRPC codes of the same name.
enum class ErrorCode {
  kInvalidArgument,
  kNotFound,
  kAlreadyExists,
  kFailedPrecondition,
  kPermissionDenied,
  kResourceExhausted,
  kUnavailable,
  kOutOfRange,
  kCancelled,
  kUnimplemented,
  kInternal,
};

// One wrong field of a request.
struct FieldViolation {
  std::string field;
  std::string description;
};

struct Error {
  ErrorCode code = ErrorCode::kInternal;
  // For people: what was expected, what was found, what to do.
  std::string message;
  // For machines: UPPER_SNAKE_CASE, for example "UNKNOWN_HEURISTIC".
  std::string reason;
  std::map<std::string, std::string> metadata;
  // All of them, not only the first.
  std::vector<FieldViolation> violations;
  // Set when trying again later makes sense.
  std::optional<std::chrono::milliseconds> retry_after;
};

inline Error MakeError(ErrorCode code, std::string reason, std::string message) {
  Error error;
  error.code = code;
  error.reason = std::move(reason);
  error.message = std::move(message);
  return error;
}

template <typename T>
class [[nodiscard]] Result {
 public:
  Result(T value) : state_(std::in_place_index<0>, std::move(value)) {}      // NOLINT: implicit on purpose
  Result(Error error) : state_(std::in_place_index<1>, std::move(error)) {}  // NOLINT: implicit on purpose

  bool ok() const { return state_.index() == 0; }
  explicit operator bool() const { return ok(); }

  T& value() & { return assert(ok()), std::get<0>(state_); }
  const T& value() const& { return assert(ok()), std::get<0>(state_); }
  T&& value() && { return assert(ok()), std::get<0>(std::move(state_)); }
  T& operator*() & { return value(); }
  const T& operator*() const& { return value(); }
  T&& operator*() && { return std::move(*this).value(); }
  T* operator->() { return &value(); }
  const T* operator->() const { return &value(); }

  Error& error() & { return assert(!ok()), std::get<1>(state_); }
  const Error& error() const& { return assert(!ok()), std::get<1>(state_); }
  Error&& error() && { return assert(!ok()), std::get<1>(std::move(state_)); }

 private:
  std::variant<T, Error> state_;
};

// Success without a value, or an Error.
template <>
class [[nodiscard]] Result<void> {
 public:
  Result() = default;
  Result(Error error) : error_(std::move(error)) {}  // NOLINT: implicit on purpose

  bool ok() const { return !error_.has_value(); }
  explicit operator bool() const { return ok(); }
  Error& error() & { return assert(!ok()), *error_; }
  const Error& error() const& { return assert(!ok()), *error_; }
  Error&& error() && { return assert(!ok()), *std::move(error_); }

 private:
  std::optional<Error> error_;
};

using Status = Result<void>;

}  // namespace astrolabe

#endif  // ASTROLABE_DAEMON_BASE_RESULT_H_
