// Errors as astrolabed makes them.
#ifndef ASTROLABE_TESTS_CLIENT_RICH_ERROR_H_
#define ASTROLABE_TESTS_CLIENT_RICH_ERROR_H_

#include <grpcpp/grpcpp.h>

#include <chrono>
#include <string>
#include <utility>
#include <vector>

namespace astrolabe::testing {

// An error with google.rpc details, as astrolabed makes them.
grpc::Status RichError(grpc::StatusCode code, const std::string& message, const std::string& reason,
                       const std::vector<std::pair<std::string, std::string>>& violations = {},
                       std::chrono::milliseconds retry = {});

}  // namespace astrolabe::testing

#endif  // ASTROLABE_TESTS_CLIENT_RICH_ERROR_H_
