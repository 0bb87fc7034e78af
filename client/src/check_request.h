// What can be known to be wrong before a request is sent, where gRPC's own answer would not help a person.
#ifndef ASTROLABE_CLIENT_SRC_CHECK_REQUEST_H_
#define ASTROLABE_CLIENT_SRC_CHECK_REQUEST_H_

#include <cstddef>
#include <cstdint>

#include "absl/status/status.h"
#include "astrolabe/client/evaluate.h"
#include "astrolabe/client/job.h"
#include "astrolabe/client/path.h"
#include "astrolabe/client/server.h"

namespace astrolabe::client {

// RESOURCE_EXHAUSTED, kReasonRequestTooLarge, naming size and limit. limit 0: unknown, anything goes.
absl::Status CheckSize(size_t request_bytes, int64_t limit_bytes);

// INVALID_ARGUMENT naming every text that is not UTF-8: protobuf would not send it. An instance may be any bytes.
absl::Status CheckText(const JobSpec& spec);
absl::Status CheckText(const InstanceRef& instance);
absl::Status CheckText(const EvaluateRequest& request);
// `before`: moves before this piece, by which its words are numbered.
absl::Status CheckText(const PathPiece& piece, int64_t before);

}  // namespace astrolabe::client

#endif  // ASTROLABE_CLIENT_SRC_CHECK_REQUEST_H_
