// Paths outside a Result: those that are sent to be checked, and those that are read piece by piece.
#ifndef ASTROLABE_CLIENT_PATH_H_
#define ASTROLABE_CLIENT_PATH_H_

#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/statusor.h"

namespace astrolabe::client {

// Some moves of a path, in order: as numbers of operators or as their words, not both.
struct PathPiece {
  std::vector<uint32_t> ops;
  std::vector<std::string> op_names;
};

// Fills an empty piece with the next moves; a few thousand at once cost least, and one must stay below the server's
// max_request_bytes. False: there are no more. An error ends the call, which returns it.
using PathSource = std::function<absl::StatusOr<bool>(PathPiece* piece)>;

// What a replay showed. The fields are those of astrolabe.v1.ValidatePathResponse.
struct CheckedPath {
  bool valid = false;
  bool reaches_goal = false;  // never of a path that is not valid
  int64_t cost = 0;           // of the moves before the first violation, in units of 1/cost_scale
  int64_t cost_scale = 1;
  int64_t first_violation = -1;  // 0-based index of the first wrong move; -1: none
  std::string violation;         // why it is wrong
  std::string final_state;       // after the last move that was made; empty above 64 KiB
  int64_t length = 0;            // moves that were made
  std::vector<std::string> notes;
  friend bool operator==(const CheckedPath&, const CheckedPath&) = default;
};

// What of a job may be too large for its Result.
enum class ContentPart { kFinalState = 1, kCanonicalInstance = 2, kPath = 3 };

// Take the next bytes, or moves, which are valid during the call only. False: no more are wanted.
using ContentSink = std::function<bool(std::string_view chunk)>;
using OpSink = std::function<bool(std::span<const uint32_t> ops)>;

}  // namespace astrolabe::client

#endif  // ASTROLABE_CLIENT_PATH_H_
